import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("Moody, with the mapping models of its own", .needsFixtures)
struct MoodyCustomTests {
  private func migrate(_ store: TestStore, to version: Int, chain: ChainRule = .auto) throws
    -> MigrationReport
  {
    try migrateStore(
      at: store.url.path, models: [try MoodyChain.model()],
      options: MigrationOptions(
        targetVersion: MoodyChain.names[version - 1], acceptedLosses: [.droppedData], keepsBackup: false,
        chain: chain),
      custom: try MoodyChain.custom())
  }

  @Test(arguments: 1...4)
  func `a step gives the objects that Core Data made`(version: Int) throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(version, in: folder)
      let report = try migrate(store, to: version + 1)
      #expect(report.plan.steps.map(\.isInferred) == [version == 1])
      let genuine = try MoodyChain.store(version + 1, in: folder)
      let mine = try MoodyChain.portrait(store, version: version + 1)
      #expect(mine == (try MoodyChain.portrait(genuine, version: version + 1)))
      #expect(mine.count == (version < 4 ? 9 : 7))
    }
  }

  @Test func `the policy makes one continent for each code, and relates the countries`() throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(5, in: folder)
      let wanted = try store.read { db in
        try String.fetchAll(
          db, sql: "SELECT ZISOCONTINENT || ' ' || ZNUMERICISO3166CODE FROM ZCOUNTRY ORDER BY 1")
      }
      let report = try migrate(store, to: 6)
      #expect(report.objects == 9)
      let rows = try store.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT k.ZNUMERICISO3166CODE || ' ' || c.ZNUMERICISO3166CODE FROM ZCOUNTRY c
            JOIN ZCONTINENT k ON c.ZCONTINENT = k.Z_PK ORDER BY 1
            """)
      }
      #expect(rows == ["10004 231", "10004 710", "10005 704"] && rows == wanted)
      let codes = try store.read {
        try Int.fetchAll($0, sql: "SELECT ZNUMERICISO3166CODE FROM ZCONTINENT ORDER BY 1")
      }
      #expect(codes == [10004, 10005])
    }
  }

  @Test func `the whole way at once gives what the steps give, in one swap`() throws {
    try withTemporaryFolder { folder in
      let once = try MoodyChain.store(1, in: folder)
      let stepwise = try once.copy(named: "Stepwise.moody")
      let uuid = try once.read { try String.fetchOne($0, sql: "SELECT Z_UUID FROM Z_METADATA") }
      let report = try migrate(once, to: 6)
      #expect(report.plan.segments.map(\.isInferred) == [true, false, false, false, false])
      #expect(report.destination == once.url.path && report.backup == nil)
      for version in 2...6 { _ = try migrate(stepwise, to: version) }
      #expect(try MoodyChain.portrait(once, version: 6).count == 9)
      #expect(try MoodyChain.portrait(once, version: 6) == MoodyChain.portrait(stepwise, version: 6))
      #expect(try once.read { try String.fetchOne($0, sql: "SELECT Z_UUID FROM Z_METADATA") } == uuid)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.contains(".modelc-")
      }
      #expect(left.isEmpty)
    }
  }

  @Test func `a country without a continent keeps none, on to version 6`() throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(4, in: folder)
      try store.write { db in
        try db.execute(sql: "UPDATE ZCOUNTRY SET ZCONTINENT = NULL WHERE ZNUMERICISO3166CODE = 710")
      }
      let middle = try store.copy(named: "Five.moody")
      _ = try migrate(middle, to: 5)
      let nils = try middle.read { db in
        try Int.fetchAll(
          db, sql: "SELECT ZNUMERICISO3166CODE FROM ZCOUNTRY WHERE ZISOCONTINENT IS NULL")
      }
      #expect(nils == [710])
      _ = try migrate(store, to: 6)
      let codes = try store.read {
        try Int.fetchAll($0, sql: "SELECT ZNUMERICISO3166CODE FROM ZCONTINENT ORDER BY 1")
      }
      #expect(codes == [10004, 10005])
      let alone = try store.read {
        try Int.fetchAll($0, sql: "SELECT ZNUMERICISO3166CODE FROM ZCOUNTRY WHERE ZCONTINENT IS NULL")
      }
      #expect(alone == [710])
    }
  }

  @Test func `what Xcode's mapping models leave out is meant, and told`() throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(4, in: folder)
      let plan = try planMigration(
        ofStoreAt: store.url.path, models: [try MoodyChain.model()],
        options: MigrationOptions(targetVersion: MoodyChain.names[4]), custom: try MoodyChain.custom())
      #expect(!plan.isBlocked, "\(plan.diagnostics)")
      #expect(plan.losses.contains { $0.entity == "Continent" })
      #expect(plan.losses.allSatisfy { $0.isAcknowledged })
    }
  }

  @Test func `primary keys stay where one table's rows go to one table`() throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(2, in: folder)
      let keys = "SELECT Z_PK FROM ZMOOD ORDER BY ZREMOTEID"
      let before = try store.read { try Int64.fetchAll($0, sql: keys) }
      _ = try migrate(store, to: 6)
      #expect(try store.read { try Int64.fetchAll($0, sql: keys) } == before)
    }
  }

  @Test func `the store is left alone where the result goes to a file of its own`() throws {
    try withTemporaryFolder { folder in
      let store = try MoodyChain.store(2, in: folder)
      let before = try Data(contentsOf: store.url)
      let output = folder.appending(path: "Six.moody").path
      _ = try migrateStore(
        at: store.url.path, models: [try MoodyChain.model()], to: .file(output),
        options: MigrationOptions(acceptedLosses: [.droppedData]), custom: try MoodyChain.custom())
      #expect(try Data(contentsOf: store.url) == before)
      let six = try MoodyChain.portrait(TestStore(at: URL(filePath: output)), version: 6)
      #expect(six.count == 9)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
          !$0.contains(".modelc-")
        })
    }
  }
}
