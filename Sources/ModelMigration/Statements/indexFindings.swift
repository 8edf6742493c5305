package import ManagedModel
import PersistentStore

/// Findings about indexes that the models alone do not show: dropped indexes of unknown origin, and indexes of the
/// destination's model that are not made.
///
/// - Parameters:
///   - store: the store as it is.
///   - derived: what its model alone would have given.
///   - destination: what the migration gives.
///   - survives: whether an index of the store goes on.
func indexFindings(
  of store: StoreSchema, explainedBy derived: StoreSchema, to destination: StoreSchema,
  survives: (IndexLayout) -> Bool
) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  for table in store.tables {
    let own = derived.tables.first { $0.rootEntityName == table.rootEntityName }
    let explained = own?.indexes ?? []
    let wanted = destination.tables
      .filter { $0.name == table.name || $0.rootEntityName == table.rootEntityName }.flatMap(\.indexes)
    let names = Set((explained.map(\.name) + (own?.unmadeIndexes.map(\.name) ?? [])).map { $0.uppercased() })
    for index in table.indexes where !survives(index) && !names.contains(index.name.uppercased()) {
      // In-place migrations leave indexes under names of old; a second one of the same form changes nothing.
      let others = explained + wanted + table.indexes.filter { $0.name != index.name && survives($0) }
      if others.contains(where: { $0.isSame(as: index) }) { continue }
      findings.append(.indexGoes(index, table: table))
    }
  }
  let present = Set(store.tables.flatMap(\.indexes).filter(survives).map { $0.name.uppercased() })
  return findings
    + destination.tables.flatMap(\.unmadeIndexes).filter { !present.contains($0.name.uppercased()) }
    .map(Diagnostic.indexNotMade)
}

extension IndexLayout {
  fileprivate func isSame(as other: IndexLayout) -> Bool {
    columnNames.map { $0.uppercased() } == other.columnNames.map { $0.uppercased() } && form == other.form
  }
}

extension Diagnostic.Code {
  package static let indexGoes = Self("MC3302")
  package static let indexNotMade = Self("MC3303")
}

extension Diagnostic {
  static func indexGoes(_ index: IndexLayout, table: TableLayout) -> Self {
    let isUnique = index.sql.uppercased().hasPrefix("CREATE UNIQUE")
    return Self(
      .indexGoes, .warning,
      "the index '\(index.name)' of table '\(table.name)', which the store's model does not know, does not go along",
      subject: ModelSubject(entity: table.rootEntityName),
      notes: isUnique
        ? ["it is unique: what it refuses today is saved after the migration"]
        : ["fetches that it serves are slower after the migration, not wrong"],
      help: [
        "state it in the model (`fetchIndexes:` or `uniquenessConstraints:`), or make it again after the migration"
      ])
  }

  fileprivate static func indexNotMade(_ index: UnmadeIndex) -> Self {
    Self(
      .indexNotMade, .warning,
      "the \(index.isRTree ? "R-tree" : "index") '\(index.index)' of '\(index.entity)' is not made by a migration",
      subject: ModelSubject(entity: index.entity, key: "fetchIndexes.\(index.index)"),
      notes: [Note(index.reason)]
        + (index.isRTree
          ? ["one that the store has stays as it is, without what the migration changes"] : []),
      help: [
        index.isRTree
          ? "a fetch by `indexed:by:` counts on it: let Core Data make it, with a store that it migrates or makes itself"
          : "fetches are slow without it, not wrong; let Core Data make it, or index what is stored"
      ])
  }
}
