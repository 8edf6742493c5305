import Foundation
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Lists of stores") struct StoreNamesTests {
  @Test func `a byte order mark and ends of lines are no part of a name`() throws {
    try withTemporaryFolder { folder in
      let list = folder.appending(path: "list.txt")
      try Data("\u{FEFF}a.sqlite\r\nb.sqlite\n".utf8).write(to: list)
      var names = try StoreNames([], list: list.path, isNullSeparated: false)
      var found: [String] = []
      while let name = names.next() { found.append(name) }
      #expect(found == ["a.sqlite", "b.sqlite"])
    }
  }

  /// Strings are equal whether é is one character or e with an accent; files of these names are two.
  @Test func `names that differ in their bytes are two stores`() throws {
    let (one, other) = ("\u{E9}.sqlite", "e\u{301}.sqlite")
    try #require(one == other)
    try withTemporaryFolder { folder in
      var names = try StoreNames([one, other, one], list: nil, isNullSeparated: false)
      var found: [[UInt8]] = []
      while let name = names.next() { found.append(Array(name.utf8)) }
      #expect(found == [Array(one.utf8), Array(other.utf8)])
      let report = folder.appending(path: "lines.jsonl")
      try Data("{\"store\": \"\(one)\", \"status\": \"migrated\"}\n".utf8).write(to: report)
      let done = try FleetSummary.finished(in: report.path) { $0.status == .migrated }
      #expect(done == [Array(one.utf8)])
    }
  }
}
