import Foundation
import ManagedModel
import PersistentStore

extension SegmentRunner {
  /// Brings back what an earlier downgrade kept and the earlier version had no place for, by primary keys, which a downgrade
  /// and forward keeps; nil if that was not asked for.
  func restoreLosses(_ plan: MigrationPlan, in file: PrivateStore) throws -> RestoredLosses? {
    guard let kept = run.options.restoredLosses else { return nil }
    try run.begin(.validate)
    guard let source = plan.versions.first else {
      throw DiagnosticsError(.nothingToRestore(kept, to: run.store, "the store's version is not known"))
    }
    let copy = try copy(ofKept: kept, for: plan, uuid: try file.read { try $0.readStoreMetadata().uuid })
    defer { copy.file.remove() }
    try file.attachSource(copy.file.path)
    return try file.write { db in
      let model = plan.target.model.restricted(toConfiguration: plan.configuration)
      let schema = PairedSchema(
        old: copy.physical.bound(to: model).schema, new: try db.readPhysicalSchema().bound(to: model).schema,
        hierarchy: EntityHierarchy(model))
      var tables = RestoredTables(db: db, schema: schema, lost: DowngradeLosses(of: plan, from: source))
      let work = ObjectWork(name: "restoring from '\(kept)'", versionName: plan.to) { _ in
        try tables.restore()
        try tables.takeLargeValues(from: kept, to: largeValues)
      }
      try ObjectWorkplace(version: plan.target, configuration: plan.configuration, monitor: run.monitor)
        .carryOut([work], in: db)
      return tables.restored
    }
  }

  /// A private copy of the kept file, which others may write to.
  private func copy(
    ofKept kept: String, for plan: MigrationPlan, uuid: String
  ) throws -> (file: PrivateStore, physical: PhysicalSchema) {
    let connection = try openStore(kept, among: run.request.models)
    let (metadata, physical) = try connection.read { db in
      (try db.readStoreMetadata(), try db.readPhysicalSchema())
    }
    if metadata.uuid != uuid {
      throw DiagnosticsError(
        .nothingToRestore(kept, to: run.store, "it was saved from another store, with another UUID"))
    }
    if metadata.versionHashes != plan.target.versionHashes(ofConfiguration: plan.configuration) {
      throw DiagnosticsError(.nothingToRestore(kept, to: run.store, "it is not of the version '\(plan.to)'"))
    }
    let file = try connection.clone(to: privatePath(besides: store.file.path))
    try file.finish(.rollback)
    try connection.close()
    return (file, physical)
  }
}

/// What an earlier version has no place for, in the later version's names.
struct DowngradeLosses {
  private(set) var entities: Set<String> = []
  private(set) var properties: Set<PropertyReference> = []
  /// To-many relationships whose objects go on, and their order does not.
  private(set) var orders: Set<PropertyReference> = []
  /// Numbers of a wider type, with what the downgrade made of them.
  private(set) var narrowed: [PropertyReference: PropertyMappingValue] = [:]

  /// What the downgrade from the plan's target to the version that it begins with and forward again do not carry.
  init(of plan: MigrationPlan, from source: ModelVersion) {
    let both = inferMappingModel(from: plan.target, to: source).mappingModel.composed(with: plan.mappingModel)
    let hierarchy = EntityHierarchy(plan.target.model)
    for mapping in both.entityMappings {
      guard let name = mapping.destinationEntityName else { continue }
      func reference(_ property: PropertyMapping) -> PropertyReference {
        hierarchy.reference(to: property.name, seenFrom: name)
          ?? PropertyReference(entity: name, property: property.name)
      }
      let isWhole = mapping.sourceEntityName == name
      if !isWhole { entities.insert(name) }
      for property in mapping.attributeMappings where isWhole {
        if property.value.sourceName != property.name {
          properties.insert(reference(property))
        } else if property.value != .source(property.name) {
          narrowed[reference(property)] = property.value
        }
      }
      for property in mapping.relationshipMappings {
        let inverse = hierarchy.relationship(named: property.name, of: name).flatMap(hierarchy.inverse)?.name
        let isCarried =
          property.value.sourceName == property.name
          || inverse != nil && property.referrers.contains { $0.property == inverse }
        if isWhole, !isCarried { properties.insert(reference(property)) }
        if !property.keepsOrder { orders.insert(reference(property)) }
      }
    }
  }
}

extension StoreReplacement {
  /// Writes a copy of a store that is about to be replaced, with its large values, to a file that must not exist, and does
  /// the work. Where that fails there is no such file.
  func keepingStore<Result>(at output: String, _ work: () throws -> Result) throws -> Result {
    let record = try CopyRecord(
      ofStoreAt: self.file.path, named: self.file.name, to: output)
    defer { record.remove() }
    let file = try stageCopy(for: output)
    defer { file.discard() }
    let data = MigratedExternalData(forStoreAt: output, like: self.file, seed: output, isNew: true)
    defer { data.discard() }
    try data.copyFiles(ofStoreAt: self.file.path)
    try data.finish(in: file)
    try file.finish(.rollback)
    try file.publish(at: output)
    data.keep()
    record.remove()
    do { return try work() } catch {
      try? removeFile(output)
      try? FileManager.default.removeItem(atPath: externalDataFolder(ofStoreAt: output))
      throw error
    }
  }
}
