import PersistentStore

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
  /// The same expression over the names that tables and columns have got meanwhile.
  ///
  /// - Parameter table: the source's name of the table whose row it reads.
  func renaming(ofTable table: String, _ names: CurrentNames) -> SQLExpression {
    func renamed(_ value: SQLExpression) -> SQLExpression { value.renaming(ofTable: table, names) }
    switch self {
    case .column(let name): return .column(names.column(name, ofTable: table))
    case .literal: return self
    case .coalesce(let first, let second): return .coalesce(renamed(first), renamed(second))
    case .converted(let value, let from, let to): return .converted(renamed(value), from: from, to: to)
    case .marked(let value): return .marked(renamed(value))
    case .unmarked(let value): return .unmarked(renamed(value))
    case .renumbered(let value, let numbers): return .renumbered(renamed(value), numbers)
    case .byEntity(let cases):
      return .byEntity(cases.map { EntityCase(numbers: $0.numbers, value: renamed($0.value)) })
    case .lookup(let column, let other, let key):
      return .lookup(
        column: names.column(column, ofTable: other), table: names.table(other), key: renamed(key))
    case .referrer(let other, let foreignKey, let outer):
      return .referrer(
        table: names.table(other), foreignKey: names.column(foreignKey, ofTable: other),
        outerTable: names.table(outer))
    }
  }
}
