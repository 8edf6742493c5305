import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// A few of the faults of `Benchmarks/faults`, which has all of them.
  @Suite("A migration that comes to grief", .enabled(if: Faults.isPossible, "tracing is not permitted here"))
  struct FaultTests {
    @Test(arguments: ["kill", "ENOSPC", "SIGINT"])
    func `leaves the store as it was, and nothing after recover`(fault: String) throws {
      try Workplace.withDemo { place, store in
        let before = try place.snapshot()
        let calls = try Faults.count(place, ["migrate", store, "-C", "T", "--dry-run"])
        try #require(calls > 4)
        let run = try Faults.run(place, ["migrate", store, "-C", "T"], at: calls / 2, fault)
        switch fault {
        case "kill": #expect(run.code == 137, "\(run)")
        case "SIGINT":
          #expect(run.code == 5 && run.output.contains("MC6004"), "\(run)")
          #expect(try place.snapshot() == before)
        default:
          #expect(run.code == 6 && run.output.contains("MC5306"), "\(run)")
          #expect(try place.snapshot() == before)
        }
        expectSuccess(try place.modelc("recover", store, "-C", "T"))
        let after = try place.snapshot()
        // An empty log is what a killed connection leaves; it says nothing.
        #expect(after.names.filter { $0 != "Diary.sqlite-wal" } == before.names, "\(after)")
        #expect(after["Diary.sqlite"] == before["Diary.sqlite"])
        #expect(after["Diary.sqlite-wal"]?.isEmpty != false)
      }
    }
  }

  /// The tool `modelc-faults`, built beside `modelc`.
  private enum Faults {
    private static let tool = Modelc.executable.deletingLastPathComponent().appending(path: "modelc-faults")

    static let isPossible: Bool =
      (try? withTemporaryFolder { folder in
        try launch(["--below", folder.path, "--log", "/dev/null", "--", "/bin/true"], in: folder).code == 0
      }) ?? false

    static func run(
      _ place: Workplace, _ arguments: [String], at number: Int, _ fault: String
    ) throws -> (code: Int32, output: String) {
      try launch(
        ["--below", place.url("stores").path, "--log", "/dev/null", "--at", "\(number)", "--do", fault, "--"]
          + [Modelc.executable.path] + arguments, in: place.folder)
    }

    static func count(_ place: Workplace, _ arguments: [String]) throws -> Int {
      let log = place.folder.appending(path: "log")
      _ = try launch(
        ["--below", place.url("stores").path, "--log", log.path, "--", Modelc.executable.path] + arguments,
        in: place.folder)
      defer { try? FileManager.default.removeItem(at: log) }
      return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count
    }

    private static func launch(_ arguments: [String], in folder: URL) throws -> (code: Int32, output: String)
    {
      let process = Process()
      let output = Pipe()
      process.executableURL = tool
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }
  }
#endif
