import Foundation
import ManagedModel
import PersistentStore

/// What a plan's statements touch beside the schema: how much of the store, and which rows and columns.
struct StatementFootprint {
  /// The kinds of work whose time grows with a table.
  enum Work: Hashable {
    case insert, update, delete, dropColumn, dropTable, createIndex
  }

  /// By kind, the tables' shares of the store, added up; only tables with rows count.
  private(set) var shares: [Work: Double] = [:]
  /// Tables of the store that rows are read from or changed in, by the names that they have in it.
  private(set) var workedTables: Set<String> = []
  /// Tables that gain or lose rows, or whose rows get other entity numbers, by their last name.
  private(set) var changedRowSets: Set<String> = []
  /// Columns that are given values, by the table's last name.
  private(set) var changedColumns: [String: Set<String>] = [:]
  /// Whether every statement is about indexes.
  private(set) var concernsOnlyIndexes = true
  private var current: [String: Double]
  /// Names at this moment → names in the store.
  private var originals: [String: String]

  /// - Parameter shares: of the store's bytes, by table; 0 for an empty table.
  init(_ statements: [StoreStatement], shares: [String: Double]) {
    current = shares
    originals = Dictionary(firstOf: shares.keys.map { ($0, $0) })
    for statement in statements { add(statement) }
  }

  /// Whether any row is written, moved or removed.
  var touchesRows: Bool { shares.contains { $0.key != .createIndex && $0.value > 0 } }
  /// Whether the time grows with the rows.
  var growsWithRows: Bool { shares.contains { $0.value > 0 } }

  private mutating func add(_ statement: StoreStatement) {
    switch statement {
    case .createIndex, .dropIndex, .renameIndexes: break
    default: concernsOnlyIndexes = false
    }
    switch statement {
    case .renameTable(let name, let newName):
      current[newName] = current.removeValue(forKey: name)
      originals[newName] = originals.removeValue(forKey: name)
    case .dropTable(let name):
      work(.dropTable, on: name)
      changedRowSets.insert(name)
      current[name] = nil
    case .dropColumn(let table, _): work(.dropColumn, on: table)
    case .update(let table, let assignments, _):
      for assignment in assignments { change(assignment.column, of: table) }
    case .numberOrder(let table, _, _, let order): change(order, of: table)
    case .replaceTexts(let table, let column, _): change(column, of: table)
    case .deriveValues(let sql):
      // Its text begins with the table: see `derivedValueStatements`.
      let words = sql.split(separator: " ", maxSplits: 4).map { String($0.filter { $0 != "\"" }) }
      if words.count > 3 { change(words[3], of: words[1]) }
    case .insert(let table, _, let source, _): insert(into: table, from: source)
    case .delete(let table, _):
      work(.delete, on: table)
      changedRowSets.insert(table)
    case .createIndex(let index):
      // The table's name stands before the list of columns.
      let head = index.sql[..<(index.sql.lastIndex(of: "(") ?? index.sql.endIndex)]
      if let table = head.split(separator: " ").last { work(.createIndex, on: table.filter { $0 != "\"" }) }
    case .createTable, .renameColumn, .retypeColumns, .addColumn, .dropIndex, .renameIndexes, .createTrigger,
      .dropTrigger:
      break
    }
  }

  private mutating func work(_ work: Work, on table: String) {
    shares[work, default: 0] += current[table] ?? 0
    if work != .createIndex, let original = originals[table] { workedTables.insert(original) }
  }

  private mutating func change(_ column: String, of table: String) {
    work(.update, on: table)
    changedColumns[table, default: []].insert(column)
    if column == "Z_ENT" { changedRowSets.insert(table) }
  }

  private mutating func insert(into table: String, from source: String) {
    let share = current[source] ?? 0
    shares[.insert, default: 0] += share
    if let original = originals[source] { workedTables.insert(original) }
    current[table] = (current[table] ?? 0) + share
    changedRowSets.insert(table)
  }
}
