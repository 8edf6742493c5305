package import GRDB
package import ManagedModel
import PersistentStore

extension AssociationTable {
  /// Source objects that nothing was made of, and those that hold references to them, and so on.
  ///
  /// - Parameter entities: whose dropped objects take others along.
  /// - Returns: the objects that were made of a source object that goes, of which the caller removes them.
  package func cascade(
    from entities: Set<String>, model: ManagedObjectModel, in db: Database
  ) throws -> [ManagedObject.ID] {
    try materializeAll()
    try db.execute(
      sql: "CREATE TEMP TABLE modelc_dropped (entity INTEGER, key INTEGER, PRIMARY KEY (entity, key))")
    defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_dropped") }
    for name in entities.sorted() {
      guard let dropped = try droppedRows(of: name, in: db) else { continue }
      try db.execute(sql: "INSERT OR IGNORE INTO temp.modelc_dropped \(dropped)")
    }
    let references = sourceReferences(model)
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for reference in references {
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO temp.modelc_dropped SELECT h.Z_ENT, h.Z_PK \
            FROM source.\(reference.table.quotedIdentifier) AS h \
            JOIN source.\(reference.target.quotedIdentifier) AS t ON t.Z_PK = h.\(reference.column.quotedIdentifier) \
            WHERE EXISTS (SELECT 1 FROM temp.modelc_dropped AS d WHERE d.entity = t.Z_ENT AND d.key = t.Z_PK)
            """)
        if db.changesCount > 0 { isGrowing = true }
      }
    }
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
  package func referencesToDropped(
    of entity: String, model: ManagedObjectModel, in db: Database
  ) throws -> Int {
    try materializeAll()
    guard let dropped = try droppedRows(of: entity, in: db), let table = source.table(ofEntity: entity) else {
      return 0
    }
    func count(_ rows: String, _ alias: String, _ member: String) throws -> Int {
      try countRows(
        db,
        """
        FROM source.\(rows) WHERE \(alias).\(member.quotedIdentifier) IN (SELECT key FROM (\(dropped))) AND EXISTS \
        (SELECT 1 FROM temp.modelc_association AS a WHERE a.source_entity = h.Z_ENT AND a.source = h.Z_PK)
        """)
    }
    var sum = 0
    for reference in sourceReferences(model) where reference.target == table.name {
      sum += try count("\(reference.table.quotedIdentifier) AS h", "h", reference.column)
    }
    for list in lists(leadingTo: table) {
      let holders = "source.\(list.holders.quotedIdentifier) AS h"
      sum += try count(
        "\(list.table.quotedIdentifier) AS l JOIN \(holders) ON h.Z_PK = l.\(list.holder.quotedIdentifier)",
        "l",
        list.member)
    }
    return sum
  }

  /// Where to-many relationships stand that no to-one of their members tells: in join tables, and in the members' own
  /// rows as their owner. `table` has a row for each member, with the columns of the two keys.
  private func lists(leadingTo target: TableLayout) -> [(
    table: String, member: String, holder: String, holders: String
  )] {
    var found: [(table: String, member: String, holder: String, holders: String)] = []
    for join in source.joinTables {
      let ends = [
        (join.source.entity, join.sourceColumn), (join.destination.entity, join.destinationColumn),
      ]
      for ((entity, column), (other, otherColumn)) in zip(ends, ends.reversed()) {
        guard source.table(ofEntity: entity)?.name == target.name,
          let holders = source.table(ofEntity: other)
        else { continue }
        found.append((join.name, column, otherColumn, holders.name))
      }
    }
    for column in target.columns {
      guard case .owner(let reference) = column.role, let holders = source.table(ofEntity: reference.entity)
      else { continue }
      found.append((target.name, "Z_PK", column.name, holders.name))
    }
    return found
  }

  /// A query of the entity's rows of which nothing was made.
  private func droppedRows(of entity: String, in db: Database) throws -> String? {
    guard let layout = source.entity(named: entity), let table = source.table(ofEntity: entity) else {
      return nil
    }
    try db.execute(
      sql:
        "CREATE INDEX IF NOT EXISTS temp.modelc_association_entity ON modelc_association (source_entity, source)"
    )
    return """
      SELECT s.Z_ENT AS entity, s.Z_PK AS key FROM source.\(table.name.quotedIdentifier) AS s \
      WHERE s.Z_ENT = \(layout.number) AND NOT EXISTS (SELECT 1 FROM temp.modelc_association AS a \
      WHERE a.source_entity = s.Z_ENT AND a.source = s.Z_PK)
      """
  }

  /// Every to-one column of the source with the table that it leads to.
  private func sourceReferences(_ model: ManagedObjectModel) -> [(
    table: String, column: String, target: String
  )] {
    let hierarchy = EntityHierarchy(model)
    return source.tables.flatMap { table in
      table.columns.compactMap { column in
        guard case .toOne(let reference) = column.role,
          let relationship = hierarchy.relationship(reference),
          let target = source.table(ofEntity: relationship.destinationEntityName)
        else { return nil }
        return (table.name, column.name, target.name)
      }
    }
  }
}
