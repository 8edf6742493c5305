import Foundation
package import ManagedModel
import PersistentStore

typealias RouteChoice = (route: MigrationRoute, reason: String)

extension RouteRequest {
  /// - Parameter changesSystemTables: whether large tables beside the model's change or go: persistent history, those of
  ///   CloudKit.
  func choice(for footprint: StatementFootprint, changesSystemTables: Bool = false) -> RouteChoice {
    switch self {
    case .inPlace: (.inPlace, "asked for")
    case .clone: (.clone, "asked for")
    case .auto where footprint.touchesRows || changesSystemTables: (.clone, "rows change")
    case .auto where !footprint.growsWithRows: (.inPlace, "only the schema changes, no row is touched")
    case .auto where footprint.concernsOnlyIndexes: (.inPlace, "only indexes change, no row is touched")
    case .auto: (.clone, "the schema and indexes over many rows change")
    }
  }
}

extension Diagnostic.Code { package static let routeCannotServe = Self("MC3405") }

extension Diagnostic {
  static func routeCannotServe(store: String, reason: String) -> Self {
    Self(
      .routeCannotServe, .error, "the route 'in-place' cannot be used for \(store): \(reason)",
      help: [
        "leave out `MigrationOptions.route`, or use `MigrationOptions.route = .clone`, which always works"
      ])
  }
}

/// What a plan's statements touch beside the schema: how much of the store, and which rows and columns.
struct StatementFootprint {
  /// Whether any row is written, moved or removed; only tables with rows count.
  private(set) var touchesRows = false
  private(set) var growsWithRows = false
  /// Tables of the store that rows are read from or changed in, by the names that they have in it.
  private(set) var workedTables: Set<String> = []
  /// Tables that gain or lose rows, or whose rows get other entity numbers, by their last name.
  private(set) var changedRowSets: Set<String> = []
  /// Columns that are given values, by the table's last name.
  private(set) var changedColumns: [String: Set<String>] = [:]
  let concernsOnlyIndexes: Bool
  private var current: [String: Double]
  /// Names at this moment → names in the store.
  private var originals: [String: String]

  /// - Parameter shares: of the store's bytes, by table; 0 for an empty table.
  init(_ statements: [StoreStatement], shares: [String: Double]) {
    current = shares
    concernsOnlyIndexes = statements.allSatisfy(\.isOfIndexes)
    originals = Dictionary(firstOf: shares.keys.map { ($0, $0) })
    for statement in statements { add(statement) }
  }

  private mutating func add(_ statement: StoreStatement) {
    switch statement {
    case .renameTable(let name, let newName):
      current[newName] = current.removeValue(forKey: name)
      originals[newName] = originals.removeValue(forKey: name)
    case .drop(.table, let name):
      work(on: name)
      changedRowSets.insert(name)
      current[name] = nil
    case .dropColumn(let table, _): work(on: table)
    case .update(let table, let assignments, _):
      for assignment in assignments { change(assignment.column, of: table) }
    case .numberOrder(let table, _, _, let order): change(order, of: table)
    case .replaceTexts(let table, let column, _): change(column, of: table)
    case .deriveValues(let sql):
      // Its text begins with the table: see `derivedValueStatements`.
      let words = sql.split(separator: " ", maxSplits: 4).map { String($0.filter { $0 != "\"" }) }
      if words.count > 3 { change(words[3], of: words[1]) }
    case .insert(let table, _, let source, _):
      work(on: source)
      current[table] = (current[table] ?? 0) + (current[source] ?? 0)
      changedRowSets.insert(table)
    case .delete(let table, _):
      work(on: table)
      changedRowSets.insert(table)
    case .createIndex(let index):
      // The table's name stands before the list of columns.
      let head = index.sql[..<(index.sql.lastIndex(of: "(") ?? index.sql.endIndex)]
      if let table = head.split(separator: " ").last, current[table.filter { $0 != "\"" }] ?? 0 > 0 {
        growsWithRows = true
      }
    case .createTable, .renameColumn, .retypeColumns, .addColumn, .drop, .renameIndexes, .createTrigger: break
    }
  }

  private mutating func work(on table: String) {
    if current[table] ?? 0 > 0 { (touchesRows, growsWithRows) = (true, true) }
    if let original = originals[table] { workedTables.insert(original) }
  }

  private mutating func change(_ column: String, of table: String) {
    work(on: table)
    changedColumns[table, default: []].insert(column)
    if column == "Z_ENT" { changedRowSets.insert(table) }
  }
}

/// How much of a store each of the model's tables takes, estimated without reading rows: from the highest keys and
/// the numbers of columns.
struct TableShares {
  /// By table, a part of 1; 0 for an empty table.
  private(set) var shares: [String: Double] = [:]
  /// By table, an upper bound of its rows.
  private(set) var bounds: [String: Int64] = [:]

  init(_ db: StoreDatabase, of schema: StoreSchema) throws {
    let tables =
      schema.tables.map { ($0.name, $0.columns.count) }
      + schema.joinTables.map { ($0.name, $0.columnNames.count) }
    var weights: [String: Double] = [:]
    for (table, columns) in tables {
      let bound = try db.rowBound(table: table)
      (bounds[table], weights[table]) = (bound, Double(bound) * Double(columns + 2))
    }
    let total = weights.values.reduce(0, +)
    shares = weights.mapValues { total > 0 ? $0 / total : 0 }
  }
}
