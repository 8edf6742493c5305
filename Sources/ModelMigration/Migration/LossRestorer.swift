import Foundation
import ManagedModel
import PersistentStore

/// Brings back what the earlier version had no place for, by primary keys, which a downgrade and forward keeps.
struct LossRestorer {
  let plan: MigrationPlan
  let models: [VersionedModel]
  /// A store of the target version, as the user names it.
  let kept: String
  let storePath: String
  let externalData: MigratedExternalData
  let monitor: MigrationMonitor

  func restore(in file: PrivateStore) throws -> RestoredLosses {
    let lost = try lostParts()
    let copy = try copyOfKept(besides: storePath, uuid: try file.read { try $0.readStoreMetadata().uuid })
    defer { copy.file.remove() }
    try file.attachSource(copy.file.path)
    return try file.write { db in
      let model = plan.target.model.restricted(toConfiguration: plan.configuration)
      var tables = RestoredTables(
        db: db, old: copy.physical.bound(to: model).schema,
        new: try db.readPhysicalSchema().bound(to: model).schema, lost: lost,
        hierarchy: EntityHierarchy(model))
      let work = ObjectWork(name: "restoring from '\(kept)'", versionName: plan.to) { _ in
        try tables.restore()
        try tables.takeLargeValues(from: kept, to: externalData)
      }
      try ObjectWorkplace(version: plan.target, configuration: plan.configuration, monitor: monitor)
        .carryOut([work], in: db)
      return tables.restored
    }
  }

  /// What the downgrade and forward, taken together, does not carry.
  private func lostParts() throws -> LostParts {
    guard let source = plan.versions.first else { throw refusal("the store's version is not known") }
    let both = inferMappingModel(from: plan.target, to: source).mappingModel.composed(with: plan.mappingModel)
    let hierarchy = EntityHierarchy(plan.target.model)
    var lost = LostParts()
    for mapping in both.entityMappings {
      guard let name = mapping.destinationEntityName else { continue }
      func reference(_ property: PropertyMapping) -> PropertyReference {
        hierarchy.reference(to: property.name, seenFrom: name)
          ?? PropertyReference(entity: name, property: property.name)
      }
      let isWhole = mapping.sourceEntityName == name
      if !isWhole { lost.entities.insert(name) }
      for property in mapping.attributeMappings {
        if !isWhole { continue }
        if property.value.sourceName != property.name {
          lost.properties.insert(reference(property))
        } else if property.value != .source(property.name) {
          lost.narrowed[reference(property)] = property.value
        }
      }
      for property in mapping.relationshipMappings {
        let inverse = hierarchy.relationship(named: property.name, of: name).flatMap(hierarchy.inverse)?.name
        let isCarried =
          property.value.sourceName == property.name
          || inverse != nil && property.referrers.contains { $0.property == inverse }
        if isWhole, !isCarried { lost.properties.insert(reference(property)) }
        if !property.keepsOrder { lost.orders.insert(reference(property)) }
      }
    }
    return lost
  }

  /// A private copy of the kept file, which others may write to.
  private func copyOfKept(
    besides store: String, uuid: String
  ) throws -> (file: PrivateStore, physical: PhysicalSchema) {
    let connection = try openStore(kept, among: models)
    let (metadata, physical) = try connection.read { db in
      (try db.readStoreMetadata(), try db.readPhysicalSchema())
    }
    if metadata.uuid != uuid { throw refusal("it is of another store, with another UUID") }
    if metadata.versionHashes != plan.target.versionHashes(ofConfiguration: plan.configuration) {
      throw refusal("it is not of the version '\(plan.to)'")
    }
    let file = try connection.clone(to: privatePath(besides: store))
    try file.finish(.rollback)
    try connection.close()
    return (file, physical)
  }

  private func refusal(_ reason: String) -> DiagnosticsError {
    DiagnosticsError(.nothingToRestore(kept, reason))
  }
}

/// What an earlier version has no place for, in the later version's names.
struct LostParts {
  var entities: Set<String> = []
  var properties: Set<PropertyReference> = []
  /// To-many relationships whose objects go on, and their order does not.
  var orders: Set<PropertyReference> = []
  /// Numbers of a wider type, with what the downgrade made of them.
  var narrowed: [PropertyReference: PropertyMappingValue] = [:]
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
