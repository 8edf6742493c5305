package import ManagedModel
import PersistentStore

/// What happens to the indexes of a table that is kept.
///
/// An index of Core Data's that the destination does not have is dropped, whatever version it came from: a unique one
/// would still refuse values. An index of somebody else's over columns that stay is kept, and so is one that the
/// destination's model explains and no statement of ours makes.
struct IndexChanges {
  /// Stay as they are, by name.
  var kept: Set<String> = []
  /// Stay under the name that the destination gives them.
  var renamed: [StoreStatement.IndexRename] = []
  var dropped: [String] = []
  /// Not the destination's by their text, and kept.
  var foreign: [IndexLayout] = []

  /// Names of the destination's indexes that need not be built.
  var present: Set<String> { kept.union(renamed.map(\.index.name)) }

  /// - Parameters:
  ///   - columns: source column → the destination's column that it goes on as.
  ///   - allColumns: the source's.
  ///   - explained: names of indexes that the destination's model has and no statement makes.
  init(
    _ source: [IndexLayout], to destination: [IndexLayout], columns: [String: String], allColumns: [String],
    explained: [UnmadeIndex] = []
  ) {
    /// Whether everything that a text names is called the same afterwards.
    func keepsNames(_ index: IndexLayout) -> Bool {
      allColumns.allSatisfy { columns[$0] == $0 || !index.mentions($0) }
    }
    func isSame(_ old: IndexLayout, _ new: IndexLayout) -> Bool {
      guard !old.isComputed, !new.isComputed else {
        return old.isComputed && new.isComputed && old.body == new.body && keepsNames(old)
      }
      return old.columnNames.map { columns[$0] } == new.columnNames && old.form == new.form
    }
    var open = source
    var wanted = destination
    wanted.removeAll { new in
      guard let index = open.firstIndex(where: { $0.name == new.name && isSame($0, new) }) else {
        return false
      }
      kept.insert(open.remove(at: index).name)
      return true
    }
    for new in wanted {
      guard let index = open.firstIndex(where: { $0.isOfCoreData && isSame($0, new) }) else { continue }
      renamed.append(.init(open.remove(at: index).name, to: new))
    }
    let explained = Set(explained.map { $0.name.uppercased() })
    for index in open {
      let survives =
        index.isComputed ? keepsNames(index) : index.columnNames.allSatisfy { columns[$0] != nil }
      let isWanted = !index.isOfCoreData || explained.contains(index.name.uppercased())
      if isWanted, survives, !destination.contains(where: { $0.name == index.name }) {
        kept.insert(index.name)
        foreign.append(index)
      } else {
        dropped.append(index.name)
      }
    }
  }
}

extension IndexLayout {
  /// Every name that Core Data gives begins so.
  fileprivate var isOfCoreData: Bool { name.hasPrefix("Z") }

  /// What an index says beside its name, its table and its columns: uniqueness, collations, directions.
  var form: [Substring] {
    let unique = isUnique ? "UNIQUE" : ""
    if isComputed { return [unique[...], body] }
    let elements = sql[(sql.lastIndex(of: "(") ?? sql.startIndex)...].dropFirst().dropLast().split(
      separator: ",")
    return [unique[...]]
      + elements.map { element in
        let words = element.split(separator: " ")
        return element[(words.first?.endIndex ?? element.startIndex)...]
      }
  }

  fileprivate func isSame(as other: IndexLayout) -> Bool {
    columnNames.map { $0.uppercased() } == other.columnNames.map { $0.uppercased() } && form == other.form
  }
}

extension StoreSchema {
  /// Findings about indexes that the models alone do not show: dropped indexes of unknown origin, and indexes of the
  /// destination's model that are not made.
  ///
  /// - Parameters:
  ///   - derived: what its model alone would have given.
  ///   - destination: what the migration gives.
  ///   - survives: whether an index of the store goes on.
  func indexFindings(
    explainedBy derived: StoreSchema, to destination: StoreSchema, survives: (IndexLayout) -> Bool
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for table in tables {
      let own = derived.tables.first { $0.rootEntityName == table.rootEntityName }
      let explained = own?.indexes ?? []
      let wanted = destination.tables
        .filter { $0.name == table.name || $0.rootEntityName == table.rootEntityName }.flatMap(\.indexes)
      let names = Set(
        (explained.map(\.name) + (own?.unmadeIndexes.map(\.name) ?? [])).map { $0.uppercased() })
      for index in table.indexes where !survives(index) && !names.contains(index.name.uppercased()) {
        // In-place migrations leave indexes under names of old; a second one of the same form changes nothing.
        let others = explained + wanted + table.indexes.filter { $0.name != index.name && survives($0) }
        if others.contains(where: { $0.isSame(as: index) }) { continue }
        findings.append(.indexDropped(index, table: table))
      }
    }
    let present = Set(tables.flatMap(\.indexes).filter(survives).map { $0.name.uppercased() })
    return findings
      + destination.tables.flatMap(\.unmadeIndexes).filter { !present.contains($0.name.uppercased()) }
      .map(Diagnostic.indexNotMade)
  }
}

extension Diagnostic.Code {
  package static let indexDropped = Self("MC3302")
  package static let indexNotMade = Self("MC3303")
}

extension Diagnostic {
  static func indexDropped(_ index: IndexLayout, table: TableLayout) -> Self {
    Self(
      .indexDropped, .warning,
      "the index '\(index.name)' of table '\(table.name)', which the store's model does not have, is dropped",
      subject: ModelSubject(entity: table.rootEntityName),
      notes: index.isUnique
        ? ["it is unique: duplicates that it refuses today can be saved after the migration"]
        : ["fetches that it serves are slower after the migration, not wrong"],
      help: [
        "declare it in the model (`fetchIndexes:` or `uniquenessConstraints:`), or recreate it after the migration"
      ])
  }

  fileprivate static func indexNotMade(_ index: UnmadeIndex) -> Self {
    Self(
      .indexNotMade, .warning,
      "a migration does not create the \(index.isRTree ? "R-tree" : "index") '\(index.index)' of '\(index.entity)'",
      subject: ModelSubject(entity: index.entity, key: "fetchIndexes.\(index.index)"),
      notes: [Note(index.reason)]
        + (index.isRTree
          ? ["if the store has one, it stays, but without the migration's changes"] : []),
      help: [index.advice])
  }
}

extension StatementPlanner {
  /// Says which indexes go that no model explains, and which of the model's are not made.
  mutating func reportIndexes() {
    var surviving: Set<String> = []
    for table in keptTables {
      let changes = indexChanges(of: table)
      surviving.formUnion(changes.kept.union(changes.renamed.map(\.name)))
    }
    for table in tables(.rebuilt) { surviving.formUnion(remade(of: table).map(\.name)) }
    plan.diagnostics += transition.schema.indexFindings(
      explainedBy: transition.derivedSchema, to: plan.schema
    ) { surviving.contains($0.name) }
  }
}
