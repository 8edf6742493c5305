import Foundation
import ManagedModel

/// What a run of git left.
struct GitRun {
  var status: Int32
  var output: Data
  /// What it said to standard error, in English.
  var message: String
}

/// Runs git without a shell in the working folder, and reads what it writes.
///
/// Names of revisions and paths never stand among the arguments: they go through `input`, where nothing can be taken
/// for an option. Git may not fetch, ask, or run a pager.
///
/// - Parameter folder: another one to run in.
/// - Throws: `DiagnosticsError` with MC0014 where there is no git.
func runGit(
  _ arguments: [String], input: String, in folder: String? = nil
) throws(DiagnosticsError) -> GitRun {
  guard let git = gitExecutable else { throw DiagnosticsError(.noGit()) }
  do {
    return try run(git, arguments, input, in: folder)
  } catch {
    throw DiagnosticsError(.gitNotRun(git.path, error))
  }
}

private func run(
  _ git: URL, _ arguments: [String], _ input: String, in workingFolder: String?
) throws -> GitRun {
  // Files instead of pipes: nothing has to be read while it runs, and nothing can fill up.
  let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-git-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let files = ["in", "out", "err"].map { folder.appending(path: $0) }
  try Data(input.utf8).write(to: files[0])
  for file in files.dropFirst() { try Data().write(to: file) }
  let process = Process()
  process.executableURL = git
  process.arguments = ["--no-pager", "--no-optional-locks"] + arguments
  if let workingFolder {
    process.currentDirectoryURL = URL(filePath: workingFolder, directoryHint: .isDirectory)
  }
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let streams = (
    try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
    try FileHandle(forWritingTo: files[2])
  )
  (process.standardInput, process.standardOutput, process.standardError) = streams
  try process.run()
  process.waitUntilExit()
  return GitRun(
    status: process.terminationStatus, output: try Data(contentsOf: files[1]),
    message: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
}

private let environment = [
  "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
]

/// The first `git` on the search path.
private var gitExecutable: URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "git") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

extension Diagnostic {
  fileprivate static func noGit() -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "there is no 'git' to read a revision with",
      notes: ["no folder of PATH holds it"], help: ["install git, or name a model on disk"])
  }

  fileprivate static func gitNotRun(_ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(path)' cannot be run: \(error.localizedDescription)",
      help: ["check that git works here"])
  }
}
