import ManagedModel
import PersistentStore

/// Where a destination's table comes from.
struct TableOrigin {
  enum Kind {
    /// The source's table itself goes on as this one.
    case kept
    /// Its rows leave the source's table, which goes on as another one.
    case split
    /// It begins empty.
    case new
  }

  var kind: Kind
  /// The destination's table, as the layout has it.
  var table: TableLayout
  /// The source's table whose rows it takes.
  var source: TableLayout?
  /// Destination entities with rows from there.
  var entities: [String]
}

/// Decides for every table of the destination which table of the source goes on as it.
///
/// Where several take rows from one, the one that holds the source's root entity keeps it, else the one with most
/// entities; the others are split off.
func tableOrigins(_ transition: StoreTransition) -> [TableOrigin] {
  var origins: [TableOrigin] = []
  for table in transition.layout.tables {
    let entities = transition.destination.descendantNames(includingSelf: table.rootEntityName)
      .filter { transition.sourceName(ofEntity: $0) != nil }
    let source = entities.lazy.compactMap { transition.sourceName(ofEntity: $0) }
      .compactMap { transition.schema.table(ofEntity: $0) }.first
    origins.append(
      TableOrigin(kind: source == nil ? .new : .split, table: table, source: source, entities: entities))
  }
  for source in transition.schema.tables {
    let claimants = origins.indices.filter { origins[$0].source?.name == source.name }
    let keeper =
      claimants.first { index in
        origins[index].entities.contains { transition.sourceName(ofEntity: $0) == source.rootEntityName }
      } ?? claimants.max { origins[$0].entities.count < origins[$1].entities.count }
    if let keeper { origins[keeper].kind = .kept }
  }
  return origins
}

/// The names of a store's tables and columns while statements change them, by the names they had at first.
struct CurrentNames {
  private var tables: [String: String] = [:]
  private var columns: [String: [String: String]] = [:]

  func table(_ name: String) -> String { tables[name] ?? name }
  func column(_ name: String, ofTable table: String) -> String { columns[table]?[name] ?? name }

  mutating func renameTable(_ current: String, to newName: String) {
    let original = tables.first { $0.value == current }?.key ?? current
    tables[original] = newName
  }

  mutating func renameColumn(_ current: String, ofTable table: String, to newName: String) {
    let original = columns[table]?.first { $0.value == current }?.key ?? current
    columns[table, default: [:]][original] = newName
  }
}

extension SQLExpression {
  /// The same expression over columns that have got other names meanwhile.
  func renamingColumns(_ rename: (String) -> String) -> SQLExpression {
    switch self {
    case .column(let name): .column(rename(name))
    case .literal, .referrer: self
    case .coalesce(let first, let second):
      .coalesce(first.renamingColumns(rename), second.renamingColumns(rename))
    case .converted(let value, let from, let to):
      .converted(value.renamingColumns(rename), from: from, to: to)
    case .renumbered(let value, let numbers): .renumbered(value.renamingColumns(rename), numbers)
    case .byEntity(let cases):
      .byEntity(cases.map { EntityCase(numbers: $0.numbers, value: $0.value.renamingColumns(rename)) })
    case .lookup(let column, let table, let key):
      .lookup(column: column, table: table, key: key.renamingColumns(rename))
    }
  }
}
