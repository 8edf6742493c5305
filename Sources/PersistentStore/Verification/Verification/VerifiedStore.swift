package import ManagedModel

/// The store under verification with its model, for all checks of rows.
package struct VerifiedStore {
  package let schema: StoreSchema
  package let hierarchy: EntityHierarchy
  /// Every attribute with a column, by the entity that declares it and its key path.
  package let leaves: [PropertyReference: StoredLeaf]
  /// The only tables that are looked at; nil for all.
  private let tables: TouchedTables?

  package init(schema: StoreSchema, model: ManagedObjectModel, only tables: TouchedTables? = nil) {
    self.schema = schema
    self.tables = tables
    hierarchy = EntityHierarchy(model)
    var leaves: [PropertyReference: StoredLeaf] = [:]
    for entity in model.entities {
      for leaf in entity.attributes.storedLeaves(composites: model.composites) {
        leaves[PropertyReference(entity: entity.name, property: leaf.keyPath)] = leaf
      }
    }
    self.leaves = leaves
  }

  /// Tables of objects, and those of links, that are looked at.
  var checkedTables: [TableLayout] {
    guard let tables else { return schema.tables }
    return schema.tables.compactMap { table in
      guard let columns = tables[table.name] else { return nil }
      var checked = table
      if !columns.isEmpty { checked.columns.removeAll { !columns.contains($0.name) } }
      return checked
    }
  }
  var checkedJoinTables: [JoinTableLayout] {
    schema.joinTables.filter { tables?[$0.name] != nil || tables == nil }
  }

  /// Whether rules about whole objects of a table are asked, and not only those of some columns.
  func isWhole(_ table: TableLayout) -> Bool { tables?[table.name]?.isEmpty ?? true }

  /// That a row is of the entity; nil if every row of its table is.
  package func isKind(_ row: String, of entity: String) -> String? {
    if hierarchy.superentityName(of: entity) == nil { return nil }
    let numbers = schema.numbers(of: hierarchy.descendantNames(includingSelf: entity))
    return "\(row).Z_ENT IN (\(numbers.sqlList))"
  }

  /// The condition for rows of the entity alone.
  package func among(_ entity: String, _ condition: String) -> String {
    isKind("t", of: entity).map { "\($0) AND (\(condition))" } ?? condition
  }

  /// The to-one inverse of a to-one that names it as its own inverse too.
  package func oneToOneInverse(of reference: PropertyReference) -> PropertyReference? {
    guard let relationship = hierarchy.relationship(reference),
      let inverse = hierarchy.storedInverse(of: relationship), !inverse.isToMany,
      let back = hierarchy.inverse(of: reference), hierarchy.inverse(of: back) == reference
    else { return nil }
    return back
  }
}

/// The tables that a verification is held to, with the columns; none stands for all of the table's.
package typealias TouchedTables = [String: Set<String>]
