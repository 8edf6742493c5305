import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct `Verifying a store` {
  @Test func `A sound store has no findings, and everything was looked at`() throws {
    let hike = try verify(SampleModels.hiking, Hike.objects)
    #expect(summaries(hike) == [])
    #expect(hike.yardstick == .version(RecognisedVersion(modelName: "Model", versionName: "V1")))
    #expect(hike.extent.objects == Hike.objects.count)
    #expect(hike.extent.tables == 6 && hike.extent.joinTables == 3)
    #expect(hike.extent.references > 10 && hike.extent.rules > 30)
    #expect(hike.entities.map { "\($0.name) \($0.rows)" }.contains("Summit 2"))
    #expect(summaries(try verify(RuleDefects.model, RuleDefects.objects)) == [])
    #expect(summaries(try verify(SampleModels.everyType, [Everything.object])) == [])
  }

  @Test(arguments: HikeDefects.all)
  func `A planted defect is found, and nothing else`(_ defect: PlantedDefect) throws {
    #expect(summaries(try verify(SampleModels.hiking, Hike.objects, defect.sql)) == defect.findings)
  }

  @Test(arguments: RuleDefects.all)
  func `A broken rule is found, and nothing else`(_ defect: PlantedDefect) throws {
    #expect(summaries(try verify(RuleDefects.model, RuleDefects.objects, defect.sql)) == defect.findings)
  }

  @Test func `A rule that SQL cannot ask is named`() throws {
    var model = RuleDefects.model
    model.entities[1].attributes[0].validation.predicates = [
      ValidationPredicate(predicate: "FUNCTION(SELF, 'isNice') == TRUE", warning: "")
    ]
    #expect(summaries(try verify(model, [])) == ["MC6117 information"])
  }

  @Test func `Values are shown to those who ask`() throws {
    let sql = "UPDATE ZROUTE SET ZTITLE = 'secret plan' WHERE Z_PK = 1"
    let silent = try verify(RuleDefects.model, RuleDefects.objects, sql)
    let open = try verify(
      RuleDefects.model, RuleDefects.objects, sql, options: VerificationOptions(showsValues: true))
    #expect(silent.findings.count == 1 && open.findings.count == 1)
    func notes(_ verification: Verification) -> String {
      verification.findings.flatMap(\.diagnostic.notes).map(\.message).joined()
    }
    #expect(!notes(silent).contains("secret"))
    #expect(notes(open).contains("1: 'secret plan'"))
  }

  @Test func `Three keys of a group of duplicates are listed, with their number`() throws {
    let sql = "DROP INDEX Z_Place_UNIQUE_name; UPDATE ZPLACE SET ZNAME = 'Alp' WHERE Z_PK <= 4"
    let found = try verify(SampleModels.hiking, Hike.objects, sql).findings.map(\.diagnostic)
    let notes = found.filter { $0.code == .constraintConflict }.flatMap(\.notes).map(\.message)
    #expect(notes == ["primary keys 1, 2, 3, … (4 in all) have the same values"])
  }

  @Test func `A damaged file is found, and nothing else is asked of it`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Damaged.sqlite")
      let queue = try DatabaseQueue(path: file.path)
      var page: Int?
      try queue.writeWithoutTransaction { db in
        _ = try createStore(
          in: db, version: ModelVersion(name: "V1", model: SampleModels.hiking), objects: Hike.objects)
        page = try Int.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZVISIT_ZHUT_INDEX'")
        _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try queue.close()
      let root = try #require(page)
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: UInt64((root - 1) * 4096))
      try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
      try handle.close()
      try DatabaseQueue(path: file.path).read { db in
        let verification = try verifyStore(db, name: "Damaged.sqlite", path: file.path, among: [])
        #expect(verification.findings.map(\.diagnostic.code) == [.malformedStore])
        #expect(verification.yardstick == nil)
      }
    }
  }

  @Test func `A store of no version is held against its own model, and without one refused`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, _, file in
      let other = VersionedModel(
        name: "Other", versions: [ModelVersion(name: "V1", model: SampleModels.everyType)],
        currentVersionName: "V1")
      let own = try verifyStore(db, name: "New.sqlite", path: file.path, among: [other])
      #expect(own.yardstick == .storeModel)
      #expect(own.findings.map(\.diagnostic.code) == [.recognisedByOwnModel])
      #expect(!own.hasErrors)
      try db.execute(sql: "DELETE FROM Z_MODELCACHE")
      let none = try verifyStore(db, name: "New.sqlite", path: file.path, among: [other])
      #expect(none.yardstick == nil)
      #expect(none.findings.map(\.diagnostic.code) == [.storeUnrecognised])
    }
  }

  @Test(.needsFixtures) func `Genuine stores have no findings`() throws {
    var extent = Verification.Extent()
    for store in GenuineStore.withModelCache {
      try withTemporaryFolder { folder in
        let path = try Fixtures.copyStore(store.path, into: folder).path
        let connection = try StoreConnection(path: path)
        let verification = try connection.read { db in
          try verifyStore(
            db, name: path, path: path, among: [], options: VerificationOptions(integrityCheck: .full))
        }
        try connection.close()
        #expect(summaries(verification) == [], "\(store)")
        #expect(verification.extent.objects > 0)
        extent.tables += verification.extent.tables
        extent.joinTables += verification.extent.joinTables
        extent.columns += verification.extent.columns
        extent.indexes += verification.extent.indexes
        extent.objects += verification.extent.objects
        extent.references += verification.extent.references
        extent.rules += verification.extent.rules
      }
    }
    print("genuine stores verified: \(GenuineStore.withModelCache.count), \(extent)")
    #expect(extent.tables == 37 && extent.joinTables == 2 && extent.columns == 362)
    #expect(extent.objects == 6_000 && extent.references == 5_485)
  }

  private func verify(
    _ model: ManagedObjectModel, _ objects: [ManagedObject], _ defect: String? = nil,
    options: VerificationOptions = VerificationOptions()
  ) throws -> Verification {
    try withNewStore(of: model, objects: objects) { db, _, file in
      if let defect {
        try withTriggersDisabled(on: db) { try db.execute(sql: defect) }
        db.clearSchemaCache()
      }
      let version = VersionedModel(
        name: "Model", versions: [ModelVersion(name: "V1", model: model)], currentVersionName: "V1")
      return try verifyStore(db, name: "New.sqlite", path: file.path, among: [version], options: options)
    }
  }

  private func summaries(_ verification: Verification) -> [String] {
    verification.findings.map { finding in
      let count = finding.count.map { " \($0)" } ?? ""
      let keys = finding.primaryKeys.isEmpty ? "" : " \(finding.primaryKeys)"
      return "\(finding.diagnostic.code) \(finding.diagnostic.severity)\(count)\(keys)"
    }
  }
}
