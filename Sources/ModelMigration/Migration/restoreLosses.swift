import ManagedModel
import PersistentStore

extension SegmentRunner {
  /// Brings back what an earlier downgrade kept and the earlier version had no place for, by primary keys, which a downgrade
  /// and forward keeps; nil if that was not asked for.
  func restoreLosses(_ plan: MigrationPlan, in file: PrivateStore) throws -> RestoredLosses? {
    guard let kept = run.options.restoredLosses, let source = plan.versions.first else { return nil }
    try run.begin(.validate)
    let copy = try copy(ofKept: kept, for: plan, uuid: try file.read { try $0.readStoreMetadata().uuid })
    defer { copy.file.remove() }
    try file.attachSource(copy.file.path)
    return try file.write { db in
      let model = plan.target.model.restricted(toConfiguration: plan.configuration)
      let schema = PairedSchema(
        old: copy.physical.bound(to: model).schema, new: try db.readPhysicalSchema().bound(to: model).schema,
        hierarchy: EntityHierarchy(model))
      var tables = RestoredTables(db: db, schema: schema, lost: DowngradeLosses(of: plan, from: source))
      let work = ObjectWork(name: "restoring from '\(kept)'") { _ in
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
  /// The entities whose objects lose an attribute: `Note.size`, which the earlier version's `Tag` has, is lost for notes alone.
  private(set) var values: [PropertyReference: Set<String>] = [:]
  /// The links that go between objects that stay, by the entity that they begin at.
  private(set) var links: [PropertyReference: [String: Set<String>]] = [:]
  /// Relationships of which other links stay: what they are by now is newer.
  private(set) var partial: Set<PropertyReference> = []
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
          values[reference(property), default: []].insert(name)
        } else if property.value != .source(property.name) {
          narrowed[reference(property)] = property.value
        }
      }
      for property in mapping.relationshipMappings where !property.keepsOrder {
        orders.insert(reference(property))
      }
    }
    for (past, relationship) in hierarchy.storedRelationships {
      links[past] = lostLinks(of: past, to: relationship.destinationEntityName, both, hierarchy)
    }
  }

  private mutating func lostLinks(
    of past: PropertyReference, to destination: String, _ both: MappingModel, _ hierarchy: EntityHierarchy
  ) -> [String: Set<String>] {
    func staying(_ name: String) -> [String] {
      hierarchy.descendantNames(includingSelf: name).filter { !entities.contains($0) }
    }
    let inverse = hierarchy.inverse(of: past)
    let others = staying(destination)
    let lost = staying(past.entity).map { from in
      let gone = others.filter { to in
        !both.keeps(past, inverse: inverse, from: from, to: to)
          && inverse.map { both.keeps($0, inverse: past, from: to, to: from) } != true
      }
      if gone.count < others.count { partial.insert(past) }
      return (from, Set(gone))
    }
    return Dictionary(firstOf: lost.filter { !$0.1.isEmpty })
  }
}

extension MappingModel {
  /// Whether a relationship stays what it is between objects of two entities, by itself or because the inverse gives it.
  fileprivate func keeps(
    _ past: PropertyReference, inverse: PropertyReference?, from: String, to: String
  ) -> Bool {
    let giver = inverse.map { PropertyReference(entity: to, property: $0.property) }
    return mappings(toEntity: from).flatMap(\.relationshipMappings).contains { property in
      property.name == past.property && property.reachableEntities.contains(to)
        && (property.value.sourceName == past.property || giver.map(property.referrers.contains) == true)
    }
  }
}

extension StoreReplacement {
  /// Writes a copy of a store that is about to be replaced, with its large values, to a file that must not exist, and does
  /// the work. Where that fails there is no such file.
  func keepingStore<Result>(at output: String, _ work: () throws -> Result) throws -> Result {
    let record = try CopyRecord(ofStoreAt: self.file.path, named: self.file.name, to: output)
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
      // The folder may be that of a store with the same name and another extension.
      data.takeBack()
      throw error
    }
  }
}
