package import Foundation

/// A git repository in a temporary folder.
package struct Repository {
  package let folder: URL

  package init(folder: URL) { self.folder = folder }

  /// What git said that failed.
  package struct Failure: Error { public var arguments: [String], message: String }

  package static func with<Result>(_ body: (Repository) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let repository = Repository(folder: folder)
      try repository.git("init", "--quiet", "--initial-branch", "main")
      return try body(repository)
    }
  }

  /// Runs git without the user's own settings.
  ///
  /// - Returns: what it wrote.
  @discardableResult
  package func git(_ arguments: String...) throws -> String { try run(arguments) }

  @discardableResult
  package func run(_ arguments: [String]) throws -> String { try start(["git"] + arguments) }

  @discardableResult
  package func shell(_ command: String) throws -> String { try start(["sh", "-c", command]) }

  private func start(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "A",
      "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
    ]) { $1 }
    let run = try CommandOutput(of: process)
    guard run.code == 0 else { throw Failure(arguments: arguments, message: run.text) }
    return run.text
  }

  package func commit(_ subject: String) throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--message", subject)
  }

  package func write(_ text: String, to path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
