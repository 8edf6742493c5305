package import ManagedModel
package import ModelMigration
package import PersistentStore

/// Compares a store with the one that it was migrated from: every object by its key, every value that both versions have,
/// references, join rows and files of external data included.
///
/// Where mapping models lie on the way, they say which objects become which, and what is compared: values that they copy,
/// of objects that keep their keys.
///
/// It reads both in the order of keys, a row of each at a time, so memory does not grow with them. Of two stores that share the
/// files of external data, by hard links, these are not read.
///
/// - Parameters:
///   - oldPath: where the old store lies, as the user wrote it.
///   - newPath: the same of the migrated one.
///
/// - Throws: ``DiagnosticsError``: MC5102 where one is of no known version, MC3404 or MC5104 where no path leads from
///   the old one's version to the new one's.
package func compareStores(
  before: StoreDatabase, at oldPath: String, after: StoreDatabase, at newPath: String,
  models: [VersionedModel], custom: CustomMigrations = CustomMigrations()
) throws -> StoreComparison {
  let (joined, custom, _) = try joiningModels(
    models, custom, for: before.readStoreMetadata(), store: oldPath, to: nil, isDowngrade: true,
    ends: recogniseStore(metadata: after.readStoreMetadata(), among: models).mergedFrom)
  let models = try joined.map { try $0.including(versionOf: before) }
  let old = try StoreSide(before, oldPath, models)
  let new = try StoreSide(after, newPath, models)
  guard let match = new.matches.last, let model = models.first(where: { $0.name == match.modelName }),
    let target = model.version(named: match.versionName)
  else { throw try DiagnosticsError(after.unrecognised(newPath, new.metadata, among: models)) }
  let starts = old.matches.filter { $0.modelName == model.name }.map(\.versionName)
  let path = try migrationPath(in: model, from: starts, to: target, store: oldPath, isDowngrade: true)
  guard let first = path.first else {
    throw try DiagnosticsError(before.unrecognised(oldPath, old.metadata, among: models))
  }
  let (source, destination) = (old.bound(to: first), new.bound(to: target))
  let way = ComparedPath(path, of: model, custom, target: target)
  before.registerExpressionFunctions()
  let rows = ObjectRows(before, schema: source.schema, model: source.hierarchy.model)
  let cascaded = try way.cascadingStep?.countCascaded(rows) ?? [:]
  var entities: [StoreComparison.Entity] = []
  for entityMapping in way.mapping.entityMappings {
    var entity = try compare(entityMapping, way, source, destination)
    entity.cascaded = entity.source.flatMap { cascaded[$0] } ?? 0
    entities.append(entity)
  }
  return StoreComparison(
    from: first.name, to: target.name, keepsIdentity: old.metadata.uuid == new.metadata.uuid,
    entities: entities)
}

extension VersionedModel {
  /// Of an app without schemas SwiftData infers the step from whatever it made before: what the store itself carries.
  func including(versionOf db: StoreDatabase) throws -> VersionedModel {
    let metadata = try db.readStoreMetadata()
    guard isSchemaWithoutPast, recogniseStore(metadata: metadata, among: [self]).versions.isEmpty,
      let own = try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: metadata),
      recogniseStore(metadata: metadata, among: [self], storeModel: own).nearest.first?.isOfSameApp == true
    else { return self }
    var model = self
    model.versions.insert(ModelVersion(name: "the store's own model", model: own, origin: .xcode), at: 0)
    return model
  }
}

/// All steps in one, and what they leave to be compared.
struct ComparedPath {
  var mapping = MappingModel(entityMappings: [], isInferred: true)
  /// Entities of the target whose objects a policy, a group or several mappings make: they have keys of their own.
  private(set) var rekeyed: Set<String> = []
  /// The first step where it takes objects along that refer to others.
  private(set) var cascadingStep: MappingModel?
  /// Entities of which a filter takes a part.
  private(set) var filtered: Set<String> = []
  /// Whether a person has decided what goes.
  private(set) var isWritten = false

  init(_ path: [ModelVersion], of model: VersionedModel, _ custom: CustomMigrations, target: ModelVersion) {
    guard path.count > 1 else {
      mapping = inferMappingModel(from: target, to: target).mappingModel
      return
    }
    var isFirst = true
    for segment in path.segments(of: model, custom: custom, rule: .auto, stops: [], isContinuation: false) {
      let step = segment.custom?.mappingModel ?? segment.inferred
      isWritten = isWritten || segment.custom != nil
      let rekeys = segment.custom != nil ? step.rekeyedEntities(segment.versions) : []
      func reached(from former: Set<String>, _ own: (EntityMapping) -> Bool) -> Set<String> {
        Set(
          step.entityMappings.filter { own($0) || $0.sourceEntityName.map(former.contains) ?? false }
            .compactMap(\.destinationEntityName))
      }
      rekeyed = reached(from: rekeyed) { $0.destinationEntityName.map(rekeys.contains) ?? false }
      // Of the first step its rows tell which; of a later one any may have gone.
      let cascading = Set(step.entityMappings.filter { $0.onDrop == .cascade }.compactMap(\.sourceEntityName))
      let holders = segment.versions.first.map { EntityHierarchy($0.model).holders(of: cascading) } ?? []
      let cascaded = isFirst ? [] : holders
      if isFirst, !cascading.isEmpty { cascadingStep = step }
      filtered = reached(from: filtered) { $0.filter != nil || cascaded.contains($0.sourceEntityName ?? "") }
      mapping = isFirst ? step : mapping.composed(with: step)
      isFirst = false
    }
  }

  /// Whether a relationship's members are there under their keys.
  func keepsKeys(of relationship: RelationshipDescription, in hierarchy: EntityHierarchy) -> Bool {
    rekeyed.union(filtered).isDisjoint(
      with: hierarchy.descendantNames(includingSelf: relationship.destinationEntityName))
  }
}

extension MappingModel {
  /// Entities of the destination whose objects do not all have the keys of those that they are made of.
  fileprivate func rekeyedEntities(_ versions: [ModelVersion]) -> Set<String> {
    guard let first = versions.first, let last = versions.last else { return [] }
    let (source, destination) = (EntityHierarchy(first.model), EntityHierarchy(last.model))
    // The rows of one table keep their keys in another one: the first, or the one of the same name.
    var homes: [String: String] = [:]
    for mapping in entityMappings {
      guard let (from, to) = mapping.tables(source, destination) else { continue }
      if homes[to] == nil || from == to { homes[to] = from }
    }
    return Set(
      entityMappings.filter { mapping in
        guard let (from, to) = mapping.tables(source, destination) else { return mapping.policyName != nil }
        let rivals = mappings(fromEntity: mapping.sourceEntityName ?? "").filter {
          $0.tables(source, destination)?.to == to
        }
        return homes[to] != from || rivals.count > 1 || mapping.grouping != nil || mapping.policyName != nil
          || mappings(toEntity: mapping.destinationEntityName ?? "").count > 1
      }.compactMap(\.destinationEntityName))
  }
}

extension EntityMapping {
  fileprivate func tables(
    _ source: EntityHierarchy, _ destination: EntityHierarchy
  ) -> (from: String, to: String)? {
    guard let from = sourceEntityName, let to = destinationEntityName else { return nil }
    return (source.rootName(of: from), destination.rootName(of: to))
  }
}

/// A store that is compared.
private struct StoreSide {
  let db: StoreDatabase
  let path: String
  let metadata: StoreMetadata
  let recognition: Recognition
  let physical: PhysicalSchema
  var matches: [RecognisedVersion] { recognition.versions }

  init(_ db: StoreDatabase, _ path: String, _ models: [VersionedModel]) throws {
    (self.db, self.path) = (db, path)
    metadata = try db.readStoreMetadata()
    physical = try db.readPhysicalSchema()
    recognition = recogniseStore(metadata: metadata, among: models)
    guard recognition.versions.isEmpty else { return }
    throw try DiagnosticsError(db.unrecognised(path, metadata, among: models))
  }

  func bound(to version: ModelVersion) -> BoundSide {
    let configuration = recognition.versions.first { $0.versionName == version.name }?.configuration
    let model = version.model.restricted(toConfiguration: configuration)
    return BoundSide(
      db: db, path: path, schema: physical.bound(to: model).schema, hierarchy: EntityHierarchy(model))
  }
}

struct BoundSide {
  let db: StoreDatabase
  /// Where the store lies.
  let path: String
  let schema: StoreSchema
  let hierarchy: EntityHierarchy

  /// The column that holds a stored attribute or to-one of an entity.
  func column(of property: String, in entity: String) -> String? {
    guard let owner = hierarchy.declaringEntityName(of: property, seenFrom: entity),
      let table = schema.table(ofEntity: entity)
    else { return nil }
    let reference = PropertyReference(entity: owner, property: property)
    return (table.column(for: .attribute(reference)) ?? table.column(for: .toOne(reference)))?.name
  }

  func keepsExternalData(_ property: String, of entity: String) -> Bool {
    hierarchy.attribute(named: property, of: entity)?.allowsExternalBinaryDataStorage == true
  }

  /// Whether a row's key of a to-one is one that a step drops and reports: those of objects that the version has no place for
  /// in it, and in a custom step those that lead nowhere.
  func dropCondition(
    _ property: PropertyMapping, of mapping: EntityMapping, isCustom: Bool
  ) -> SQLExpression? {
    guard let entity = mapping.sourceEntityName, let name = property.value.sourceName,
      let relationship = hierarchy.relationship(named: name, of: entity), !relationship.isToMany,
      let column = column(of: name, in: entity)?.quotedIdentifier, let table = schema.table(ofEntity: entity),
      let target = schema.table(ofEntity: relationship.destinationEntityName)
    else { return nil }
    let all = hierarchy.descendantNames(includingSelf: relationship.destinationEntityName)
    let reached = all.filter { property.reachableEntities.isEmpty || property.reachableEntities.contains($0) }
    if !isCustom, reached.count == all.count { return nil }
    let kinds = reached.compactMap { schema.entity(named: $0).map { "\($0.number)" } }.joined(separator: ", ")
    // Of a tree both tables are one.
    let other =
      "EXISTS (SELECT 1 FROM \(target.name.quotedIdentifier) AS other"
      + " WHERE other.Z_PK = \(table.name.quotedIdentifier).\(column)"
    return .literal("(NOT \(other) AND other.Z_ENT IN (\(kinds)))" + (isCustom ? ")" : " AND \(other)))"))
  }

  func count(of entity: String?) throws -> Int {
    guard let entity, let layout = schema.entity(named: entity), let table = schema.table(ofEntity: entity)
    else { return 0 }
    return try countRows(db, table: table.name, where: .entity(in: [layout.number]))
  }

  /// The rows of this very entity, in the order of their keys: the key, then the cells.
  func rows(of entity: String?, _ cells: [SQLExpression]) throws -> RowReader? {
    guard let entity, let layout = schema.entity(named: entity), let table = schema.table(ofEntity: entity)
    else { return nil }
    let list = (["Z_PK"] + cells.map(\.sql)).joined(separator: ", ")
    return try RowReader(
      db, sql: "SELECT \(list) FROM \(table.name.quotedIdentifier) WHERE Z_ENT = ? ORDER BY Z_PK",
      Int64(layout.number))
  }
}

/// A property that both sides hold in a column.
private struct ComparedProperty {
  /// Whether a step drops the key of a to-one, and the column of the rows that tells.
  var dropped: SQLExpression?
  var droppedPlace: Int?
  var name: String
  var value: PropertyMappingValue
  var sourceColumn: SQLExpression
  var destinationColumn: SQLExpression
  var sourceIsExternal: Bool
  var destinationIsExternal: Bool

  var converted: SQLExpression { value.converting(sourceColumn) }

  /// Whether the value in a column of two rows is what the mapping says: the same, or the default for null.
  func isCarried(
    _ before: RowReader, _ after: RowReader, _ column: Int, _ source: BoundSide, _ destination: BoundSide
  ) throws -> Bool {
    let (old, new) = (before.cell(column), after.cell(column))
    switch value {
    case .constant, .expression: return true
    case .defaulted: if old == .null { return new != .null }
    case .source:
      if new == .null, let droppedPlace, before.cell(droppedPlace) == .integer(1) { return true }
    case .converted: break
    }
    if old == new, try !sourceIsExternal || old.isSharedFile(ofStoresAt: source.path, destination.path) {
      return true
    }
    // A backup has no folder of its own: its files stay beside the store.
    let one = sourceIsExternal ? try old.readingExternalData(ofStoreAt: source.path, destination.path) : old
    let other = destinationIsExternal ? try new.readingExternalData(ofStoreAt: destination.path) : new
    return one == other || one.isSameNumber(as: other)
  }
}

private func compare(
  _ mapping: EntityMapping, _ way: ComparedPath, _ source: BoundSide, _ destination: BoundSide
) throws -> StoreComparison.Entity {
  var entity = StoreComparison.Entity(
    source: mapping.sourceEntityName, destination: mapping.destinationEntityName)
  if let name = mapping.destinationEntityName, way.rekeyed.contains(name) {
    entity.isRekeyed = true
    entity.before = try source.count(of: mapping.sourceEntityName)
    entity.after = try destination.count(of: name)
    return entity
  }
  entity.isFiltered = mapping.destinationEntityName.map(way.filtered.contains) ?? false
  let properties = comparedProperties(mapping, way, source, destination)
  var links = try way.links(mapping, source, destination)
  let lost = mapping.destinationEntityName == nil || way.isWritten ? [] : lostProperties(mapping, source)
  let converted = properties.indices.filter { properties[$0].converted != properties[$0].sourceColumn }
  let cells = properties.map(\.sourceColumn) + properties.compactMap(\.dropped) + lost.map(\.column)
  let old = try source.rows(of: mapping.sourceEntityName, cells + converted.map { properties[$0].converted })
  let new = try destination.rows(of: mapping.destinationEntityName, properties.map(\.destinationColumn))
  var changed = properties.map { StoreComparison.Property(name: $0.name, objects: .init()) }
  var narrowed = changed
  var gone = lost.map { StoreComparison.Property(name: $0.name, objects: .init()) }
  var left = try old?.nextKey()
  var right = try new?.nextKey()
  while left != nil || right != nil {
    let key = min(left ?? .max, right ?? .max)
    if left == key, let old {
      entity.before += 1
      for index in gone.indices where old.cell(1 + cells.count - lost.count + index) != .null {
        gone[index].objects.add(key)
      }
      if right != key { entity.missing.add(key) }
    }
    if right == key {
      entity.after += 1
      if left != key { entity.added.add(key) }
    }
    if left == right, let old, let new {
      entity.carried += 1
      for (index, property) in properties.enumerated()
      where try !property.isCarried(old, new, 1 + index, source, destination) {
        let place = converted.firstIndex(of: index).map { 1 + cells.count + $0 }
        if let place, new.cell(1 + index).isSameNumber(as: old.cell(place), property.value) {
          narrowed[index].objects.add(key)
        } else {
          changed[index].objects.add(key)
        }
      }
      for index in links.indices { try links[index].compare(of: key) }
    }
    // Values are read before the readers move on.
    if left == key { left = try old?.nextKey() }
    if right == key { right = try new?.nextKey() }
  }
  entity.changed = (changed + links.map(\.changed)).filter { $0.objects.count > 0 }
  entity.narrowed = narrowed.filter { $0.objects.count > 0 }
  entity.lost = gone.filter { $0.objects.count > 0 }
  return entity
}

private func comparedProperties(
  _ mapping: EntityMapping, _ way: ComparedPath, _ source: BoundSide, _ destination: BoundSide
) -> [ComparedProperty] {
  guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else { return [] }
  let all = mapping.attributeMappings + mapping.relationshipMappings
  var properties = all.compactMap { property -> ComparedProperty? in
    guard !property.givesWay, let name = property.value.sourceName,
      let sourceColumn = source.column(of: name, in: from),
      let destinationColumn = destination.column(of: property.name, in: to),
      destination.hierarchy.attribute(named: property.name, of: to)?.isDerived != true,
      destination.hierarchy.relationship(named: property.name, of: to).map({
        way.keepsKeys(of: $0, in: destination.hierarchy)
      }) ?? true
    else { return nil }
    return ComparedProperty(
      dropped: source.dropCondition(property, of: mapping, isCustom: way.isWritten),
      name: property.name, value: property.value, sourceColumn: .column(sourceColumn),
      destinationColumn: .column(destinationColumn),
      sourceIsExternal: source.keepsExternalData(name, of: from),
      destinationIsExternal: destination.keepsExternalData(property.name, of: to))
  }
  let dropping = properties.indices.filter { properties[$0].dropped != nil }
  let first = 1 + properties.count
  for (place, index) in dropping.enumerated() { properties[index].droppedPlace = first + place }
  return properties
}

private func lostProperties(
  _ mapping: EntityMapping, _ source: BoundSide
) -> [(name: String, column: SQLExpression)] {
  guard let from = mapping.sourceEntityName else { return [] }
  let attributes = source.hierarchy.members(of: from).filter { !$0.isDerived }.map(\.name)
  return attributes.filter { !mapping.carries(sourceProperty: $0) }.compactMap { name in
    source.column(of: name, in: from).map { (name, .column($0)) }
  }
}

extension StoredCell {
  /// Numbers are equal across SQLite's two kinds.
  fileprivate func isSameNumber(as other: StoredCell) -> Bool {
    switch (self, other) {
    case (.integer(let number), .real(let value)), (.real(let value), .integer(let number)):
      Double(number) == value
    default: false
    }
  }

  /// Whether it is what a mapping makes of a number; what four bytes hold of it may have been stored since.
  fileprivate func isSameNumber(as converted: StoredCell, _ value: PropertyMappingValue) -> Bool {
    if self == .null { return false }
    if self == converted || isSameNumber(as: converted) { return true }
    guard case .converted(_, _, .float) = value, let own = double, let other = converted.double
    else { return false }
    return own == Double(Float(other))
  }
}
