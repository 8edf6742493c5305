import Foundation
import TestSupport
import Testing

/// A Python program that opens a store, says when it has, and holds it until it is told to end.
final class OtherProcess {
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()

  struct DidNotStart: Error { var output: String }

  /// Runs statements on its connection and waits, or ends after some seconds; the last result is fetched as far
  /// as one row.
  init(holding store: URL, _ statements: [String], seconds: Double? = nil) throws {
    let script = """
      import os, sqlite3, sys, time
      c = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
      keep = []
      for s in sys.argv[2:]:
        r = c.execute(s)
        keep.append((r, r.fetchone()))
      print("ready", flush=True)
      \(seconds.map { "time.sleep(\($0)); os._exit(0)" } ?? "sys.stdin.read()")
      """
    process = Python.process(["-c", script, store.path] + statements)
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
    return try text(of: Python.run(["-c", script, store.path] + statements))
  }

  /// What a command prints, with its exit code where that is not 0 (and not the 9 of ``run(_:_:dies:)``).
  @discardableResult
  static func output(of command: [String]) throws -> String {
    try text(of: CommandOutput(of: command))
  }

  static func text(of run: CommandOutput) -> String {
    let text = run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return [0, 9].contains(run.code) ? text : "exit \(run.code) \(text)"
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where no file system can be mounted.
  static var needsMounting: Self { .enabled(if: Medium.isPossible, "mounting is not permitted here") }
}
