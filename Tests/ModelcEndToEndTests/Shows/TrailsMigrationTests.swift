import Foundation
import GRDB
import TestSupport
import Testing

/// The sample's way from V1 to V6: renamed and added, computed, grouped, taken apart, folded, split out by a policy.
@Suite("Trails from V1 to V6") struct TrailsMigrationTests {
  private func withTrails(_ body: (Workplace, _ old: URL, _ new: URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("trails", to: place.url("T")) { folder in
        expectSuccess(try Modelc.run("demo", ".", in: folder))
      }
      try body(place, place.url("T/Diary.sqlite.V1.backup"), place.url("T/Diary.sqlite"))
    }
  }

  private func expectSameRows(_ sql: String, _ old: URL, _ new: URL) throws {
    let (before, after) = try (
      withStore(old) { try rows(sql, in: $0) }, withStore(new) { try rows(sql, in: $0) }
    )
    #expect(after == before)
  }

  @Test func `every trail has the region that it named, and each region stands once`() throws {
    try withTrails { _, old, new in
      let before = try withStore(old) { db in
        try rows("SELECT ZNAME, coalesce(ZREGION, 'Alps') FROM ZTRAIL ORDER BY Z_PK", in: db)
      }
      let after = try withStore(new) { db in
        try rows(
          "SELECT t.ZNAME, r.ZNAME FROM ZTRAIL t JOIN ZREGION r ON t.ZINREGION = r.Z_PK ORDER BY t.Z_PK",
          in: db)
      }
      #expect(before.count == 25 && after == before)
      let regions = try withStore(new) { db in
        try rows("SELECT ZNAME, ZCODE FROM ZREGION ORDER BY ZNAME", in: db)
      }
      #expect(regions == ["Alps|∅", "Engadin|GR", "Ticino|TI", "Vallais|VS"])
    }
  }

  @Test func `a stage says how hard it is, and keeps its trail and hut`() throws {
    try withTrails { _, old, new in
      let sql = "SELECT Z_PK, ZTITLE, ZTRAIL, ZHUT FROM ZSTAGE ORDER BY Z_PK"
      try expectSameRows(sql, old, new)
      let effort = try withStore(new) { db in
        try rows("SELECT count(*) FROM ZSTAGE WHERE abs(ZEFFORT - (ZLENGTH + ZASCENT / 100)) < 1e-9", in: db)
      }
      #expect(effort == ["125"])
    }
  }

  @Test func `huts leave the table that they shared with all that they had`() throws {
    try withTrails { _, old, new in
      let huts = "SELECT Z_PK, ZNAME, ZBEDS, ZELEVATION FROM ZHUT ORDER BY Z_PK"
      try expectSameRows(huts, old, new)
      let photos = "SELECT Z_PK, ZCAPTION, ZVISIT, Z_FOK_VISIT FROM ZPHOTO ORDER BY Z_PK"
      try expectSameRows(photos, old, new)
      let counts = try rowCounts(of: new)
      #expect(
        counts == ["Hut": 40, "Photo": 510, "Region": 4, "Stage": 125, "Trail": 25, "Visit": 300])
    }
  }

  @Test func `one command gives what one per step gives`() throws {
    try withTrails { place, old, new in
      try FileManager.default.copyItem(at: old, to: place.url("Step.sqlite"))
      for version in ["V2", "V3", "V4", "V5", "V6"] {
        expectSuccess(
          try place.modelc("migrate", "Step.sqlite", "--to", version, "--no-backup", "-C", "T"))
      }
      for name in ["one.yaml", "steps.yaml"] {
        let store = name == "one.yaml" ? "T/Diary.sqlite" : "Step.sqlite"
        expectSuccess(try place.modelc("export", store, "--as", "yaml", "-o", name, "-C", "T"))
      }
      let one = try Data(contentsOf: place.url("one.yaml"))
      #expect(try Data(contentsOf: place.url("steps.yaml")) == one)
      #expect(one.count > 100_000)
      expectSuccess(try place.modelc("verify", "T/Diary.sqlite", "-C", "T"))
    }
  }

  @Test func `a policy that this modelc does not have is told before anything is touched`() throws {
    try withTrails { place, old, _ in
      try FileManager.default.copyItem(at: old, to: place.url("Diary.sqlite"))
      try place.replace("RegionPolicy", with: "RegionPolice", in: "T/Migrations/Trails/V5-V6.yaml")
      let run = try place.modelc("migrate", "Diary.sqlite", "-C", "T")
      expectRefusal(run, "MC4201", exit: 1)
      #expect(run.stderr.contains("V5-V6.yaml:9:13: error[MC4201]"), "\(run.stderr)")
      // The sample's own policies are nobody's suggestion.
      #expect(!run.stderr.contains("RegionPolicy"), "\(run.stderr)")
      #expect(try Data(contentsOf: place.url("Diary.sqlite")) == Data(contentsOf: old))
      // It compiles all the same: compile need not have the policies.
      expectSuccess(try place.modelc("compile", "-C", "T"))
    }
  }
}
