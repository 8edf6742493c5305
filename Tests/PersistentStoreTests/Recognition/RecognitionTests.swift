import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import TestSupport
import Testing

/// A genuine store and the source of its model.
struct SourcedStore: Sendable, CustomTestStringConvertible {
  var store: GenuineStore
  var package: String
  var version: String

  var testDescription: String { store.testDescription }

  static let all: [SourcedStore] =
    zip(1..., GenuineStore.moody).map { number, store in
      SourcedStore(
        store: store, package: "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld",
        version: number == 1 ? "Moody" : "Moody \(number)")
    }
    + zip(1..., GenuineStore.bookmarks).map { number, store in
      SourcedStore(
        store: store,
        package: "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld",
        version: number == 1 ? "BookmarksModel" : "BookmarksModel \(number)")
    }
    + (1...2).map { number in
      SourcedStore(
        store: GenuineStore(
          path:
            "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V\(number).sqlite"),
        package: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld",
        version: number == 1 ? "SampleModel" : "SampleModel\(number)")
    } + [
      SourcedStore(
        store: GenuineStore(
          path: "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite"),
        package: "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld",
        version: "SampleModel3"),
      SourcedStore(
        store: GenuineStore(
          path: "duckduckgo+BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite"),
        package: "duckduckgo+BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
        version: "SyncMetadata 3"),
      SourcedStore(
        store: GenuineStore(path: "LoopKit+LoopKit/LoopKitHostedTests/TestCoreData/Model.sqlite.v1.original"),
        package: "LoopKit+LoopKit/LoopKit/Persistence/Model.xcdatamodeld", version: "Model"),
    ]
}

@Suite(.needsFixtures) struct `Recognition of genuine stores` {
  @Test(arguments: SourcedStore.all)
  func `Each store is of exactly its version`(sourced: SourcedStore) throws {
    let found = recogniseStore(metadata: try sourced.store.metadata(), among: [try versions(sourced.package)])
    #expect(found.recognisedBy == .hashes)
    #expect(found.versions.map(\.versionName) == [sourced.version])
    #expect(found.nearest == [])
  }

  @Test(arguments: SourcedStore.all)
  func `A version read from its source is laid out as its store is`(sourced: SourcedStore) throws {
    let version = try #require(try versions(sourced.package).version(named: sourced.version))
    try sourced.store.open { db throws in
      let physical = try db.readPhysicalSchema()
      let framework = try #require(try db.readStoreMetadata().frameworkVersion)
      let layout = layOutStore(for: version.model, frameworkVersion: framework)
      let own = Set(layout.tableStatements + layout.indexes.map(\.sql))
      let tables = physical.tables.filter { !$0.name.isSystemTable }.map(\.sql)
      #expect(own == Set(tables + physical.indexes.map(\.sql)))
    }
  }

  @Test func `A store of another app has a nearest version and every difference`() throws {
    let model = try versions("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld")
    let found = recogniseStore(metadata: try GenuineStore.bookmarks[0].metadata(), among: [model])
    #expect(found.recognisedBy == .none)
    #expect(found.versions == [])
    let nearest = try #require(found.nearest.first)
    #expect(nearest.equal == 0)
    #expect(
      nearest.differing.contains(
        Difference(entity: "BookmarkEntity", property: nil, store: "entity", version: nil)))
  }

  @Test func `Against an older version alone, the differing properties are told in words`() throws {
    let (metadata, storeModel) = try (GenuineStore.moody[1].metadata(), GenuineStore.moody[1].model())
    var model = try versions("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld")
    model.versions.removeAll { $0.name != "Moody" }
    let found = recogniseStore(metadata: metadata, among: [model], storeModel: storeModel)
    let nearest = try #require(found.nearest.first)
    #expect((nearest.versionName, nearest.equal, nearest.total) == ("Moody", 3, 4))
    #expect(
      nearest.differing == [
        Difference(entity: "Mood", property: "rating", store: "integer16, required", version: nil),
        Difference(entity: "Mood", property: "remoteID", store: "string, optional", version: nil),
        Difference(entity: "Mood", property: "remoteIdentifier", store: nil, version: "string, optional"),
      ])
  }

  @Test func `Versions of equal hashes are all named`() throws {
    let model = try versions("RestKit+RestKit/Tests/Models/VersionedModel.xcdatamodeld")
    let second = try #require(model.version(named: "VersionedModel 2"))
    let found = recogniseStore(metadata: StoreMetadata(newStoreOf: second), among: [model])
    #expect(found.versions.map(\.versionName) == ["VersionedModel 2", "VersionedModel 4"])
  }

  private func versions(_ path: String) throws -> VersionedModel {
    try #require(readXcodeModelPackage(at: Fixtures.url(path)).0)
  }
}

@Suite struct `Recognising a store` {
  private let first = ModelVersion(name: "V1", model: person(emailIsOptional: true))
  private let second = ModelVersion(name: "V2", model: person(emailIsOptional: false))

  private static func person(emailIsOptional: Bool, isAbstract: Bool = false) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person", isAbstract: isAbstract,
          attributes: [AttributeDescription(name: "email", type: .string, isOptional: emailIsOptional)]),
        EntityDescription(name: "Pupil", superentityName: "Person"), EntityDescription(name: "Room"),
      ],
      configurations: [ConfigurationDescription(name: "Local", entityNames: ["Room"])])
  }

  private func recognise(
    _ stored: ModelVersion, among versions: [ModelVersion], storeModel: ManagedObjectModel? = nil
  ) -> Recognition {
    recogniseStore(
      metadata: StoreMetadata(newStoreOf: stored),
      among: [VersionedModel(name: "Shop", versions: versions, currentVersionName: "V1")],
      storeModel: storeModel)
  }

  @Test func `Versions of equal hashes are all named, in their order`() {
    var twin = first
    twin.name = "V1b"
    let found = recognise(first, among: [first, second, twin])
    #expect(found.versions.map(\.versionName) == ["V1", "V1b"])
    #expect(found.recognisedBy == .hashes)
  }

  @Test func `Hashes on record count where the model does not yield them`() {
    let recorded = ModelVersion(
      name: "V0", model: second.model, recordedHashes: first.entityVersionHashesByName)
    #expect(recognise(first, among: [recorded]).recognisedBy == .recorded)
    let both = ModelVersion(name: "V0", model: first.model, recordedHashes: first.entityVersionHashesByName)
    #expect(recognise(first, among: [both]).recognisedBy == .hashes)
  }

  @Test func `A store of one configuration's entities is recognised by it`() {
    let metadata = StoreMetadata(newStoreOf: first, configuration: "Local")
    #expect(metadata.versionHashes.keys.sorted() == ["Room"])
    let model = VersionedModel(name: "Shop", versions: [first], currentVersionName: "V1")
    let found = recogniseStore(metadata: metadata, among: [model])
    #expect(
      found.versions == [RecognisedVersion(modelName: "Shop", versionName: "V1", configuration: "Local")])
  }

  @Test func `A parent's difference is told once, not again for its children`() {
    let found = recognise(first, among: [second], storeModel: first.model)
    #expect(found.nearest.map(\.equal) == [1])
    #expect(
      found.nearest.first?.differing == [
        Difference(
          entity: "Person", property: "email", store: "string, optional", version: "string, required")
      ])
  }

  @Test func `A store model that does not yield the store's hashes explains nothing`() throws {
    let found = recognise(first, among: [second], storeModel: second.model)
    let differing = try #require(found.nearest.first).differing
    #expect(differing.map(\.entity) == ["Person", "Pupil"])
    #expect(differing.allSatisfy { $0.store?.hasPrefix("hash ") == true })
  }

  @Test func `The nearest version comes first, the later one of equals`() {
    let abstract = ModelVersion(name: "V3", model: Self.person(emailIsOptional: false, isAbstract: true))
    var renamed = second
    renamed.name = "V2b"
    let other = ModelVersion(name: "V9", model: ManagedObjectModel(entities: [EntityDescription(name: "X")]))
    let found = recognise(first, among: [other, second, renamed, abstract])
    #expect(found.nearest.map(\.versionName) == ["V3", "V2b", "V2"])
  }

  @Test func `The refusal says what differs, and what to do`() {
    let found = recognise(first, among: [second], storeModel: first.model)
    let refusal = Diagnostic.storeUnrecognised(
      "Old store.sqlite", recognition: found, cached: .trusted(first.model))
    #expect(refusal.code == .storeUnrecognised)
    #expect(refusal.cocoaCode == 134130)
    #expect(refusal.message == "'Old store.sqlite' matches no known version")
    #expect(
      refusal.notes.map(\.message) == [
        "nearest: 'V2', 1 of 3 entities equal",
        "  Person.email  store: string, optional  V2: string, required",
      ])
    #expect(
      refusal.help == [
        "name the models of the app that wrote it, with `models:`",
        "if they are lost: `modelc adopt 'Old store.sqlite' --into Shop --before V2` adds the model that the store contains as another version",
      ])
    let others: [(CachedModel, String)] = [
      (.absent, "it contains no model"),
      (.unreadable("cut off"), "the model that it contains is damaged (cut off)"),
      (.untrusted(first.model, differing: []), "the model that it contains has other version hashes"),
    ]
    for (cached, beginning) in others {
      let help = Diagnostic.storeUnrecognised("a.sqlite", recognition: found, cached: cached).help
      #expect(help.last?.hasPrefix(beginning) == true && help.last?.contains("only the app's model") == true)
    }
    let later = Diagnostic.storeOfLaterVersion("a.sqlite", version: "V3", target: "V2")
    #expect(later.code.description == "MC5104")
    #expect(later.cocoaCode == 134506)
  }
}

@Suite("Versions with equal hashes") struct EqualVersionTests {
  @Test(arguments: [("V1", "V1"), ("V2", "V2"), ("V3", "V2"), ("V4", "V4")])
  func `the one is named that a migration begins at`(current: String, expected: String) {
    let model = VersionedModel(
      name: "Huts", versions: versionsOf(["Hut", "Hut", "Hut\n  a: string?", "Hut"]),
      currentVersionName: current)
    let recognition = Recognition(
      recognisedBy: .hashes,
      versions: ["V1", "V2", "V4"].map { RecognisedVersion(modelName: "Huts", versionName: $0) })
    #expect(recognition.version(among: [model])?.match.versionName == expected)
  }
}
