import ManagedModel
import ModelMapping
import PersistentStore

/// Tables of a store that a custom step leaves as they are, but for the number of the entity and new columns: each holds
/// the objects of one entity, all of which go on, with every column of the row under its name; what a new column holds is
/// the same for all of them. Where only some columns go on, the indexes over these stay; where a policy makes the objects,
/// as far as these show that they can.
///
/// - Parameters:
///   - source: the store's schema, bound to the model that the step begins with.
///   - layout: the schema that a new store of the destination has.
func findKeptTables(
  _ mappingModel: MappingModel, from sourceModel: ManagedObjectModel, to destinationModel: ManagedObjectModel,
  _ physical: PhysicalSchema, bound source: StoreSchema, layout: StoreSchema
) -> [KeptTable] {
  guard canLoseTables(physical) else { return [] }
  let finder = KeptTableFinder(
    mappingModel: mappingModel, before: EntityHierarchy(sourceModel),
    after: EntityHierarchy(destinationModel),
    physical: physical, source: source, layout: layout)
  return layout.tables.compactMap(finder.kept)
}

/// Join tables of which every pair may stay: of two columns, and in words that say no more.
func findKeptJoins(_ physical: PhysicalSchema, bound source: StoreSchema) -> [String] {
  source.joinTables.filter { join in
    join.sourceOrderColumn == nil && join.destinationOrderColumn == nil
      && physical.table(named: join.name).map { bareText($0.sql) == bareText(join.createStatement) } ?? false
  }.map(\.name)
}

/// Whether all but some tables can be removed from a clone: no view reads them, and nothing of them stays.
private func canLoseTables(_ physical: PhysicalSchema) -> Bool {
  physical.viewNames.isEmpty
    && physical.tables.allSatisfy { table in
      let text = table.sql.uppercased()
      return !text.hasPrefix("CREATE VIRTUAL") && !text.contains("AUTOINCREMENT")
    }
}

private struct KeptTableFinder {
  let mappingModel: MappingModel
  let before: EntityHierarchy
  let after: EntityHierarchy
  let physical: PhysicalSchema
  let source: StoreSchema
  let layout: StoreSchema

  func kept(_ table: TableLayout) -> KeptTable? {
    let entity = table.rootEntityName
    let mappings = mappingModel.mappings(toEntity: entity)
    guard after.subentityNames(of: entity).isEmpty, mappings.count == 1, let mapping = mappings.first,
      mapping.filter == nil, mapping.grouping == nil,
      let from = mapping.sourceEntityName, before.superentityName(of: from) == nil,
      before.subentityNames(of: from).isEmpty, let old = source.table(ofEntity: from), old.name == table.name,
      old.inlineConstraints.isEmpty, table.inlineConstraints.isEmpty, isPlain(old),
      let formerNumber = source.entity(named: from)?.number, let number = layout.entity(named: entity)?.number
    else { return nil }
    let former = Set(old.columns.map { $0.name.uppercased() })
    let added = table.columns.filter { !former.contains($0.name.uppercased()) }
    // A policy may do with each object what it likes.
    let isWhole =
      mapping.policyName == nil && old.columns.count + added.count == table.columns.count
      && table.columns.allSatisfy {
        isCarried($0, mapping, old) || added.contains($0) && isConstant($0, mapping)
      }
    let same = table.indexes.filter { index in
      old.indexes.contains { $0.name == index.name && bareText($0.sql) == bareText(index.sql) }
        && (isWhole || isOverCarried(index, table, mapping, old))
    }
    if !isWhole, same.isEmpty { return nil }
    var kept = KeptTable(
      entityName: entity, name: table.name, formerNumber: formerNumber, number: number,
      indexNames: Set(same.map(\.name)))
    kept.indexedColumns = Set(same.flatMap(\.columnNames))
    let carried = table.columns.filter { $0.role != .entityNumber && isCarried($0, mapping, old) }
    kept.carriedColumns = Set(carried.map(\.name))
    if isWhole {
      kept.addedColumns = added
      kept.setsValues = added.contains { constant($0, mapping) != .some(nil) }
    }
    if !isWhole { kept.newText = table.createStatement }
    kept.isMadeByPolicy = mapping.policyName != nil
    return kept
  }

  /// What the models say that a new column holds in all rows; nil where they do not say it.
  private func constant(_ column: ColumnLayout, _ mapping: EntityMapping) -> AttributeValue?? {
    switch column.role {
    case .attribute(let reference):
      guard case .constant(let value)? = mapping.propertyMapping(named: reference.property)?.value,
        after.attribute(named: reference.property, of: reference.entity)?.isDerived == false
      else { return nil }
      return .some(value)
    case .toOne(let reference):
      let value = mapping.propertyMapping(named: reference.property)?.value ?? .constant(nil)
      return value == .constant(nil) ? .some(nil) : nil
    default: return nil
    }
  }

  private func isConstant(_ column: ColumnLayout, _ mapping: EntityMapping) -> Bool {
    constant(column, mapping) != nil
  }

  /// Whether an index has the same entries when the rows are made anew.
  private func isOverCarried(
    _ index: IndexLayout, _ table: TableLayout, _ mapping: EntityMapping, _ old: TableLayout
  ) -> Bool {
    !index.columnNames.isEmpty && index.sql.uppercased().hasPrefix("CREATE INDEX")
      && !index.sql.uppercased().contains(" WHERE ")
      && index.columnNames.allSatisfy { name in
        table.columns.contains { $0.name == name && $0.role != .entityNumber && isCarried($0, mapping, old) }
      }
  }

  /// Whether its text says no more than its columns do.
  private func isPlain(_ table: TableLayout) -> Bool {
    physical.table(named: table.name).map { bareText($0.sql) == bareText(table.createStatement) } ?? false
  }

  /// Whether a column holds what it held.
  private func isCarried(_ column: ColumnLayout, _ mapping: EntityMapping, _ old: TableLayout) -> Bool {
    guard let former = old.columns.first(where: { $0.name == column.name }),
      former.declaredType.uppercased() == column.declaredType.uppercased()
    else { return false }
    switch (former.role, column.role) {
    case (.primaryKey, .primaryKey), (.entityNumber, .entityNumber), (.optimisticLock, .optimisticLock):
      return true
    case (.attribute(let from), .attribute(let to)):
      guard let one = before.attribute(named: from.property, of: from.entity),
        let other = after.attribute(named: to.property, of: to.entity)
      else { return false }
      return !other.isDerived && isStoredAlike(one, other)
        && mapping.propertyMapping(named: to.property)?.value == .source(from.property)
    case (.toOne(let from), .toOne(let to)):
      return mapping.propertyMapping(named: to.property)?.value == .source(from.property)
    default: return false
    }
  }
}
