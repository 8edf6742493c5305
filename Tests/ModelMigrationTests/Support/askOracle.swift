import Foundation
import TestSupport
import Testing

/// The independent check of `../shared/tools`, where it is at hand: one process for all stores.
func askOracle(about stores: [URL]) throws {
  let oracle = Fixtures.root.deletingLastPathComponent().appending(path: "tools/oracle.py")
  guard FileManager.default.fileExists(atPath: oracle.path), !stores.isEmpty else { return }
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["python3", oracle.path] + stores.map(\.path)
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  process.waitUntilExit()
  let complaints = text.split(separator: "\n").filter { $0.hasPrefix("BAD") }
  #expect(process.terminationStatus == 0, "\(complaints.prefix(20).joined(separator: "\n"))")
}
