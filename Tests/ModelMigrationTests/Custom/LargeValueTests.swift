import Foundation
import GRDB
import ManagedModel
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
    // A first try, which the second replaces; it may have had a file where the second needs none.
    photo.setValue(Data(repeating: 1, count: 150_000), forKey: "image")
    photo.setValue(large.prefix(size), forKey: "image")
    let kept = photo.value(forKey: "image") as? Data
    guard kept == Data(large.prefix(size)) else { throw CocoaError(.featureUnsupported) }
    _ = photo.value(forKey: "scan")
  }
}

/// Leaves the values to the mapping.
private final class CopyPolicy: EntityMigrationPolicy {
  override class var policyName: String { "CopyPolicy" }
}

private final class FailingPhotoPolicy: PhotoPolicy {
  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    throw CocoaError(.featureUnsupported)
  }
}

/// Dies when all values are made.
private final class DyingPhotoPolicy: PhotoPolicy {
  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws { kill(getpid(), SIGKILL) }
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

  fileprivate static func trial(_ policy: EntityMigrationPolicy.Type = PhotoPolicy.self) throws -> CustomTrial
  {
    try CustomTrial(
      [old, new],
      mappings: [
        "entityMappings:\n  PhotoToPhoto: {source: Photo, destination: Photo, policy: PhotoPolicy}\n"
      ],
      policies: [policy])
  }

  /// A photo of each size, and a file of external data that the first one has.
  fileprivate static func store(_ trial: CustomTrial, in folder: URL) throws -> TestStore {
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

  fileprivate static func files(_ folder: URL, _ name: String = "Store") throws -> [String] {
    let path = folder.appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA").path
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func images(_ url: URL, _ trial: CustomTrial) throws -> [AttributeValue?] {
    try TestStore(at: url).read { db in
      let (schema, _) = try db.readPhysicalSchema().bound(to: trial.model.last)
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
      let trial = try Self.trial()
      let store = try Self.store(trial, in: folder)
      try trial.migrate(store)
      #expect(try Self.files(folder).count == 3)
      #expect(try images(store.url, trial) == expected)
      let sizes = try store.read {
        try Int.fetchAll($0, sql: "SELECT length(ZIMAGE) FROM ZPHOTO ORDER BY Z_PK")
      }
      #expect(sizes == [38, 1001, 38])
    }
  }

  @Test func `post-processing reads those that are there, and makes its own in files`() throws {
    let step = PostProcessingStep(name: "scans", version: "V2") { context in
      for photo in try context.fetch("Photo", where: "scan != nil") {
        photo["size"] = (photo["scan"] as Data?)?.count
        photo.setValue(large, forKey: "image")
      }
    }
    try withTemporaryFolder { folder in
      let trial = try CustomTrial([Self.old, Self.new], steps: [step])
      let store = try Self.store(trial, in: folder)
      try trial.migrate(store)
      #expect(try Self.files(folder).count == 2)
      #expect(try images(store.url, trial) == [.binary(large), nil, nil])
      let sizes = try store.read { try Int.fetchAll($0, sql: "SELECT ZSIZE FROM ZPHOTO ORDER BY Z_PK") }
      #expect(sizes == [1, 1000, 200_000])
    }
  }

  @Test(arguments: ["", ", policy: CopyPolicy"])
  func `a value that goes to several attributes lies in a file for each`(_ policy: String) throws {
    let copy = "  Copy: {attributes: {scan: {type: binary?, externalStorage: true}}}"
    let trial = try CustomTrial(
      [Self.old, Self.new + "\n" + copy],
      mappings: [
        """
        entityMappings:
          PhotoToPhoto: {source: Photo, destination: Photo, attributes: {image: $source.scan}}
          PhotoToCopy: {source: Photo, destination: Copy\(policy)}

        """
      ], policies: [CopyPolicy.self])
    try withTemporaryFolder { folder in
      let store = try Self.store(trial, in: folder)
      try large.write(
        to: folder.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA/\(try Self.files(folder)[0])"))
      try trial.migrate(store)
      #expect(try Self.files(folder).count == 3)
      let references = try store.read { db in
        try Data.fetchAll(
          db,
          sql: "SELECT ZSCAN FROM ZPHOTO WHERE Z_PK = 1 UNION SELECT ZIMAGE FROM ZPHOTO WHERE Z_PK = 1 "
            + "UNION SELECT ZSCAN FROM ZCOPY WHERE ZSCAN IS NOT NULL")
      }
      #expect(references.map(\.count) == [38, 38, 38])
      #expect(try images(store.url, trial) == [.binary(large), nil, nil])
    }
  }

  /// A mapping that says no more than this could be carried out by statements.
  @Test func `a value that goes to two attributes of one object lies in a file for each`() throws {
    let trial = try CustomTrial(
      [Self.old, Self.new],
      mappings: [
        "entityMappings:\n  PhotoToPhoto: {source: Photo, destination: Photo, attributes: {image: $source.scan}}\n"
      ])
    try withTemporaryFolder { folder in
      let store = try Self.store(trial, in: folder)
      try large.write(
        to: folder.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA/\(try Self.files(folder)[0])"))
      try trial.migrate(store)
      #expect(try Self.files(folder).count == 2)
      #expect(try images(store.url, trial) == [.binary(large), nil, nil])
    }
  }

  @Test func `a migration that fails, and one that only tries, leave no file`() throws {
    try withTemporaryFolder { folder in
      var trial = try Self.trial(FailingPhotoPolicy.self)
      let store = try Self.store(trial, in: folder)
      let before = try Self.files(folder)
      #expect(throws: DiagnosticsError.self) { try trial.migrate(store) }
      #expect(try Self.files(folder) == before)
      trial.custom.policies = PolicyRegistry([PhotoPolicy.self])
      _ = try migrateStore(
        at: store.url.path, models: [trial.model], to: .nowhere, options: trial.options, custom: trial.custom)
      #expect(try Self.files(folder) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
          ".Store_SUPPORT", "Store.sqlite",
        ])
    }
  }

  @Test(.needsRoot, arguments: [true, false])
  func `files and folders are the store's owner's`(isElsewhere: Bool) throws {
    try withTemporaryFolder { folder in
      let trial = try Self.trial()
      let store = try trial.store(objects("Photo", ["size": .integer(150_000)]), in: folder)
      try Stranger.give(store.url)
      _ = try migrateStore(
        at: store.url.path, models: [trial.model],
        to: isElsewhere ? .file(folder.appending(path: "Other.sqlite").path) : .inPlaceOfStore,
        options: trial.options, custom: trial.custom)
      let name = isElsewhere ? "Other" : "Store"
      let support = folder.appending(path: ".\(name)_SUPPORT")
      let data = support.appending(path: "_EXTERNAL_DATA")
      let made = try Self.files(folder, name).map { data.appending(path: $0) }
      #expect(made.count == 1)
      for url in [support, data] + made { #expect(try Stranger.owns(url), "\(url.path)") }
    }
  }

  @Test func `a result in another file has files of its own`() throws {
    try withTemporaryFolder { folder in
      let trial = try Self.trial()
      let store = try Self.store(trial, in: folder)
      let before = try Self.files(folder)
      let output = folder.appending(path: "Other.sqlite")
      _ = try migrateStore(
        at: store.url.path, models: [trial.model], to: .file(output.path), options: trial.options,
        custom: trial.custom)
      #expect(try Self.files(folder) == before)
      #expect(try Self.files(folder, "Other").count == 3)
      #expect(try images(output, trial) == expected)
    }
  }
}

/// Death when large values lie in files already, and no row of the store refers to them yet.
@Suite struct KilledLargeValueTests {
  @Test(arguments: [true, false])
  func `are found after a kill, and cleared`(isElsewhere: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let trial = try LargeValueTests.trial()
    let store = try LargeValueTests.store(trial, in: folder)
    let before = try listing(folder)
    let output = folder.appending(path: "Other.sqlite")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [store = store.url.path as String, output = (isElsewhere ? output.path : "") as String] in
      let trial = try LargeValueTests.trial(DyingPhotoPolicy.self)
      _ = try migrateStore(
        at: store, models: [trial.model], to: output.isEmpty ? .inPlaceOfStore : .file(output),
        options: trial.options, custom: trial.custom)
    }
    let name = isElsewhere ? "Other" : "Store"
    #expect(try LargeValueTests.files(folder, name).count == (isElsewhere ? 3 : 4))
    let report = try recoverStore(at: isElsewhere ? output.path : store.url.path, models: [trial.model])
    #expect(report.files.filter { $0.meaning == .unfinishedValue }.count == 3)
    #expect(report.files.filter { $0.meaning == .unfinishedFolder }.count == (isElsewhere ? 2 : 0))
    // Beside the store a record says where the result was to be.
    if isElsewhere { _ = try recoverStore(at: store.url.path, models: [trial.model]) }
    #expect(try listing(folder) == before)
    #expect(try LargeValueTests.files(folder).count == 1)
    _ = try migrateStore(
      at: store.url.path, models: [trial.model], to: isElsewhere ? .file(output.path) : .inPlaceOfStore,
      options: trial.options, custom: trial.custom)
    #expect(try LargeValueTests.files(folder, name).count == 3)
  }

  /// Without the empty log that a killed reader leaves.
  private func listing(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("-wal") }.sorted()
  }
}
