import Foundation
import GRDB
import TestSupport
import Testing

/// A14 of `acceptance.md`.
@Suite("A14: old backups in one folder") struct OldBackupsTests {
  @Test func `stores of three versions reach the last as step by step, each in one swap, a bad one aside`()
    throws
  {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("trails", to: place.url("T")) { folder in
        expectSuccess(try Modelc.run("demo", ".", in: folder))
      }
      let files = FileManager.default
      for name in ["old", "steps"] {
        try files.createDirectory(at: place.url(name), withIntermediateDirectories: true)
      }
      let versions = ["V1", "V3", "V5"]
      for version in versions {
        expectSuccess(
          try place.modelc("fixture", version, "-o", "old/\(version).sqlite", "--rows", "60", "-C", "T"))
        try files.copyItem(
          at: place.url("old/\(version).sqlite"), to: place.url("steps/\(version).sqlite"))
      }
      let bad = Data("no store".utf8)
      try bad.write(to: place.url("old/bad.sqlite"))

      let run = try Modelc.run(
        ["migrate", "-C", "T", "--jobs", "2", "--allow-loss", "MC3111", "old/bad.sqlite"]
          + versions.map { "old/\($0).sqlite" }, in: folder)
      #expect(run.code == 3, "\(run)")
      #expect(run.stdout.contains(#/failed +old\/bad\.sqlite  MC5001/#), "\(run)")
      #expect(run.stderr.contains("3 migrated, 0 already current, 1 failed"), "\(run)")
      #expect(try Data(contentsOf: place.url("old/bad.sqlite")) == bad)
      // One backup each, of the version that it had: nothing stood in its place between.
      let backups = versions.map { "\($0).sqlite.\($0).backup" }
      #expect(
        try Set(files.contentsOfDirectory(atPath: place.url("old").path))
          == Set(["bad.sqlite"] + versions.map { "\($0).sqlite" } + backups))

      expectSuccess(
        try Modelc.run(
          ["migrate", "-C", "T", "--chain", "stepwise", "--no-backup", "--allow-loss", "MC3111"]
            + versions.map { "steps/\($0).sqlite" }, in: folder))
      for version in versions {
        let (once, stepwise) = try (
          content(place.url("old/\(version).sqlite")), content(place.url("steps/\(version).sqlite"))
        )
        #expect(once == stepwise && once.count > 60, "\(version)")
      }
    }
  }

  /// Every row of every table of the model.
  private func content(_ store: URL) throws -> [String] {
    try withStore(store) { db in
      let tables = try rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z*' "
          + "AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE') ORDER BY name", in: db)
      return try tables.flatMap { table -> [String] in
        // A table that was altered has its columns in another order than one that was made.
        let columns = try rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name", in: db)
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return try rows("SELECT \(list) FROM \"\(table)\" ORDER BY \(list)", in: db).map { "\(table)|\($0)" }
      }
    }
  }
}
