import Foundation
import GRDB
import ManagedModel
import StoreRepair
import TestSupport
import Testing

@Suite("Columns that keep values in another form") struct ColumnAffinityTests {
  /// SQLite turns each number that is written into such a column back into what the column keeps.
  @Test(arguments: ["FLOAT", "VARCHAR"])
  func `repair takes no object for lost whose value can be read`(_ type: String) throws {
    try withTemporaryFolder { folder in
      let model = try writtenModel("entities:\n  Hut: {attributes: {beds: integer32}}\n")
      let huts = (1...3).map { ManagedObject("Hut", $0, values: ["beds": .integer($0 * 1000)]) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: huts)
      try store.write { db in
        try db.execute(
          sql: """
            ALTER TABLE ZHUT RENAME TO ZOLD;
            CREATE TABLE ZHUT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBEDS \(type));
            INSERT INTO ZHUT SELECT Z_PK, Z_ENT, Z_OPT, ZBEDS FROM ZOLD;
            DROP TABLE ZOLD
            """)
      }
      let plan = try repairStore(at: store.url.path, models: [model])
      #expect(plan.lost == 0, "\(plan.repairs)")
      #expect(try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZHUT") } == 3)
    }
  }
  @Test func `a date as a text is converted with its zone, and counted as lost without`() throws {
    try withTemporaryFolder { folder in
      let model = try writtenModel("entities:\n  Hut: {attributes: {built: date?}}\n")
      let store = try TestStore(
        in: folder, of: model.versions[0], objects: (1...3).map { ManagedObject("Hut", $0) })
      let texts = ["2001-01-01T01:00:00+01:00", "2001-01-01T00:00:00Z", "2001-01-01 00:00:00"]
      for (place, text) in texts.enumerated() {
        try store.write { db in
          try db.execute(sql: "UPDATE ZHUT SET ZBUILT = ? WHERE Z_PK = ?", arguments: [text, place + 1])
        }
      }
      var options = StoreRepairOptions()
      options.output = folder.appending(path: "Saved.sqlite").path
      let report = try repairStore(at: store.url.path, models: [model], options: options)
      #expect(report.lost == 1 && report.repairs.contains { $0.summary.hasPrefix("1 value of 'Hut.built'") })
      let saved = try TestStore(at: folder.appending(path: "Saved.sqlite")).read { db in
        try Int.fetchOne(db, sql: "SELECT SUM(ZBUILT = 0) FROM ZHUT WHERE ZBUILT IS NOT NULL")
      }
      #expect(saved == 2)
    }
  }
}
