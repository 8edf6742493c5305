import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Reading a store's objects", .needsFixtures) struct QueryTests {
  static let bookmarks = "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite"
  static let books = "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"

  @Test func `as table, CSV and JSON, without a trace`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      let before = try place.snapshot()
      let query =
        "SELECT title, parent.title, children.@count FROM BookmarkEntity WHERE url == nil ORDER BY title DESC LIMIT 2"
      let table = try place.modelc("query", copy, query)
      #expect(
        table.stdout == """
          title           parent.title  children.@count
          --------------  ------------  ---------------
          favorites_root                              0
          bookmarks_root                              5
          2 rows

          """)
      let csv = try place.modelc("query", copy, query, "--format", "csv")
      #expect(csv.stdout == "title,parent.title,children.@count\nfavorites_root,,0\nbookmarks_root,,5\n")
      let lines = try place.modelc("query", copy, query, "--format", "jsonl")
      #expect(
        lines.stdout.hasPrefix(#"{"title":"favorites_root","parent.title":null,"children.@count":0}"# + "\n"))
      let json = try place.modelc("query", copy, query, "--format", "json")
      #expect(try JSONSerialization.jsonObject(with: Data(json.stdout.utf8)) as? [Any] != nil)
      let groups = try place.modelc("query", copy, "BookmarkEntity GROUP BY isFolder", "--format", "csv")
      #expect(groups.stdout == "isFolder,@count\nfalse,6\ntrue,4\n")
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a table fits the terminal`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      let run = try Modelc.run(
        "query", copy, "BookmarkEntity", in: place.folder, environment: ["COLUMNS": "72"])
      expectSuccess(run)
      #expect(run.stdout.split(separator: "\n").allSatisfy { $0.count <= 72 })
      // Too narrow for columns: a line for each value.
      let narrow = try Modelc.run(
        "query", copy, "BookmarkEntity LIMIT 2", in: place.folder, environment: ["COLUMNS": "40"])
      let lines = narrow.stdout.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 40 }, "\(narrow)")
      #expect(lines.count { $0.hasPrefix("object ") } == 2)
    }
  }

  @Test func `mistakes are refused`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      for (query, code) in [
        ("BookmarkEntity WHER a", "MC0101"), ("Bookmark", "MC1601"),
        ("BookmarkEntity WHERE titel == 1", "MC1601"),
        ("SELECT title, @count FROM BookmarkEntity", "MC1607"),
        ("BookmarkEntity WHERE title == $x", "MC1607"),
      ] { expectRefusal(try place.modelc("query", copy, query), code, exit: 1) }
    }
  }

  static let endless =
    "Page WHERE SUBQUERY(book.pages, $a, SUBQUERY($a.book.pages, $b, $b.number + $a.number == -1).@count > 0).@count > 0"

  @Test func `the plan says what takes long`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.books)
      let plan = try place.modelc("query", copy, "Feedback WHERE comment CONTAINS 'a'", "--explain")
      expectSuccess(plan)
      #expect(plan.stdout.contains("reads all of ZFEEDBACK: up to 444 rows"))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends a query, and leaves no trace`(_ signal: Int32)
    throws
  {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.books)
      let before = try place.snapshot()
      let process = Process()
      process.executableURL = Modelc.executable
      process.arguments = ["query", copy, Self.endless, "--quiet"]
      process.currentDirectoryURL = place.folder
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: 1)
      try #require(process.isRunning, "it was to go on for seconds")
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationStatus == 5)
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a damaged log is reported whatever the rows are written as`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "10", "-o", "a.sqlite", "-C", "P"))
      let queue = try DatabaseQueue(path: place.url("a.sqlite").path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        for number in 11...13 { try db.execute(sql: "UPDATE ZHUT SET Z_OPT = \(number)") }
      }
      for suffix in ["", "-wal"] {
        let (from, to) = (place.url("a.sqlite" + suffix), place.url("b.sqlite" + suffix))
        try FileManager.default.copyItem(at: from, to: to)
      }
      try queue.close()
      let log = try FileHandle(forUpdating: place.url("b.sqlite-wal"))
      try log.seek(toOffset: 32 + 24 + 4000)
      try log.write(contentsOf: Data("damage".utf8))
      try log.close()
      for format in ["table", "json"] {
        let run = try place.modelc("query", "b.sqlite", "Hut", "--format", format, "-C", "P")
        expectSuccess(run)
        #expect(run.stderr.contains("MC5301"), "\(run)")
      }
    }
  }
}
