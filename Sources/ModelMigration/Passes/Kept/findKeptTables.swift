import ManagedModel
import ModelMapping
import PersistentStore

/// Tables of a store that a custom step leaves as they are, but for the number of the entity: each holds the objects of
/// one entity, all of which go on, with every column of the row under its name.
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
    mappingModel: mappingModel, before: EntityHierarchy(sourceModel), after: EntityHierarchy(destinationModel),
    physical: physical, source: source, layout: layout)
  return layout.tables.compactMap(finder.kept)
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
      mapping.policyName == nil, mapping.filter == nil, mapping.grouping == nil,
      let from = mapping.sourceEntityName, before.superentityName(of: from) == nil,
      before.subentityNames(of: from).isEmpty, let old = source.table(ofEntity: from), old.name == table.name,
      old.inlineConstraints.isEmpty, table.inlineConstraints.isEmpty, isPlain(old),
      carries(mapping, old, table),
      let formerNumber = source.entity(named: from)?.number, let number = layout.entity(named: entity)?.number
    else { return nil }
    let same = table.indexes.filter { index in
      old.indexes.contains { $0.name == index.name && plain($0.sql) == plain(index.sql) }
    }
    return KeptTable(
      entityName: entity, name: table.name, formerNumber: formerNumber, number: number,
      indexNames: Set(same.map(\.name)))
  }

  /// Whether its text says no more than its columns do.
  private func isPlain(_ table: TableLayout) -> Bool {
    physical.table(named: table.name).map { plain($0.sql) == plain(table.createStatement) } ?? false
  }

  private func carries(_ mapping: EntityMapping, _ old: TableLayout, _ new: TableLayout) -> Bool {
    old.columns.count == new.columns.count
      && new.columns.allSatisfy { column in
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
}

/// A text without what a rename or a column that came later may leave in it.
private func plain(_ sql: String) -> String { sql.filter { !$0.isWhitespace && $0 != "\"" } }
