import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import TestSupport

/// A store in a temporary folder, as the tests of migrations handle it.
struct TestStore {
  let url: URL

  /// Makes a store of a version with objects.
  init(
    _ name: String = "Store.sqlite", in folder: URL, of version: ModelVersion, frameworkVersion: Int = 1344,
    usesWAL: Bool = true, objects: [ManagedObject]
  ) throws {
    url = folder.appending(path: name)
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      _ = try createStore(
        in: db, version: version, frameworkVersion: frameworkVersion, objects: objects)
      if !usesWAL { try db.execute(sql: "PRAGMA journal_mode = DELETE") }
    }
    try queue.close()
  }

  init(at url: URL) { self.url = url }

  func copy(named name: String) throws -> TestStore {
    let target = url.deletingLastPathComponent().appending(path: name)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: target.path + suffix)
    }
    return TestStore(at: target)
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read(body)
  }

  func write(_ body: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in try withTriggersDisabled(on: db) { try body(db) } }
    try queue.close()
  }

  /// All objects, by entity and key.
  func objects(_ model: ManagedObjectModel) throws -> [ManagedObject] {
    try read { db in
      let (schema, _) = try db.readPhysicalSchema().bound(to: model)
      return try schema.tables.flatMap { table in
        try readObjects(ofEntity: table.rootEntityName, in: db, schema: schema, model: model)
      }
    }.map(withoutEmptyLists).sorted {
      ($0.id.entityName, $0.id.primaryKey) < ($1.id.entityName, $1.id.primaryKey)
    }
  }

  @discardableResult
  func migrate(
    _ model: VersionedModel, to target: String? = nil, route: RouteRequest = .auto,
    chain: ChainRule = .auto, allowing losses: Set<AcceptedLoss> = [.droppedData, .narrowedNumbers]
  ) throws -> MigrationReport {
    var options = MigrationOptions(targetVersion: target, acceptedLosses: losses, keepsBackup: false)
    options.route = route
    options.chain = chain
    return try migrateStore(at: url.path, models: [model], options: options)
  }

  func plan(
    _ model: VersionedModel, to target: String? = nil, allowing losses: Set<AcceptedLoss> = []
  ) throws -> MigrationPlan {
    var custom = CustomMigrations()
    custom.mappingFile = writeMappingFile
    return try planMigration(
      ofStoreAt: url.path, models: [model],
      options: MigrationOptions(targetVersion: target, acceptedLosses: losses), custom: custom)
  }
}

private func withoutEmptyLists(_ object: ManagedObject) -> ManagedObject {
  var object = object
  object.toMany = object.toMany.filter { !$0.value.isEmpty }
  return object
}

/// A model of the versions in their order, named V1, V2, ….
func versionedModel(_ models: [ManagedObjectModel], name: String = "Sample") -> VersionedModel {
  VersionedModel(
    name: name,
    versions: models.enumerated().map { ModelVersion(name: "V\($0.offset + 1)", model: $0.element) },
    currentVersionName: "V\(models.count)")
}

/// The same objects with unordered lists by key, so that equal objects compare equal.
func normalized(_ objects: [ManagedObject], _ model: ManagedObjectModel) -> [ManagedObject] {
  let hierarchy = EntityHierarchy(model)
  return objects.map { object in
    var object = object
    for (name, list) in object.toMany
    where hierarchy.relationship(named: name, of: object.id.entityName)?.isOrdered != true {
      object.toMany[name] = list.sorted { $0.primaryKey < $1.primaryKey }
    }
    return object
  }
}
