import GRDB
package import ManagedModel
import PersistentStore

/// What becomes of objects that refer to those of which a mapping makes nothing.
///
/// It works on tables of the source: on those of a store that is planned for, or on those beside the destination's, where
/// the pairs of objects are known.
struct DropRules {
  let db: Database
  let source: StoreSchema
  let hierarchy: EntityHierarchy
  /// The name of the source among the connection's databases.
  var database = "main"
  /// Keys of an entity's rows, each with that of the row that stays for its group, as a query; nil where none are grouped.
  var groups: (String) -> String? = { _ in nil }
  /// Which rows of an entity go, as SQL.
  let isDropped: (EntityLayout) -> String

  /// The beginning of a query that defines `dropped`, numbers and keys: the objects of some entities that go, those that
  /// hold references to them, those that hold references to these, and so on.
  func cascade(from entities: Set<String>) -> String? {
    let going = hierarchy.holders(of: entities).union(entities)
    let first = source.entities.filter { entities.contains($0.name) }.compactMap { rows(of: [$0]) }
    let next = references(ColumnRole.toOne).filter { reference in
      going.contains { hierarchy.isKind($0, of: reference.entity) }
    }.map { reference -> String in
      let numbers = source.entities(in: reference.target).map(\.number).sqlList
      return """
        SELECT h.Z_ENT, h.Z_PK FROM dropped AS d \
        JOIN \(name(reference.table.name)) AS h ON h.\(reference.column.name.quotedIdentifier) = d.key \
        WHERE d.entity IN (\(numbers))
        """
    }
    if first.isEmpty { return nil }
    return "WITH RECURSIVE dropped (entity, key) AS (\((first + next).joined(separator: " UNION ")))"
  }

  /// How many objects of each entity a cascade takes along, of those that do not go by themselves; groups count once, where all
  /// their objects go.
  func countCascaded(from entities: Set<String>) throws -> [String: Int] {
    guard !entities.isEmpty, let dropped = cascade(from: entities) else { return [:] }
    var counts: [String: Int] = [:]
    for name in hierarchy.holders(of: entities) {
      guard let entity = source.entity(named: name), let own = rows(of: [entity]) else { continue }
      let going = "SELECT entity, key FROM dropped WHERE entity = \(entity.number)"
      let rows =
        groups(name).map {
          "SELECT kept FROM (\($0)) GROUP BY kept HAVING COUNT(*) = SUM((\(entity.number), pk) IN (\(going)))"
        } ?? "\(going) EXCEPT \(own)"
      let count = try Int.fetchOne(db, sql: "\(dropped) SELECT COUNT(*) FROM (\(rows))") ?? 0
      if count > 0 { counts[name] = count }
    }
    return counts
  }

  /// How many references of objects that stay lead to objects of the entity that go, by their relationships.
  ///
  /// - Parameters:
  ///   - cascading: entities whose objects take others along before.
  ///   - countsMembers: whether also members of lists without an inverse that these objects have.
  func countReferences(
    toDroppedOf entity: String, afterCascadeFrom cascading: Set<String> = [], countsMembers: Bool = false
  ) throws -> [PropertyReference: Int] {
    guard let layout = source.entity(named: entity), let table = source.table(ofEntity: entity) else {
      return [:]
    }
    let cascade = cascading.isEmpty ? nil : cascade(from: cascading)
    func gone(_ entities: [EntityLayout]) -> String {
      let numbers = entities.map(\.number).sqlList
      let along = cascade.map { _ in "SELECT entity, key FROM dropped WHERE entity IN (\(numbers))" }
      return [rows(of: entities), along].compactMap(\.self).joined(separator: " UNION ")
    }
    let dropped = gone([layout])
    func count(_ rows: String, holder: TableLayout, _ member: String) throws -> Int {
      let others = source.entities(in: holder)
      return try Int.fetchOne(
        db,
        sql: """
          \(cascade ?? "") SELECT COUNT(*) FROM \(rows) WHERE \(member) IN (SELECT key FROM (\(dropped))) \
          AND (h.Z_ENT, h.Z_PK) NOT IN (\(gone(others)))
          """) ?? 0
    }
    var counts: [PropertyReference: Int] = [:]
    let keys = references(ColumnRole.toOne) + (countsMembers ? references(ColumnRole.owner) : [])
    for reference in keys where reference.target.name == table.name {
      counts[reference.reference, default: 0] += try count(
        "\(name(reference.table.name)) AS h", holder: reference.table,
        "h.\(reference.column.name.quotedIdentifier)")
    }
    // To-many relationships that no to-one of their members tells: in join tables, and in the members' own rows as their
    // owner. `list` has a row for each member, with the columns of the two keys.
    func add(_ list: String, _ member: String, _ holder: String, of relationship: PropertyReference) throws {
      guard let holders = source.table(ofEntity: relationship.entity) else { return }
      counts[relationship, default: 0] += try count(
        "\(name(list)) AS l JOIN \(name(holders.name)) AS h ON h.Z_PK = l.\(holder.quotedIdentifier)",
        holder: holders, "l.\(member.quotedIdentifier)")
    }
    for join in source.joinTables.flatMap({ [$0, $0.reversed] })
    where source.table(ofEntity: join.near.entity)?.name == table.name {
      try add(join.name, join.near.column, join.far.column, of: join.far.relationship)
    }
    for column in table.columns {
      guard case .owner(let reference) = column.role else { continue }
      try add(table.name, "Z_PK", column.name, of: reference)
    }
    return counts
  }

  private func name(_ table: String) -> String { "\(database).\(table.quotedIdentifier)" }

  /// A query of the rows that go of some entities of one table: number and key.
  private func rows(of entities: [EntityLayout]) -> String? {
    guard let table = entities.first.flatMap({ source.table(ofEntity: $0.name) }) else { return nil }
    let conditions = entities.map { "(Z_ENT = \($0.number) AND \(isDropped($0)))" }
    return
      "SELECT Z_ENT AS entity, Z_PK AS key FROM \(name(table.name)) WHERE \(conditions.balanced(" OR "))"
  }

  /// Every column of the source with keys of this role.
  private func references(_ role: (PropertyReference) -> ColumnRole) -> [ReferenceColumn] {
    source.referenceColumns(hierarchy).filter { $0.column.role == role($0.reference) }
  }
}

extension DropRules {
  /// What mappings do not take of a store that is not migrated yet, as far as its rows can be asked.
  init(_ mappingModel: MappingModel, _ rows: ObjectRows) {
    let groups = { (entity: String) in mappingModel.groups(of: entity, rows) }
    self.init(db: rows.db, source: rows.schema, hierarchy: rows.hierarchy, groups: groups) { entity in
      mappingModel.rowsTaken(of: entity.name, rows).map { SQLCondition.not($0).sql } ?? "0"
    }
  }
}

extension MappingModel {
  /// How many objects of each entity go with those that they refer to, of those that do not go by themselves.
  package func countCascaded(_ rows: ObjectRows) throws -> [String: Int] {
    try DropRules(self, rows).countCascaded(from: sources(dropping: .cascade, rows))
  }

  /// Entities with a rule for what is dropped of them, as far as their rows can be asked.
  func sources(dropping rule: DropRule, _ rows: ObjectRows) -> Set<String> {
    Set(
      entityMappings.filter { $0.onDrop == rule }.compactMap(\.sourceEntityName)
        .filter { rowsTaken(of: $0, rows) != nil })
  }

  /// Keys of an entity's rows, each with that of the row that its references follow, as a query; nil where that is no other one.
  func groups(of entity: String, _ rows: ObjectRows) -> String? {
    let takers = mappings(fromEntity: entity).filter { $0.destinationEntityName != nil }
    guard takers.count == 1, takers[0].onDrop == .repoint, takers[0].policyName == nil else { return nil }
    return rows.keptKeysSQL(takers[0], ofAll: true)
  }

  /// Of a group whose references do not follow it, only what stays for it is taken.
  fileprivate func rowsTaken(of entity: String, _ rows: ObjectRows) -> SQLCondition? {
    let takers = mappings(fromEntity: entity).filter { $0.destinationEntityName != nil }
    if takers.contains(where: { $0.policyName != nil }) { return nil }
    let taken = takers.compactMap { mapping -> SQLCondition? in
      if mapping.grouping == nil || mapping.onDrop == .repoint { return rows.rows(takenBy: mapping) }
      return rows.keptKeysSQL(mapping).map { .satisfies("Z_PK IN (\($0))") }
    }
    return taken.count == takers.count ? .any(taken) : nil
  }
}

extension AssociationTable {
  /// The same while objects are copied: what goes are objects that nothing was made of.
  func dropRules(_ model: ManagedObjectModel) throws -> DropRules {
    try materializeAll()
    try db.execute(
      sql:
        "CREATE INDEX IF NOT EXISTS temp.modelc_association_entity ON modelc_association (source_entity, source)"
    )
    return DropRules(db: db, source: source, hierarchy: EntityHierarchy(model), database: "source") { _ in
      """
      NOT EXISTS (SELECT 1 FROM temp.modelc_association AS a \
      WHERE a.source_entity = Z_ENT AND a.source = Z_PK)
      """
    }
  }

  /// Source objects that nothing was made of, and those that hold references to them, and so on.
  ///
  /// - Parameter entities: whose dropped objects take others along.
  /// - Returns: the objects that were made of source objects that all go, which the caller removes.
  package func cascade(from entities: Set<String>, model: ManagedObjectModel) throws -> [ManagedObject.ID] {
    guard let dropped = try dropRules(model).cascade(from: entities) else { return [] }
    try db.execute(
      sql: "CREATE TEMP TABLE modelc_dropped (entity INTEGER, key INTEGER, PRIMARY KEY (entity, key))")
    defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_dropped") }
    try db.execute(sql: "INSERT INTO temp.modelc_dropped \(dropped) SELECT entity, key FROM dropped")
    let willBeDropped =
      "EXISTS (SELECT 1 FROM temp.modelc_dropped AS d "
      + "WHERE d.entity = modelc_association.source_entity AND d.key = modelc_association.source)"
    let made = "SELECT destination_entity, destination FROM temp.modelc_association WHERE"
    let found = try RowReader(db, sql: "\(made) \(willBeDropped) EXCEPT \(made) NOT \(willBeDropped)")
      .objects(destinationNames)
    try db.execute(sql: "DELETE FROM temp.modelc_association WHERE \(willBeDropped)")
    return found
  }
}
