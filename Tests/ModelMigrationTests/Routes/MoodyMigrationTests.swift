import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

@Suite("Moody, from version 1 to version 2", .needsFixtures)
struct MoodyMigrationTests {
  static let folder = "objcio+core-data/Migrations"

  private func moody() throws -> VersionedModel {
    let package = Fixtures.url("\(Self.folder)/Migrations/Moody.xcdatamodeld")
    return try #require(readXcodeModelPackage(at: package).model)
  }

  @Test func `the migrated store equals the one that Core Data migrated`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore("\(Self.folder)/MigrationsTests/Moody.moody", into: folder)
      let report = try migrateStore(
        at: store.path, models: [try moody()], options: MigrationOptions(targetVersion: "Moody 2"))
      #expect(report.plan.path == ["Moody", "Moody 2"])
      let genuine = try Fixtures.copyStore("\(Self.folder)/MigrationsTests/Moody 2.moody", into: folder)
      let query = """
        SELECT m.ZREMOTEID, m.ZRATING, m.ZMARKEDFORREMOTEDELETION, m.ZDATE, m.ZLATITUDE, m.ZLONGITUDE, m.ZCREATORID,
          m.ZMARKEDFORDELETIONDATE, m.ZCOLORS, c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE
        FROM ZMOOD m JOIN ZGEOGRAPHICREGION c ON m.ZCOUNTRY = c.Z_PK JOIN ZGEOGRAPHICREGION k ON c.ZCONTINENT = k.Z_PK
        ORDER BY 1
        """
      let mine = try DatabaseQueue(path: store.path).read { try Row.fetchAll($0, sql: query) }
      let theirs = try DatabaseQueue(path: genuine.path).read { try Row.fetchAll($0, sql: query) }
      #expect(mine.count == 4)
      #expect(mine == theirs)
    }
  }
}
