import Foundation

/// Runs `swift` in a package, to its end.
///
/// - Returns: the exit code, and the end of what it wrote to both streams.
func runSwift(_ arguments: String..., in folder: URL) throws -> (code: Int32, text: String) {
  try runSwift(arguments, in: folder)
}

/// The same.
func runSwift(_ arguments: [String], in folder: URL) throws -> (code: Int32, text: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["swift"] + arguments
  process.currentDirectoryURL = folder
  let output = folder.appending(path: "swift.log")
  try Data().write(to: output)
  let handle = try FileHandle(forWritingTo: output)
  process.standardOutput = handle
  process.standardError = handle
  process.standardInput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  return (
    process.terminationStatus, String(decoding: try Data(contentsOf: output).suffix(4000), as: UTF8.self)
  )
}
