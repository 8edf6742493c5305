import Foundation
import GRDB
import ManagedModel
import ModelMapping
import ModelMigration
import PersistentStore
import TestSupport
import Testing

private let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

/// Makes large values and small ones, and looks at what it made.
private class PhotoPolicy: EntityMigrationPolicy {
  override class var policyName: String { "PhotoPolicy" }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let photo = made.first else { return }
    let size: Int = sInstance["size"] ?? 0
    // A first try, which the second replaces.
    photo.setValue(Data(repeating: 1, count: size), forKey: "image")
    photo.setValue(large.prefix(size), forKey: "image")
    let kept = photo.value(forKey: "image") as? Data
    guard kept == Data(large.prefix(size)) else { throw CocoaError(.featureUnsupported) }
    _ = photo.value(forKey: "scan")
  }
}

private final class FailingPhotoPolicy: PhotoPolicy {
  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    throw CocoaError(.featureUnsupported)
  }
}

@Suite("Large values that a migration makes")
struct LargeValueTests {
  private static let old = """
    entities:
      Photo: {attributes: {size: integer32 = 0, scan: {type: binary?, externalStorage: true}}}
    """
  private static let new = """
    entities:
      Photo:
        attributes:
          size: integer32 = 0
          scan: {type: binary?, externalStorage: true}
          image: {type: binary?, externalStorage: true}
    """

  private func trial(_ policy: EntityMigrationPolicy.Type = PhotoPolicy.self) throws -> CustomTrial {
    try CustomTrial(
      [Self.old, Self.new],
      mappings: [
        "entityMappings:\n  PhotoToPhoto: {source: Photo, destination: Photo, policy: PhotoPolicy}\n"
      ],
      policies: [policy])
  }

  /// A photo of each size, and a file of external data that the first one has.
  private func store(_ trial: CustomTrial, in folder: URL) throws -> TestStore {
    let store = try trial.store(
      objects("Photo", ["size": .integer(150_000)], ["size": .integer(1000)], ["size": .integer(200_000)]),
      in: folder)
    let name = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    let data = folder.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data([7]).write(to: data.appending(path: name))
    try store.write { db in
      let reference = Data([2]) + Data(name.utf8) + Data([0])
      try db.execute(sql: "UPDATE ZPHOTO SET ZSCAN = ? WHERE Z_PK = 1", arguments: [reference])
    }
    return store
  }

  private func files(_ folder: URL, _ name: String = "Store") throws -> [String] {
    let path = folder.appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA").path
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func images(_ url: URL, _ trial: CustomTrial) throws -> [AttributeValue?] {
    try TestStore(at: url).read { db in
      let (schema, _) = bindSchema(try readPhysicalSchema(db), to: trial.model.last)
      return try readObjects(ofEntity: "Photo", in: db, schema: schema, model: trial.model.last) { name in
        try readExternalData(name, ofStoreAt: url.path)
      }.map { $0.values["image"] }
    }
  }

  private let expected: [AttributeValue?] = [150_000, 1000, 200_000].map { .binary(Data(large.prefix($0))) }

  @Test func `they lie in files beside the store, as Core Data puts them; small ones stay in their row`()
    throws
  {
    try withTemporaryFolder { folder in
      let trial = try trial()
      let store = try store(trial, in: folder)
      try trial.migrate(store)
      #expect(try files(folder).count == 3)
      #expect(try images(store.url, trial) == expected)
      let sizes = try store.read {
        try Int.fetchAll($0, sql: "SELECT length(ZIMAGE) FROM ZPHOTO ORDER BY Z_PK")
      }
      #expect(sizes == [38, 1001, 38])
    }
  }

  @Test func `a migration that fails, and one that only tries, leave no file`() throws {
    try withTemporaryFolder { folder in
      var trial = try trial(FailingPhotoPolicy.self)
      let store = try store(trial, in: folder)
      let before = try files(folder)
      #expect(throws: DiagnosticsError.self) { try trial.migrate(store) }
      #expect(try files(folder) == before)
      trial.custom.policies = PolicyRegistry([PhotoPolicy.self])
      _ = try migrateStore(
        at: store.url.path, models: [trial.model], to: .nowhere, options: trial.options, custom: trial.custom)
      #expect(try files(folder) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
          ".Store_SUPPORT", "Store.sqlite",
        ])
    }
  }

  @Test func `a result in another file has files of its own`() throws {
    try withTemporaryFolder { folder in
      let trial = try trial()
      let store = try store(trial, in: folder)
      let before = try files(folder)
      let output = folder.appending(path: "Other.sqlite")
      _ = try migrateStore(
        at: store.url.path, models: [trial.model], to: .file(output.path), options: trial.options,
        custom: trial.custom)
      #expect(try files(folder) == before)
      #expect(try files(folder, "Other").count == 3)
      #expect(try images(output, trial) == expected)
    }
  }
}
