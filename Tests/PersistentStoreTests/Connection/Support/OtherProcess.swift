import Foundation
import Testing

/// A Python program that opens a store, says when it has, and holds it until it is told to end.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  struct DidNotStart: Error { var output: String }

  /// Runs statements on its connection and waits, or ends after some seconds; the last result is fetched as far
  /// as one row.
  init(holding store: URL, _ statements: [String], seconds: Double? = nil) throws {
    try start(
      """
      import os, sqlite3, sys, time
      c = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
      keep = []
      for s in sys.argv[2:]:
        r = c.execute(s)
        keep.append((r, r.fetchone()))
      print("ready", flush=True)
      \(seconds.map { "time.sleep(\($0)); os._exit(0)" } ?? "sys.stdin.read()")
      """, [store.path] + statements)
  }

  private func start(_ script: String, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var answer = ""
    while !answer.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      answer += String(decoding: data, as: UTF8.self)
    }
    guard answer == "ready\n" else { throw DidNotStart(output: answer) }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit { if process.isRunning { end() } }

  /// Runs statements to the end in a process of its own; the rows, or SQLite's message.
  static func run(_ store: URL, _ statements: [String], dies: Bool = false) throws -> String {
    let script = """
      import sqlite3, sys, os
      c = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
      try:
        for s in sys.argv[2:]:
          for row in c.execute(s): print(*row)
      except sqlite3.Error as e:
        print(e)
      sys.stdout.flush()
      \(dies ? "os._exit(9)" : "c.close()")
      """
    return try output(of: ["python3", "-c", script, store.path] + statements)
  }

  /// What a command prints, with its exit code where that is not 0 (and not the 9 of ``run(_:_:dies:)``).
  @discardableResult
  static func output(of command: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return [0, 9].contains(process.terminationStatus) ? text : "exit \(process.terminationStatus) \(text)"
  }

  static let isPossible: Bool = (try? output(of: ["python3", "-c", "import sqlite3; print(1)"])) == "1"
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where no second program can be started.
  static var needsPython: Self { .enabled(if: OtherProcess.isPossible, "python3 with sqlite3 is absent") }

  /// Skips, visibly, where no file system can be mounted.
  static var needsMounting: Self { .enabled(if: Medium.isPossible, "mounting is not permitted here") }
}
