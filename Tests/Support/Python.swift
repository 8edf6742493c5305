package import Foundation
package import Testing

/// The Python of this machine, for judges and second programs that share no line with modelc.
package enum Python {
  /// The interpreter itself: a version manager's `python3` is a script that takes longer than Python does.
  private static let executable: URL? = {
    let question = ["python3", "-c", "import sys; print(sys.executable)"]
    guard let path = try? CommandOutput(of: question).text.trimmingCharacters(in: .newlines) else {
      return nil
    }
    return FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
  }()

  /// Whether it is there, with the modules of its own that tests ask for.
  package static let isPresent = (try? run(["-c", "import sqlite3, plistlib, zlib"]))?.code == 0

  /// A process that is not started yet.
  package static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = executable ?? URL(filePath: "/usr/bin/env")
    process.arguments = (executable == nil ? ["python3"] : []) + arguments
    return process
  }

  /// Runs it to its end.
  ///
  /// - Parameter packages: a folder of packages in addition to Python's own.
  package static func run(_ arguments: [String], packages: String? = nil) throws -> CommandOutput {
    let process = process(arguments)
    if let packages, !packages.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": packages]) { $1 }
    }
    return try CommandOutput(of: process)
  }
}

/// What a program left that ran to its end.
package struct CommandOutput: Sendable {
  package var code: Int32
  /// Standard output and standard error as they came.
  package var text: String

  package init(code: Int32, text: String) { (self.code, self.text) = (code, text) }

  /// Starts the process and waits for its end.
  package init(of process: Process) throws {
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    (code, text) = (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Runs a command that is found on the `PATH`.
  package init(of command: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    try self.init(of: process)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where Python is not at hand.
  package static var needsPython: Self {
    .enabled(if: Python.isPresent, "python3 with sqlite3 is absent")
  }
}
