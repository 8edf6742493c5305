import Foundation

/// A small file system of its own, to be full or read-only in earnest: permission bits do not bind root.
struct Medium {
  let folder: URL

  static let isPossible: Bool = (try? with(size: "64k") { _ in true }) ?? false

  struct CannotMount: Error { var output: String }

  static func with<Result>(size: String, _ body: (Medium) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-medium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try OtherProcess.output(
      of: ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path])
    guard answer.isEmpty else { throw CannotMount(output: answer) }
    defer { _ = try? OtherProcess.output(of: ["umount", folder.path]) }
    return try body(Medium(folder: folder))
  }

  func makeReadOnly() throws {
    let answer = try OtherProcess.output(of: ["mount", "-o", "remount,ro", folder.path])
    if !answer.isEmpty { throw CannotMount(output: answer) }
  }
}
