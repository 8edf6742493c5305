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
}
