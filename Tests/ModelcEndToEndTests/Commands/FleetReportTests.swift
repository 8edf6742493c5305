import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc fleet report") struct FleetReportTests {
  private struct Report: Decodable {
    struct Step: Decodable, Equatable { var from, to: String; var count: Int }
    struct Failure: Decodable, Equatable { var code: String; var count: Int; var examples: [String] }
    var stores, migrated, current, failed, unreadableLines, bytes: Int
    var steps: [Step]
    var failures: [Failure]
  }

  @Test func `lines of several shares, one of them cut off, with a store that was tried again`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func line(_ store: String, _ status: String, _ more: String = "") -> String {
        #"{"status":"\#(status)","exit":0,"store":"\#(store)"\#(more.isEmpty ? "" : ",")\#(more)}"# + "\n"
      }
      let step = #""from":"V1","to":"V3","seconds":0.5,"bytes":1000"#
      let error = #""diagnostics":[{"code":"MC5001","severity":"error","message":"no store"}]"#
      try place.write(
        line("a", "migrated", step) + line("b", "failed", error) + line("c\\u001b[31m", "failed", error)
          + #"{"status":"migr"#, to: "1")
      try place.write(
        line("a", "current") + line("b", "migrated", step) + line("d", "current") + "\n\nnull\n", to: "2")
      let run = try place.modelc("fleet", "report", "1", "2", "--format", "json")
      #expect(run.code == 1)
      let report: Report = try run.decoded()
      let numbers: [Int] = [
        report.stores, report.migrated, report.current, report.failed, report.unreadableLines, report.bytes,
      ]
      #expect(numbers == [4, 2, 1, 1, 2, 2000])
      #expect(report.steps == [.init(from: "V1", to: "V3", count: 2)])
      #expect(report.failures == [.init(code: "MC5001", count: 1, examples: ["c\u{1B}[31m"])])
      let text = try place.modelc("fleet", "report", "1", "2")
      #expect(
        text.stdout.contains("4 stores: 2 migrated, 1 already current, 1 failed")
          && !text.stdout.contains("\u{1B}[31m"))
      try place.write(line("<script>alert(1)</script>\\u001b[31m", "failed", error), to: "4")
      let page = try place.modelc("fleet", "report", "1", "2", "4", "--format", "html").stdout
      #expect(page.contains("5 stores: 2 migrated, 1 already current, 2 failed"))
      #expect(
        page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>") && !page.contains("\u{1B}"))
      try place.write("nothing\n", to: "3")
      expectRefusal(try place.modelc("fleet", "report", "3"), "MC0009", exit: 2)
      expectRefusal(try place.modelc("fleet", "report", "none"), "MC0009", exit: 2)
      try place.write("", to: "empty.txt")
      let idle = try place.modelc("verify", "--list", "empty.txt")
      #expect(idle.code == 0 && idle.stderr.contains("0 stores: nothing to do, in "), "\(idle)")
      expectSuccess(try place.modelc("fleet", "report", "2"))
    }
  }

  /// Somebody has the first store until the second one is done.
  @Test func `a store that is in use is tried again behind all others`() throws {
    try Workplace.withSample { place in
      for name in ["a", "b"] {
        expectSuccess(try place.modelc("fixture", "V1", "--rows", "10", "-o", "\(name).sqlite", "-C", "P"))
      }
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let queue = try DatabaseQueue(path: place.url("a.sqlite").path, configuration: configuration)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
      let second = place.url("b.sqlite")
      let before = try Data(contentsOf: second)
      let holder = DispatchQueue(label: "holder")
      holder.async {
        for _ in 0..<3_000 where (try? Data(contentsOf: second)) == before { usleep(10_000) }
        try? queue.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        try? queue.close()
      }
      let run = try place.modelc(
        "migrate", "a.sqlite", "b.sqlite", "--jobs", "1", "--allow-loss", "MC3111", "-C", "P", "--no-backup")
      holder.sync {}
      #expect(run.code == 0 && run.stdout.contains("b.sqlite"), "\(run)")
      let order = run.stdout.split(separator: "\n").filter { $0.hasPrefix("migrated") }.map {
        $0.contains("a.sqlite")
      }
      #expect(order == [false, true], "\(run)")
    }
  }

  @Test func `a store of the current version that got its indexes is not called current`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "P/Models/App/versions.yaml")
      let attributes = "attributes: {beds: integer16 = 0}, fetchIndexes: {big: {elements: [beds]}}"
      try place.write("entities:\n  Hut: {\(attributes)}\n", to: "P/Models/App/V1.yaml")
      for name in ["a.sqlite", "b.sqlite"] {
        expectSuccess(try place.modelc("fixture", "V1", "--rows", "3", "-o", name, "-C", "P"))
      }
      try edit(place.url("a.sqlite")) { try $0.execute(sql: "DROP INDEX Z_Hut_big") }
      let plan = try place.modelc("plan", "a.sqlite", "--apply-indexes", "-C", "P", "--format", "markdown")
      #expect(plan.code == 0 && !plan.stdout.contains("Nothing to do"), "\(plan)")
      let run = try place.modelc(
        "migrate", "a.sqlite", "b.sqlite", "--jobs", "1", "--apply-indexes", "-C", "P")
      #expect(run.code == 0 && run.stderr.contains("1 migrated, 1 already current"), "\(run)")
    }
  }

  /// A list that `find -print0` wrote, read as lines, is one name; C would see its beginning alone.
  @Test func `a name with a zero byte is refused, and no other store is taken for it`() throws {
    try Workplace.withSample { place in
      for name in ["a", "b"] {
        expectSuccess(try place.modelc("fixture", "V1", "--rows", "10", "-o", "\(name).sqlite", "-C", "P"))
      }
      let before = try Data(contentsOf: place.url("a.sqlite"))
      try place.write("a.sqlite\0b.sqlite\0", to: "list")
      let migrate = ["migrate", "--list", "list", "--allow-loss", "MC3111", "-C", "P"]
      let lines = try Modelc.run(migrate, in: place.folder)
      #expect(lines.code == 2 && lines.stdout.contains("MC0009"), "\(lines)")
      #expect(try Data(contentsOf: place.url("a.sqlite")) == before)
      let names = try Modelc.run(migrate + ["-0"], in: place.folder)
      expectSuccess(names)
      // No progress where nobody sees it drawn over.
      #expect(!names.stderr.contains("\u{1B}") && !names.stderr.contains("done"))
      #expect(try Data(contentsOf: place.url("a.sqlite")) != before)
      // A line that is too long is a failure like another one.
      try place.write(String(repeating: "x", count: 200_000) + "\na.sqlite\n", to: "list")
      let long = try Modelc.run(migrate, in: place.folder)
      #expect(long.code == 2 && long.stdout.contains("current"), "\(long)")
    }
  }

  /// On a terminal lines are drawn for the stores that go on; they are gone at the end, and whatever a name holds steers nothing.
  @Test(.enabled(if: Python.isPresent)) func `a terminal sees how far the stores are`() throws {
    try Workplace.withSample { place in
      let evil = "b\u{1B}[2J.sqlite"
      for name in ["a.sqlite", evil] {
        expectSuccess(try place.modelc("fixture", "V1", "--rows", "400", "-o", name, "-C", "P"))
      }
      func run(_ more: String...) throws -> String {
        let arguments = ["migrate", "a.sqlite", evil, "--jobs", "2", "-C", "P"] + more
        let script = "import os, pty, sys; os.chdir(sys.argv[1]); pty.spawn(sys.argv[2:])"
        return try Python.run(["-c", script, place.folder.path, Modelc.executable.path] + arguments).text
      }
      let text = try run()
      #expect(text.contains("0 done, 0 failed of 2") && text.contains("  plan  "), "\(text)")
      #expect(!text.contains("\u{1B}[2J") && text.contains("2 stores: 2 migrated"), "\(text)")
      // Each drawing is erased before the next one.
      let lines = text.components(separatedBy: "\u{1B}[?7l").count - 1
      #expect(text.components(separatedBy: "\u{1B}[?7h\r\u{1B}[K").count - 1 == lines, "\(text)")
      for others in [try run("--quiet"), try run("--format", "json")] {
        #expect(!others.contains("\u{1B}[?7l"))
      }
    }
  }

  @Test func `a file of results that takes nothing is said`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "10", "-o", "a.sqlite", "-C", "P"))
      let run = try place.modelc(
        "migrate", "a.sqlite", "--report", "jsonl=/dev/full", "--allow-loss", "MC3111", "-C", "P")
      #expect(run.code != 0 && run.stderr.contains("'--report' cannot be written"), "\(run)")
    }
  }

  /// Stores that only commands reach: each comes as a file, and goes back with its backup.
  @Test func `stores are fetched, worked on and taken back`() throws {
    try Workplace.withSample { place in
      for (seed, name) in ["a b", "it's", "bad"].enumerated() {
        let store = "far/\(name).sqlite"
        try place.write("", to: "far/.keep")
        expectSuccess(
          try place.modelc("fixture", "V1", "--rows", "10", "--seed", "\(seed)", "-o", store, "-C", "P"))
      }
      try place.write("no store", to: "far/bad.sqlite")
      try place.write("far/a b.sqlite\nfar/it's.sqlite\nfar/bad.sqlite\nfar/none.sqlite\n", to: "list")
      let before = try Data(contentsOf: place.url("far/it's.sqlite"))
      let list = ["--list", "list", "--jobs", "2", "--memory", "1G", "-C", "P", "--fetch", "cp {} {file}"]
      struct Line: Decodable { var status, store: String; var exit: Int }
      func lines(_ command: [String]) throws -> [String: String] {
        let run = try Modelc.run(command + list + ["--report", "jsonl"], in: place.folder)
        let lines = try run.stdout.split(separator: "\n").map {
          try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(!run.stdout.contains("modelc-store-"), "the name of a file that is gone: \(run.stdout)")
        return Dictionary(lines.map { (($0.store as NSString).lastPathComponent, $0.status) }) { $1 }
      }
      func ends(as status: String) -> [String: String] {
        ["a b.sqlite": status, "it's.sqlite": status, "bad.sqlite": "failed", "none.sqlite": "failed"]
      }
      #expect(try lines(["verify"]) == ends(as: "verified"))
      #expect(try lines(["inspect"]) == ends(as: "inspected"))
      #expect(try lines(["export", "--as", "csv", "-o", "out"]) == ends(as: "exported"))
      #expect(FileManager.default.fileExists(atPath: place.url("out/far/it's.sqlite.csv/Hut.csv").path))
      let migrate = ["migrate", "--allow-loss", "MC3111"]
      #expect(try lines(migrate + ["--dry-run"]) == ends(as: "tried"))
      // What cannot be taken back is a failure, and what lies there stays.
      #expect(try Set(lines(migrate + ["--put", "false {file} {}"]).values) == ["failed"])
      #expect(try Data(contentsOf: place.url("far/it's.sqlite")) == before)
      #expect(try lines(migrate + ["--put", "cp {file} {}"]) == ends(as: "migrated"))
      #expect(try Data(contentsOf: place.url("far/it's.sqlite.V1.backup")) == before)
      #expect(try Data(contentsOf: place.url("far/it's.sqlite")) != before)
      #expect(try lines(migrate + ["--put", "cp {file} {}"]) == ends(as: "current"))
      for name in ["-x", "--", "a'; touch pwned; '"] {
        try place.write(name + "\n", to: "list")
        let run = try place.modelc("verify", "--list", "list", "--fetch", "cp {} {file}")
        #expect(run.code != 0 && run.stdout.hasPrefix("failed"), "\(run)")
      }
      #expect(!FileManager.default.fileExists(atPath: place.url("pwned").path))
      for options in [["--put", "cp {file} {}"], ["--fetch", "cp {}"], ["--fetch", "cp {} {file}"]] {
        #expect(try Modelc.run(["migrate", "far/a b.sqlite"] + options, in: place.folder).code == 2)
      }
    }
  }

  @Test func `an export of several stores counts what it does not write`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "10", "-o", "a.sqlite", "-C", "P"))
      try DatabaseQueue(path: place.url("a.sqlite").path).write { db in
        try db.execute(sql: "UPDATE ZHUT SET Z_ENT = 77 WHERE Z_PK = 1")
      }
      try place.write("a.sqlite\n", to: "list")
      // Views are written without a look at the rows.
      for (form, isCounted) in [("csv", true), ("jsonl", true), ("views", false)] {
        let run = try place.modelc("export", "--as", form, "--list", "list", "-o", "out", "-C", "P")
        expectSuccess(run)
        #expect(run.stdout.contains(" warning") == isCounted, "\(run)")
      }
    }
  }
}
