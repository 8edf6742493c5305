import Foundation
import TestSupport
import Testing

@Suite("Stores as plain tables", .needsFixtures) struct PlainTableTests {
  @Test(.needsPython, arguments: ListedStore.withModel)
  func `SQLite and CSV hold what JSON Lines hold`(_ store: ListedStore) throws {
    let project = store.package == nil ? [] : ["-C", "T"]
    try Workplace.with(packages: store.package == nil ? [] : [GenuineModel.books.package]) { place in
      let copy = try place.copyStore(store.path)
      let before = try place.snapshot()
      for (form, output) in [("jsonl", "o.jsonl"), ("sqlite", "o.db"), ("csv", "o"), ("views", "o.sql")] {
        expectSuccess(
          try Modelc.run(["export", copy, "--as", form, "-o", output] + project, in: place.folder))
      }
      #expect(try place.snapshot() == before)
      let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scripts/plain-tables.py")
      let paths = ["o.jsonl", "o.db", "o"].map { place.url($0).path }
      let judged = try Python.run([script.path] + paths)
      #expect(judged.code == 0, "\(judged.text)")
      let views = """
        import sqlite3, sys
        db = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro&immutable=1", uri=True)
        db.executescript(open(sys.argv[2]).read())
        for name, in db.execute("SELECT name FROM sqlite_temp_master"):
          db.execute('SELECT * FROM "' + name + '"').fetchall()
        """
      let read = try Python.run(["-c", views, place.url(copy).path, place.url("o.sql").path])
      #expect(read.code == 0, "\(read.text)")
    }
  }

  @Test func `what is there stays, and a name of one letter is one`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(ListedStore.withModel[1].path)
      try place.write("mine", to: "o")
      for form in ["sqlite", "csv", "views"] {
        expectRefusal(try place.modelc("export", copy, "--as", form, "-o", "o"), "MC0012", exit: 2)
      }
      #expect(try String(contentsOf: place.url("o"), encoding: .utf8) == "mine")
      expectSuccess(try place.modelc("export", copy, "--as", "sqlite", "-o", "x"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted() == [
          "o", "stores", "x",
        ])
    }
  }
}
