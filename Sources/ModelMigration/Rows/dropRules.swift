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
  /// Which rows of an entity go, as SQL.
  let isDropped: (EntityLayout) -> String

  /// The beginning of a query that defines `dropped`, numbers and keys: the objects of some entities that go, those that
  /// hold references to them, those that hold references to these, and so on.
  func cascade(from entities: Set<String>) -> String? {
    let going = hierarchy.holders(of: entities).union(entities)
    let first = source.entities.filter { entities.contains($0.name) }.compactMap { rows(of: [$0]) }
    let next = references.filter { reference in
      going.contains { hierarchy.isKind($0, of: reference.entity) }
    }.map { reference in
      """
      SELECT h.Z_ENT, h.Z_PK FROM dropped AS d \
      JOIN \(name(reference.holder.name)) AS h ON h.\(reference.column.quotedIdentifier) = d.key \
      WHERE d.entity IN (\(numbers(in: reference.target)))
      """
    }
    if first.isEmpty { return nil }
    return "WITH RECURSIVE dropped (entity, key) AS (\((first + next).joined(separator: " UNION ")))"
  }

  /// How many objects of each entity a cascade takes along, of those that do not go by themselves.
  func countCascaded(from entities: Set<String>) throws -> [String: Int] {
    guard !entities.isEmpty, let dropped = cascade(from: entities) else { return [:] }
    var counts: [String: Int] = [:]
    for name in hierarchy.holders(of: entities) {
      guard let entity = source.entity(named: name), let own = rows(of: [entity]) else { continue }
      let rows = "SELECT entity, key FROM dropped WHERE entity = \(entity.number) EXCEPT \(own)"
      let count = try Int.fetchOne(db, sql: "\(dropped) SELECT COUNT(*) FROM (\(rows))") ?? 0
      if count > 0 { counts[name] = count }
    }
    return counts
  }

  /// How many references of objects that stay lead to objects of the entity that go.
  ///
  /// - Parameter cascading: entities whose objects take others along before.
  func countReferences(toDroppedOf entity: String, afterCascadeFrom cascading: Set<String> = []) throws -> Int
  {
    guard let layout = source.entity(named: entity), let table = source.table(ofEntity: entity) else {
      return 0
    }
    let cascade = cascading.isEmpty ? nil : cascade(from: cascading)
    func gone(_ entities: [EntityLayout]) -> String {
      let numbers = entities.map { "\($0.number)" }.joined(separator: ", ")
      let along = cascade.map { _ in "SELECT entity, key FROM dropped WHERE entity IN (\(numbers))" }
      return [rows(of: entities), along].compactMap(\.self).joined(separator: " UNION ")
    }
    let dropped = gone([layout])
    func count(_ rows: String, holder: TableLayout, _ member: String) throws -> Int {
      let others = source.entities.filter { $0.rootEntityName == holder.rootEntityName }
      return try Int.fetchOne(
        db,
        sql: """
          \(cascade ?? "") SELECT COUNT(*) FROM \(rows) WHERE \(member) IN (SELECT key FROM (\(dropped))) \
          AND (h.Z_ENT, h.Z_PK) NOT IN (\(gone(others)))
          """) ?? 0
    }
    var sum = 0
    for reference in references where reference.target.name == table.name {
      sum += try count(
        "\(name(reference.holder.name)) AS h", holder: reference.holder,
        "h.\(reference.column.quotedIdentifier)")
    }
    for list in lists(leadingTo: table) {
      sum += try count(
        """
        \(name(list.table)) AS l JOIN \(name(list.holders.name)) AS h ON h.Z_PK = l.\(list.holder.quotedIdentifier)
        """, holder: list.holders, "l.\(list.member.quotedIdentifier)")
    }
    return sum
  }

  private func name(_ table: String) -> String { "\(database).\(table.quotedIdentifier)" }

  /// A query of the rows that go of some entities of one table: number and key.
  private func rows(of entities: [EntityLayout]) -> String? {
    guard let table = entities.first.flatMap({ source.table(ofEntity: $0.name) }) else { return nil }
    let conditions = entities.map { "(Z_ENT = \($0.number) AND \(isDropped($0)))" }
    return
      "SELECT Z_ENT AS entity, Z_PK AS key FROM \(name(table.name)) WHERE \(conditions.balanced(" OR "))"
  }

  /// Where to-many relationships stand that no to-one of their members tells: in join tables, and in the members' own
  /// rows as their owner. `table` has a row for each member, with the columns of the two keys.
  private func lists(leadingTo target: TableLayout) -> [(
    table: String, member: String, holder: String, holders: TableLayout
  )] {
    var found: [(table: String, member: String, holder: String, holders: TableLayout)] = []
    for join in source.joinTables {
      let ends = [
        (join.source.entity, join.sourceColumn), (join.destination.entity, join.destinationColumn),
      ]
      for ((entity, column), (other, otherColumn)) in zip(ends, ends.reversed()) {
        guard source.table(ofEntity: entity)?.name == target.name,
          let holders = source.table(ofEntity: other)
        else { continue }
        found.append((join.name, column, otherColumn, holders))
      }
    }
    for column in target.columns {
      guard case .owner(let reference) = column.role, let holders = source.table(ofEntity: reference.entity)
      else { continue }
      found.append((target.name, "Z_PK", column.name, holders))
    }
    return found
  }

  /// Every to-one column of the source, with the entity and the table that it leads to.
  private var references: [(holder: TableLayout, column: String, entity: String, target: TableLayout)] {
    source.tables.flatMap { table in
      table.columns.compactMap { column in
        guard case .toOne(let reference) = column.role,
          let entity = hierarchy.relationship(reference)?.destinationEntityName,
          let target = source.table(ofEntity: entity)
        else { return nil }
        return (table, column.name, entity, target)
      }
    }
  }

  private func numbers(in table: TableLayout) -> String {
    source.entities.filter { $0.rootEntityName == table.rootEntityName }.map { "\($0.number)" }
      .joined(separator: ", ")
  }
}

extension DropRules {
  /// What mappings do not take of a store that is not migrated yet, as far as its rows can be asked.
  init(_ mappingModel: MappingModel, _ rows: ObjectRows) {
    self.init(db: rows.db, source: rows.schema, hierarchy: rows.hierarchy) { entity in
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
        .filter { name in
          // Of a group no row is known to go.
          mappings(fromEntity: name).allSatisfy { $0.grouping == nil } && rowsTaken(of: name, rows) != nil
        })
  }

  fileprivate func rowsTaken(of entity: String, _ rows: ObjectRows) -> SQLCondition? {
    let takers = mappings(fromEntity: entity).filter { $0.destinationEntityName != nil }
    if takers.contains(where: { $0.policyName != nil }) { return nil }
    return rows.rows(takenBy: takers, andNotBy: [])
  }
}

extension AssociationTable {
  /// The same while objects are copied: what goes are objects that nothing was made of.
  private func dropRules(_ model: ManagedObjectModel) throws -> DropRules {
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
  /// - Returns: the objects that were made of a source object that goes, of which the caller removes them.
  package func cascade(
    from entities: Set<String>, model: ManagedObjectModel
  ) throws -> [ManagedObject.ID] {
    guard let dropped = try dropRules(model).cascade(from: entities) else { return [] }
    try db.execute(
      sql: "CREATE TEMP TABLE modelc_dropped (entity INTEGER, key INTEGER, PRIMARY KEY (entity, key))")
    defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_dropped") }
    try db.execute(sql: "INSERT INTO temp.modelc_dropped \(dropped) SELECT entity, key FROM dropped")
    let found = try RowReader(
      db,
      sql: "SELECT DISTINCT a.destination_entity, a.destination FROM temp.modelc_association AS a "
        + "JOIN temp.modelc_dropped AS d ON d.entity = a.source_entity AND d.key = a.source"
    ).objects(destinationNames)
    try db.execute(
      sql: "DELETE FROM temp.modelc_association WHERE EXISTS (SELECT 1 FROM temp.modelc_dropped AS d "
        + "WHERE d.entity = modelc_association.source_entity AND d.key = modelc_association.source)")
    return found
  }

  /// How many references of objects that stay lead to objects of the entity that go.
  package func referencesToDropped(of entity: String, model: ManagedObjectModel) throws -> Int {
    try dropRules(model).countReferences(toDroppedOf: entity)
  }
}
