import Foundation
import TestSupport
import Testing

/// The independent judge of stores beside the fixtures: a program that shares no line with modelc.
enum Oracle {
  static let script = Fixtures.root.deletingLastPathComponent().appending(path: "tools/oracle.py")

  static let isPresent: Bool =
    FileManager.default.fileExists(atPath: script.path)
    && (try? run(["python3", "-c", "import sqlite3, plistlib, zlib"]))?.code == 0

  /// Expects that it finds nothing wrong with any of the stores.
  static func expectSound(_ stores: [URL], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (code, output) = try run(["python3", script.path] + stores.map(\.path))
    #expect(code == 0, "\(output)", sourceLocation: sourceLocation)
    #expect(output.contains("\(stores.count) stores, 0 wrong"), "\(output)", sourceLocation: sourceLocation)
  }

  private static func run(_ command: [String]) throws -> (code: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where the judge or its Python is not at hand.
  static var needsOracle: Self {
    .enabled(if: Oracle.isPresent, "the oracle (../shared/tools/oracle.py) or python3 is absent")
  }
}
