import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

@Suite(
  "Every genuine store goes to every later version of its model, or is refused for a reason", .needsFixtures)
struct GenuineStoresTests {
  /// What conflicts with each way; a way that is not listed is open.
  ///
  /// MC3111 is data without a place in the target, which one may accept. MC3202: a new attribute has taken the name
  /// that another one's renaming identifier claims.
  static let refusals: [String: [String: [String]]] = [
    "Moody.moody": ["Moody 5": ["MC3111"], "Moody 6": ["MC3111"]],
    "Moody 2.moody": ["Moody 5": ["MC3111"], "Moody 6": ["MC3111"]],
    "Moody 3.moody": ["Moody 5": ["MC3111"], "Moody 6": ["MC3111"]],
    "Moody 4.moody": ["Moody 5": ["MC3111"], "Moody 6": ["MC3111"]],
    "Moody 5.moody": ["Moody 6": ["MC3111"]],
    "SampleModel_V1.sqlite": ["SampleModel2": ["MC3111"], "SampleModel3": ["MC3111"]],
    "SampleModel_V2.sqlite": ["SampleModel3": ["MC3111"]],
    "SampleModel3_V1.sqlite": ["SampleModel3_v3": ["MC3111"]],
    "Bookmarks_V1.sqlite": [
      "BookmarksModel 3": ["MC3111"], "BookmarksModel 4": ["MC3111"], "BookmarksModel 5": ["MC3111"],
      "BookmarksModel 6": ["MC3111"],
    ],
    "Bookmarks_V2.sqlite": [
      "BookmarksModel 3": ["MC3111"], "BookmarksModel 4": ["MC3111"], "BookmarksModel 5": ["MC3111"],
      "BookmarksModel 6": ["MC3111"],
    ],
    "Model.sqlite.v1.original": ["Modelv4": ["MC3111", "MC3202"]],
    "Model1.sqlite": ["Model2": ["MC3111"], "Model3": ["MC3111"]],
  ]

  @Test(.needsOracle, arguments: GenuineModel.stores)
  func `plan, migration and judge agree`(_ store: GenuineModel.Store) throws {
    let name = store.testDescription
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(store.package)).model)
    let own = try #require(model.versions.firstIndex { $0.name == store.version })
    try withTemporaryFolder { folder in
      var migrated: [URL] = []
      for target in model.versions[(own + 1)...].map(\.name) {
        let place = folder.appending(path: "to \(target)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let copy = try Fixtures.copyStore(store.path, into: place)
        let refusal = Self.refusals[name]?[target] ?? []
        #expect(try migrate(copy, of: model, to: target) == Outcome(refusal), "\(name) to \(target)")
        let blocking = refusal.filter { $0 != "MC3111" }
        if blocking != refusal {
          let outcome = try migrate(copy, of: model, to: target, allowing: [.droppedData])
          #expect(outcome == Outcome(blocking), "\(name) to \(target)")
        }
        // The judge reads the model from the store; those of old frameworks have none.
        if blocking.isEmpty, store.package != GenuineModel.books.package { migrated.append(copy) }
      }
      if !migrated.isEmpty { try Oracle.expectSound(migrated) }
    }
  }

  /// A store, and the one that Core Data made of it: queries whose rows are to be the same in both.
  struct Pair: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var store: GenuineModel.Store
    var result: GenuineModel.Store
    var queries: [String]
  }

  static let pairs = [
    Pair(
      testDescription: "SampleModel to SampleModel2", store: GenuineModel.sampleModel.stores[0],
      result: GenuineModel.sampleModel.stores[1],
      queries: ["SELECT * FROM ZCAR ORDER BY Z_PK", "SELECT * FROM ZPERSON ORDER BY Z_PK"]),
    Pair(
      testDescription: "Moody 3 to Moody 4", store: GenuineModel.moody.stores[2],
      result: GenuineModel.moody.stores[3],
      queries: [
        // The app had Core Data copy the objects, which gave them new keys.
        """
        SELECT m.ZREMOTEID, m.ZRATING, m.ZDATE, m.ZLATITUDE, m.ZLONGITUDE, m.ZCREATORID, m.ZCOLORS,
          c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE
        FROM ZMOOD m LEFT JOIN ZCOUNTRY c ON m.ZCOUNTRY = c.Z_PK LEFT JOIN ZCONTINENT k ON m.ZCONTINENT = k.Z_PK
        ORDER BY 1
        """,
        """
        SELECT c.ZNUMERICISO3166CODE, c.ZNUMBEROFMOODS, c.ZUPDATEDAT, k.ZNUMERICISO3166CODE, k.ZNUMBEROFCOUNTRIES
        FROM ZCOUNTRY c LEFT JOIN ZCONTINENT k ON c.ZCONTINENT = k.Z_PK ORDER BY 1
        """,
      ]),
  ]

  @Test(arguments: pairs)
  func `the rows are those of the store that Core Data migrated`(_ pair: Pair) throws {
    try Workplace.with(pair.store.package) { place in
      let path = try place.copyStore(pair.store.path)
      expectSuccess(
        try place.modelc(
          "migrate", path, "-C", "T", "--to", pair.result.version, "--allow-loss", "MC3111"))
      for query in pair.queries {
        let mine = try withStore(place.url(path)) { try rows(query, in: $0) }
        let theirs = try withStore(Fixtures.url(pair.result.path)) { try rows(query, in: $0) }
        #expect(mine == theirs)
        #expect(!mine.isEmpty)
      }
    }
  }
}
