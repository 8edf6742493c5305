import Foundation
import GRDB
import ManagedModel
import ModelArchives
import PersistentStore
import TestSupport
import Testing

/// A genuine store of the fixtures, by its path there.
struct GenuineStore: Sendable, CustomTestStringConvertible {
  var path: String

  var testDescription: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Every store among the fixtures that Core Data wrote together with its model.
  static let withModelCache: [GenuineStore] =
    moody + bookmarks
    + [
      "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite",
      "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite",
      "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
      "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
      "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
      "duckduckgo+BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
      "LoopKit+LoopKit/LoopKitHostedTests/TestCoreData/Model.sqlite.v1.original",
    ].map(GenuineStore.init(path:))

  static let moody = ["", " 2", " 3", " 4", " 5"].map {
    GenuineStore(path: "objcio+core-data/Migrations/MigrationsTests/Moody\($0).moody")
  }

  static let bookmarks = (1...5).map {
    GenuineStore(
      path: "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\($0).sqlite")
  }

  /// Stores from before Core Data kept the model in the store.
  static let withoutModelCache = [
    "objcio+issue-4-core-data-migration/BookMigration/Model1.sqlite",
    "magicalpanda+MagicalRecord/Samples/iOS/Resources/RecipeData/Recipes.sqlite",
    "RestKit+RestKit/Examples/RKTwitterCoreData/RKSeedDatabase.sqlite",
  ].map(GenuineStore.init(path:))

  static func sampleModel2(_ version: Int) -> GenuineStore {
    GenuineStore(
      path: "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V\(version).sqlite")
  }

  /// Opens a copy, so that the fixture stays as it is.
  func open<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let queue = try DatabaseQueue(path: Fixtures.copyStore(path, into: folder).path)
      return try queue.writeWithoutTransaction(body)
    }
  }

  func metadata() throws -> StoreMetadata { try open { try $0.readStoreMetadata() } }

  /// The model that the store carries.
  func model() throws -> ManagedObjectModel { try open(storedModel(in:)) }
}

func storedModel(in db: Database) throws -> ManagedObjectModel {
  let content = try #require(try Data.fetchOne(db, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
  return try content.decodeModelCache()
}

/// Runs the body on a fresh store of the model, in a file.
func withNewStore<Result>(
  of model: ManagedObjectModel, frameworkVersion: Int = 1344, objects: [ManagedObject] = [],
  _ body: (Database, StoreSchema, URL) throws -> Result
) throws -> Result {
  try withTemporaryFolder { folder in
    let file = folder.appending(path: "New.sqlite")
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      let schema = try createStore(
        in: db, version: ModelVersion(name: "V1", model: model),
        frameworkVersion: frameworkVersion, objects: objects)
      return try body(db, schema, file)
    }
  }
}
