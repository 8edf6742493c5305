#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import TestSupport
  import Testing

  @Suite("Core Data opens the stores that we write") struct StoreTests {
    @Test(arguments: JudgedPackage.all)
    func `a store of every version opens without migration, with the same objects`(_ package: JudgedPackage)
      throws
    {
      try package.compiled { compiled, folder in
        for version in compiled.model.versions {
          let objects = try withArchives(generatedObjects(of: version.model, count: 3), of: version.model)
          let store = CoreDataStore(url: folder.appending(path: "\(version.name).sqlite"))
          try writeStore(of: version, objects: objects, at: store.url)
          let genuine = try compiled.genuine(version.name)
          let fits = genuine.isConfiguration(
            withName: nil, compatibleWithStoreMetadata: try store.metadata())
          #expect(fits, "\(version.name)")
          let read = try store.objects(genuine)
          #expect(read.map(\.id) == inOrder(objects).map(\.id), "\(version.name)")
          #expect(read.map(\.values) == values(unarchived(objects, of: version.model)), "\(version.name)")
          // The other side of a relationship is stated by Core Data alone.
          for (mine, theirs) in zip(inOrder(objects), read) {
            #expect(theirs.toOne.merging(mine.toOne) { $1 } == theirs.toOne, "\(version.name), \(mine.id)")
          }
        }
      }
    }

    private func values(_ objects: [ManagedObject]) -> [[String: AttributeValue]] {
      inOrder(objects).map(\.values)
    }
  }

  /// By entity and key.
  func inOrder(_ objects: [ManagedObject]) -> [ManagedObject] {
    objects.sorted { ($0.id.entityName, $0.id.primaryKey) < ($1.id.entityName, $1.id.primaryKey) }
  }
#endif
