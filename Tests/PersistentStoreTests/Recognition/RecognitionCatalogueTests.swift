import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore
import TestSupport
import Testing

/// Every genuine store among all genuine models that have stores here, and what it is taken for.
@Suite(.needsFixtures) struct `Catalogue of recognised stores` {
  static let packages = [
    "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld",
    "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld",
    "duckduckgo+BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld",
    "LoopKit+LoopKit/LoopKit/Persistence/Model.xcdatamodeld",
    "objcio+issue-4-core-data-migration/BookMigration/Model.xcdatamodeld",
    "kodecocodes+cdt-materials/09-multiple-managed-object-contexts/projects/final/SurfJournal/SurfJournal/SurfJournalModel.xcdatamodeld",
  ]

  /// A store's file, then the versions that it fits or, after `~`, the nearest with the entities that are equal.
  static let catalogue = """
    App-1_0_0.sqlite: none
    App-1_0_0.sqlite: none
    App-2_0_0.sqlite: none
    App-2_0_0.sqlite: none
    Bookmarks_V1.sqlite: hashes BookmarksModel
    Bookmarks_V2.sqlite: hashes BookmarksModel 2
    Bookmarks_V3.sqlite: hashes BookmarksModel 3
    Bookmarks_V4.sqlite: hashes BookmarksModel 4
    Bookmarks_V5.sqlite: hashes BookmarksModel 5
    CartKitSwiftData_v1.sqlite: none
    CartStorage_v1.sqlite: none
    Model.sqlite.v1.original: hashes Model
    Model1.sqlite: hashes Model1
    Model1.sqlite: hashes Model1
    Moody 2.moody: hashes Moody 2
    Moody 3.moody: hashes Moody 3
    Moody 4.moody: hashes Moody 4
    Moody 5.moody: hashes Moody 5
    Moody.moody: hashes Moody
    RKSeedDatabase.sqlite: none
    Recipes.sqlite: none
    SampleModel2_V1.sqlite: none
    SampleModel2_V2.sqlite: none
    SampleModel3_V1.sqlite: hashes SampleModel3
    SampleModel_V1.sqlite: hashes SampleModel
    SampleModel_V2.sqlite: hashes SampleModel2
    SurfJournalModel.sqlite: hashes SurfJournalModel
    SyncMetadata_V3.sqlite: hashes SyncMetadata 3
    """

  @Test func `Every store is what the catalogue says`() throws {
    let models = Self.packages.compactMap { readXcodeModelPackage(at: Fixtures.url($0)).model }
    #expect(models.count == Self.packages.count)
    let stores = ["sqlite", "moody", "original"].flatMap(Fixtures.all(withExtension:))
    var lines: [String] = []
    for store in stores {
      let found = try GenuineStore(path: relative(store)).open { db throws in
        try inspectStore(db, among: models).recognition
      }
      let names = found.versions.map(\.versionName) + found.mergedFrom.map { "+ \($0.versionName)" }
      let nearest = found.nearest.first { $0.equal > 0 }.map {
        " ~ \($0.versionName) \($0.equal)/\($0.total)"
      }
      lines.append(
        "\(store.lastPathComponent): "
          + ([found.recognisedBy.rawValue] + names).joined(separator: " ") + (nearest ?? ""))
    }
    #expect(lines.sorted() == Self.catalogue.split(separator: "\n").map(String.init))
  }

  private func relative(_ url: URL) -> String {
    String(url.path.dropFirst(Fixtures.root.path.count + 1))
  }
}

@Suite struct `Rungs of recognition` {
  private func model(_ name: String, _ entities: EntityDescription...) -> VersionedModel {
    VersionedModel(
      name: name, versions: [ModelVersion(name: "\(name)1", model: ManagedObjectModel(entities: entities))],
      currentVersionName: "\(name)1")
  }

  private func entity(_ name: String, composite: Bool = false) -> EntityDescription {
    EntityDescription(name: name, attributes: [AttributeDescription(name: "title", type: .string)])
  }

  @Test func `Merged models are recognised by their parts`() throws {
    let (shop, log) = (model("Shop", entity("Order"), entity("Item")), model("Log", entity("Event")))
    let merged = ModelVersion(
      name: "all", model: ManagedObjectModel(entities: ["Order", "Item", "Event"].map { entity($0) }))
    let metadata = StoreMetadata(newStoreOf: merged)
    let found = recogniseStore(metadata: metadata, among: [shop, log])
    #expect(found.recognisedBy == .hashes && found.versions == [])
    #expect(found.mergedFrom.map(\.versionName) == ["Shop1", "Log1"])
    // A part alone is not a merge, and neither is one that leaves entities over.
    #expect(recogniseStore(metadata: metadata, among: [shop]).mergedFrom == [])
    let more = ModelVersion(
      name: "more", model: ManagedObjectModel(entities: ["Order", "Item", "Event", "X"].map { entity($0) }))
    let unknown = recogniseStore(metadata: StoreMetadata(newStoreOf: more), among: [shop, log])
    #expect(unknown.recognisedBy == .none && unknown.mergedFrom == [])
    #expect(unknown.nearest.map(\.versionName) == ["Shop1", "Log1"])
  }

  /// A relationship that is its own inverse: how Core Data hashes it no genuine file shows.
  private var friends: ManagedObjectModel {
    var person = entity("Person")
    person.relationships = [SampleModels.toMany("friends", "Person", "friends")]
    return ManagedObjectModel(entities: [person, entity("Place")])
  }

  private func recognise(
    _ model: ManagedObjectModel, changing names: [String], values: [String: PropertyListValue] = [:],
    among models: [VersionedModel]
  ) throws -> Recognition {
    try withNewStore(of: model) { db, _, _ throws in
      let metadata = try db.readStoreMetadata()
      var list = metadata.values.merging(values) { $1 }
      let hashes = metadata.versionHashes.reduce(into: [String: PropertyListValue]()) { result, entry in
        let bytes = names.contains(entry.key) ? Data(repeating: 7, count: 32) : entry.value.data
        result[entry.key] = .data(bytes)
      }
      list["NSStoreModelVersionHashes"] = .dictionary(hashes)
      let altered = try #require(StoreMetadata(uuid: metadata.uuid, values: list))
      try altered.write(to: db)
      return try inspectStore(db, among: models).recognition
    }
  }

  @Test func `The cached model answers where only hashes of unsure rules differ`() throws {
    let known = VersionedModel(
      name: "Friends", versions: [ModelVersion(name: "F1", model: friends)], currentVersionName: "F1")
    let unsure = try recognise(friends, changing: ["Person"], among: [known])
    #expect(unsure.recognisedBy == .modelCache)
    #expect(unsure.versions.map(\.versionName) == ["F1"])
    // A sure hash that differs means another model, whatever lies in the cache.
    let other = try recognise(friends, changing: ["Place"], among: [known])
    #expect(other.recognisedBy == .none)
    #expect(other.nearest.map(\.equal) == [1])
  }

  @Test func `Tables answer only where hashes cannot be compared`() throws {
    let known = model("Shop", entity("Order"), entity("Item"))
    let shop = ManagedObjectModel(entities: [entity("Order"), entity("Item")])
    let old: [String: PropertyListValue] = ["NSStoreModelVersionHashesVersion": .integer(1)]
    let found = try recognise(shop, changing: ["Order", "Item"], values: old, among: [known])
    #expect(found.recognisedBy == .structure)
    #expect(found.versions.map(\.versionName) == ["Shop1"])
    #expect(try recognise(shop, changing: ["Order", "Item"], among: [known]).recognisedBy == .none)
    let wider = model("Shop", entity("Order"), entity("Item"), entity("More"))
    #expect(
      try recognise(shop, changing: ["Order", "Item"], values: old, among: [wider]).recognisedBy == .none)
  }
}
