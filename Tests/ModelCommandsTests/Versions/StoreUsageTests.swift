import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Stores in the field, as CSV") struct StoreUsageTests {
  private func read(_ text: String) throws -> [String: Int] {
    let lines = try StoreUsage(csv: text, file: "usage.csv").lines
    return Dictionary(lines.map { ($0.name, $0.stores) }) { $0 + $1 }
  }

  @Test(arguments: [
    ("version,stores\nV1,3\nV2,120\n", ["V1": 3, "V2": 120]), ("V1,3\nV2,120", ["V1": 3, "V2": 120]),
    ("Version\nV1\nV1\nV2\n", ["V1": 2, "V2": 1]), ("V1\n", ["V1": 1]), ("", [:]), ("\n\n", [:]),
    ("name,count\r\nV1,3\r\n", ["V1": 3]), ("version;stores\nV1;3\n", ["V1": 3]),
    ("\u{FEFF}version,stores\n\"My, \"\"old\"\" App\" , 3\n", ["My, \"old\" App": 3]),
    ("\nversion,stores\n\nV1,0\n", ["V1": 0]), ("V1,3\nversion,4\n", ["V1": 3, "version": 4]),
  ])
  func `versions and numbers`(text: String, stores: [String: Int]) throws {
    #expect(try read(text) == stores)
  }

  @Test(arguments: [
    ("V1,3\nV2,many\n", 2), ("V1,-1\n", 1), ("V1,99999999999999999999\n", 1), ("V1,1O0\n", 1),
    ("version,stores\n,4\n", 2), ("V1,3\n\"V2,4\n", 2), ("V1,\nV2,3\nV3,\n", 3),
  ])
  func `a line that says no number is refused at its place`(text: String, line: Int) throws {
    let error = try #require(throws: UsageError.self) { try read(text) }
    #expect(error.diagnostic.place?.start.line == line)
  }
}
