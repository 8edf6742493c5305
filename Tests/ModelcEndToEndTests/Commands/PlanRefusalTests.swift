import Foundation
import GRDB
import TestSupport
import Testing

@Suite("What migrate would refuse, plan refuses") struct PlanRefusalTests {
  private static let isMounting: Bool = (try? withMedium("64k") { _ in true }) ?? false

  private static func withMedium<Result>(_ size: String, _ body: (URL) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let mount = try CommandOutput(of: ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path])
      guard mount.code == 0 else { throw CocoaError(.fileWriteUnknown) }
      defer { _ = try? CommandOutput(of: ["umount", folder.path]) }
      return try body(folder)
    }
  }

  @Test(.enabled(if: isMounting, "mounting is not permitted here"))
  func `too little room`() throws {
    try Workplace.withDemo { place, store in
      let bytes = try Data(contentsOf: place.url(store))
      try Self.withMedium("\(bytes.count * 3 / 2048)k") { medium in
        let copy = medium.appending(path: "Diary.sqlite").path
        try bytes.write(to: URL(filePath: copy))
        let plan = try place.modelc("plan", copy, "-C", "T")
        #expect(plan.errors == ["MC5306"] && plan.code == 6, "\(plan)")
        #expect(!plan.stderr.contains("next:"))
        let run = try place.modelc("migrate", copy, "-C", "T")
        #expect(run.errors == ["MC5306"] && run.code == 6, "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: medium.path) == ["Diary.sqlite"])
        printCase(12, "the disk is nearly full", "plan, migrate", "MC5306 from both, nothing written")
      }
    }
  }

  @Test(.needsPython) func `a log that is not the store's own, for every command`() throws {
    try Workplace.withDemo { place, store in
      let script = """
        import os, sqlite3, sys
        store, other = sys.argv[1:]
        c = sqlite3.connect(store, isolation_level=None); c.execute("PRAGMA journal_mode = DELETE")
        for i in range(30): c.execute("UPDATE ZHUT SET Z_OPT = Z_OPT + 1")
        c.execute("PRAGMA journal_mode = WAL"); c.close()
        c = sqlite3.connect(other, isolation_level=None); c.execute("PRAGMA journal_mode = WAL")
        c.execute("CREATE TABLE t (a)"); c.execute("INSERT INTO t SELECT randomblob(9000)")
        os.rename(other + "-wal", store + "-wal"); os._exit(0)
        """
      let made = try Python.run(["-c", script, place.url(store).path, place.url("other").path])
      #expect(made.code == 0, "\(made.text)")
      let before = try place.snapshot()
      for command in ["inspect", "plan", "migrate", "verify"] {
        let run = try place.modelc(command, store, "-C", "T")
        #expect(run.errors == ["MC5302"] && run.code == 6, "\(run)")
        #expect(run.stderr.contains("mv stores/Diary.sqlite-wal stores/Diary.sqlite-wal.aside"), "\(run)")
        #expect(!run.stderr.contains("next:"))
      }
      #expect(try place.snapshot() == before)
      printCase(
        13, "a log of another store beside the file", "every command", "MC5302 with the `mv` that fixes it")
      let aside = try CommandOutput(
        of: [
          "sh", "-c", "cd \(place.folder.path) && mv stores/Diary.sqlite-wal stores/Diary.sqlite-wal.aside",
        ])
      #expect(aside.code == 0)
      expectSuccess(try place.modelc("migrate", store, "-C", "T"))
    }
  }

  @Test func `every obstacle is named, and a refused plan promises nothing`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ attributes: String) -> String { "entities:\n  Hut: {attributes: {\(attributes)}}\n" }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version("name: string?, opened: string?"), to: "P/Models/App/V1.yaml")
      try place.write(version("name: string, phone: string, opened: date?"), to: "P/Models/App/V2.yaml")
      try place.write("", to: "stores/placeholder")
      try place.write("Hut:\n  p1: {name: a, opened: '1901'}\n  p2: {opened: 'long ago'}\n", to: "huts.yaml")
      expectSuccess(
        try place.modelc("fixture", "V1", "--objects", "huts.yaml", "-o", "stores/huts.sqlite", "-C", "P"))
      let before = try place.snapshot()
      for command in ["plan", "migrate"] {
        let run = try place.modelc(command, "stores/huts.sqlite", "-C", "P")
        #expect(run.errors == ["MC3101", "MC3101", "MC3103"], "\(run)")
        #expect(run.code == 1, "\(run)")
        for promise in ["starts empty", "  route  ", "  change ", "  back   ", "no longer optional"] {
          #expect(!run.stdout.contains(promise), "\(run)")
        }
      }
      let markdown = try place.modelc("plan", "stores/huts.sqlite", "-C", "P", "--format", "markdown")
      #expect(markdown.code == 1 && markdown.stdout.contains("MC3103"), "\(markdown)")
      #expect(
        !markdown.stdout.contains("#### Changes") && !markdown.stdout.contains("| change |"), "\(markdown)")
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a dry run without a temporary folder says which`() throws {
    try Workplace.withDemo { place, store in
      let run = try Modelc.run(
        "migrate", store, "--dry-run", "-C", "T", in: place.folder, environment: ["TMPDIR": "/nowhere"])
      expectRefusal(run, "MC5304", exit: 6)
      #expect(run.stderr.contains("no temporary folder can be made in '/nowhere'"), "\(run)")
      #expect(run.stderr.contains("no store was changed"), "\(run)")
    }
  }

  @Test func `a check without a temporary folder has tried no store, and is not green`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ more: String) -> String { "entities:\n  Hut: {attributes: {name: string?\(more)}}\n" }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version(""), to: "P/Models/App/V1.yaml")
      try place.write(version(", fax: string?"), to: "P/Models/App/V2.yaml")
      func check(_ arguments: String...) throws -> Modelc.Run {
        try Modelc.run(
          ["check", "-C", "P"] + arguments, in: place.folder, environment: ["TMPDIR": "/nowhere"])
      }
      let limited = try check("--max-seconds", "60", "--rows", "10")
      let error = "error[MC5304]: no temporary folder"
      #expect(limited.stdout.contains(error) && limited.code == 1, "\(limited)")
      expectSuccess(try place.modelc("release", "V1", "--fixture", "10", "-C", "P"))
      let kept = try check()
      #expect(kept.stdout.contains(error) && kept.code == 1, "\(kept)")
      #expect(!kept.stdout.contains("MC7009") && !kept.stdout.contains("rm "), "\(kept)")
    }
  }

  @Test func `a plan in Markdown names the options of the command`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ more: String) -> String { "entities:\n  Hut: {attributes: {name: string?\(more)}}\n" }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version(", fax: string?"), to: "P/Models/App/V1.yaml")
      try place.write(version(""), to: "P/Models/App/V2.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "30", "-o", "a.sqlite", "-C", "P"))
      let plan = try place.modelc("plan", "a.sqlite", "-C", "P", "--format", "markdown")
      #expect(plan.stdout.contains("--allow-loss MC3111"), "\(plan)")
    }
  }

  @Test func `what is derived does not begin empty`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ more: String) -> String { "entities:\n  Hut: {attributes: {name: string?\(more)}}\n" }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version(""), to: "P/Models/App/V1.yaml")
      try place.write(
        version(", plain: string?, folded: {type: string?, derivation: \"canonical:(name)\"}"),
        to: "P/Models/App/V2.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "9", "-o", "huts.sqlite", "-C", "P"))
      let plan = try place.modelc("plan", "huts.sqlite", "-C", "P")
      expectSuccess(plan)
      #expect(plan.stdout.contains("Hut.folded is computed\n"), "\(plan)")
      #expect(plan.stdout.contains("Hut.plain starts empty\n"), "\(plan)")
    }
  }
}
