#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import ModelArchives
  import ModelFormats
  import PersistentStore
  import TestSupport
  import Testing

  /// A store that Core Data or SwiftData wrote, with the model that it carries.
  struct JudgedStore: Sendable, CustomTestStringConvertible {
    var path: String
    var model: ManagedObjectModel

    var testDescription: String { path }

    static let all: [JudgedStore] = ["sqlite", "moody", "original"].flatMap(Fixtures.all(withExtension:))
      .compactMap { url in
        let path = String(url.path.dropFirst(Fixtures.root.path.count + 1))
        return try? withTemporaryFolder { folder in
          let copy = try Fixtures.copyStore(path, into: folder)
          let connection = try StoreConnection(path: copy.path)
          let cached = try connection.read { db in
            try db.examineModelCache(metadata: db.readStoreMetadata())
          }
          try connection.close()
          guard case .trusted(let model) = cached else { return nil }
          return JudgedStore(path: path, model: model)
        }
      }

    /// The model's next version: an optional attribute more in every entity that has no parent.
    var next: ManagedObjectModel {
      var next = model
      for index in next.entities.indices where next.entities[index].superentityName == nil {
        next.entities[index].attributes.append(
          AttributeDescription(name: "judgedRemark", type: .string, isOptional: true))
      }
      return next
    }
  }

  /// There is no Xcode source for SwiftData's models: the store's own model, as we read it, is what is judged.
  @Suite("Genuine stores, of Core Data and of SwiftData, with their own models", .needsFixtures)
  struct GenuineStoreTests {
    @Test func `SwiftData's stores are among them`() {
      let makers = ["FreezeRay", "CartKitSwiftData"]
      for maker in makers { #expect(JudgedStore.all.contains { $0.path.contains(maker) }, "\(maker)") }
    }

    @Test(arguments: JudgedStore.all)
    func `the store opens with its model as we write it, and takes the next version in both ways alike`(
      _ store: JudgedStore
    ) throws {
      try withTemporaryFolder { folder in
        let versions = [
          ModelVersion(name: "V1", model: store.model), ModelVersion(name: "V2", model: store.next),
        ]
        let model = VersionedModel(name: "Own", versions: versions, currentVersionName: "V2")
        let bundle = folder.appending(path: "Own.momd")
        try model.writeBundle(to: bundle)
        let read = try versions.map {
          try #require(NSManagedObjectModel(contentsOf: bundle.appending(path: "\($0.name).mom")))
        }
        let copy = try Fixtures.copyStore(store.path, into: folder)
        let metadata = try CoreDataStore(url: copy).metadata()
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == read[0].entityVersionHashesByName)
        #expect(read[0].isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let before = try CoreDataStore(url: copy).objects(read[0])

        let theirs = CoreDataStore(url: try copyStore(copy, as: "lightweight.sqlite"))
        try theirs.migrate(to: read[1])
        let mine = try copyStore(copy, as: "modelc.sqlite")
        try migrate(mine, model)
        let migrated = try CoreDataStore(url: mine).objects(read[1])
        #expect(migrated == (try theirs.objects(read[1])))
        #expect(migrated.count == before.count)
      }
    }
  }
#endif
