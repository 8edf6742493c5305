import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A store of Moody migrates to Moody 2 as Core Data migrated it", .needsFixtures)
struct MoodyMigrationTests {
  static let store = GenuineModel.moody.stores[0].path
  static let genuine = Fixtures.url(GenuineModel.moody.stores[1].path)

  /// Runs the body on the migrated store, with the record of the run.
  private func withMigratedStore(
    _ body: (_ place: Workplace, _ path: String, _ record: MigrationRecord) throws -> Void
  ) throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(Self.store)
      let run = try place.modelc("migrate", path, "-C", "T", "--to", "Moody 2", "--format", "json")
      expectSuccess(run)
      #expect(run.stderr.isEmpty)
      try body(place, path, try run.decoded())
    }
  }

  @Test func `every value equals the genuine store's, by remote ID and ISO code`() throws {
    let moods = """
      SELECT m.ZREMOTEID, m.ZRATING, m.ZMARKEDFORREMOTEDELETION, m.ZDATE, m.ZLATITUDE, m.ZLONGITUDE, m.ZCREATORID,
        m.ZMARKEDFORDELETIONDATE, m.ZCOLORS, c.ZNUMERICISO3166CODE
      FROM ZMOOD m LEFT JOIN ZGEOGRAPHICREGION c ON m.ZCOUNTRY = c.Z_PK ORDER BY m.ZREMOTEID
      """
    // Objects that the app created anew after its migration may differ in their keys, never in what they say.
    let regions = """
      SELECT e.Z_NAME, r.ZNUMERICISO3166CODE, r.ZNUMBEROFMOODS, r.ZUNIQUENESSDUMMY, r.ZMARKEDFORDELETIONDATE,
        r.ZUPDATEDAT, r.ZNUMBEROFCOUNTRIES, k.ZNUMERICISO3166CODE
      FROM ZGEOGRAPHICREGION r JOIN Z_PRIMARYKEY e ON e.Z_ENT = r.Z_ENT
        LEFT JOIN ZGEOGRAPHICREGION k ON r.ZCONTINENT = k.Z_PK
      ORDER BY e.Z_NAME, r.ZNUMERICISO3166CODE
      """
    try withMigratedStore { place, path, _ in
      for (query, count) in [(moods, 4), (regions, 5)] {
        let mine = try withStore(place.url(path)) { try rows(query, in: $0) }
        let theirs = try withStore(Self.genuine) { try rows(query, in: $0) }
        #expect(mine == theirs)
        #expect(mine.count == count)
      }
    }
  }

  @Test func `the attribute is renamed, the new one has its default, and everybody is there`() throws {
    try withMigratedStore { place, path, record in
      try withStore(place.url(path)) { db in
        let columns = try db.columns(in: "ZMOOD").map(\.name)
        #expect(columns.contains("ZREMOTEID"))
        #expect(!columns.contains("ZREMOTEIDENTIFIER"))
        #expect(try Int.fetchAll(db, sql: "SELECT ZRATING FROM ZMOOD") == [0, 0, 0, 0])
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(ZREMOTEID) FROM ZMOOD") == 4)
      }
      #expect(try rowCounts(of: place.url(path)) == ["Mood": 4, "Country": 3, "Continent": 2])
      #expect(record.counts?.filter { $0.value > 0 } == ["Mood": 4, "Country": 3, "Continent": 2])
      #expect(record.from == "Moody" && record.to == "Moody 2")
      #expect(record.steps.map(\.mapping) == ["inferred"])
      #expect(record.losses.isEmpty)
    }
  }

  @Test func `primary keys are kept`() throws {
    let query = "SELECT Z_PK, Z_ENT, ZCOUNTRY, ZDATE FROM ZMOOD ORDER BY 1"
    let regions = "SELECT Z_PK, Z_ENT, ZCONTINENT, ZNUMERICISO3166CODE FROM ZGEOGRAPHICREGION ORDER BY 1"
    try withMigratedStore { place, path, _ in
      for query in [query, regions] {
        let after = try withStore(place.url(path)) { try rows(query, in: $0) }
        #expect(try withStore(Fixtures.url(Self.store)) { try rows(query, in: $0) } == after)
      }
    }
  }

  @Test func `hashes are the genuine ones, the UUID and the app's own key the old ones`() throws {
    try withMigratedStore { place, path, _ in
      #expect(try versionHashes(of: place.url(path)) == versionHashes(of: Self.genuine))
      let uuid = "SELECT Z_UUID, Z_VERSION FROM Z_METADATA"
      #expect(
        try withStore(place.url(path)) { try rows(uuid, in: $0) }
          == withStore(Fixtures.url(Self.store)) { try rows(uuid, in: $0) })
      let key = "io.objc.Moody.CloudKitUserID"
      let user = try withStore(place.url(path)) { try metadata(in: $0)[key] as? String }
      #expect(user == "_62a0ed0ad3b375fc9ec7fdf66dfd9c63")
      #expect(try withStore(Fixtures.url(Self.store)) { try metadata(in: $0)[key] as? String } == user)
    }
  }

  @Test func `inspect names Moody 2 and the backup is byte for byte the old store`() throws {
    try withMigratedStore { place, path, record in
      let inspection = try place.modelc("inspect", path, "-C", "T", "--format", "json")
      expectSuccess(inspection)
      let inspected = try inspection.decoded(as: InspectionRecord.self)
      #expect(inspected.versions == ["Moody 2"])
      #expect(inspected.recognisedBy == "hashes")
      #expect(inspected.metadata.cloudKitUserID == "_62a0ed0ad3b375fc9ec7fdf66dfd9c63")
      let backup = "Moody.moody.Moody.backup"
      #expect(record.backup?.hasSuffix("stores/\(backup)") == true)
      #expect(try place.snapshot().names == ["Moody.moody", backup])
      #expect(try place.snapshot()[backup] == Data(contentsOf: Fixtures.url(Self.store)))
    }
  }
}
