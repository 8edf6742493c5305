import GRDB
import ManagedModel
import PersistentStore

/// What of a store's schema does not depend on the way it came to be: the tables as sets of columns, the indexes, the
/// triggers, the entity numbers.
struct PhysicalComparison: Equatable {
  var tables: [String: Set<String>]
  var uniqueClauses: [String: Set<[String]>]
  var indexes: [String: String]
  var triggers: [String: String]
  var numbers: [String: Int]

  /// As a migrated store has it, without what is an app's own or keeps the history.
  init(of db: Database, boundTo model: ManagedObjectModel) throws {
    let physical = try db.readPhysicalSchema()
    let (schema, _) = physical.bound(to: model)
    let system: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    tables = Dictionary(
      physical.tables.filter { !system.contains($0.name) && !Self.isBeside($0.name) }.map { table in
        (table.name, Set(table.columns.map { "\($0.name) \($0.declaredType)" }))
      }, uniquingKeysWith: { first, _ in first })
    uniqueClauses = Self.clauses(of: schema)
    indexes = Self.texts(
      physical.indexes.filter { !Self.isBeside($0.name) }.map { ($0.name, $0.sql) })
    triggers = Self.texts(physical.triggers.map { ($0.name, $0.sql) })
    numbers = Dictionary(
      physical.entityRows.filter { $0.number < 16000 }.map { ($0.name, $0.number) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func isBeside(_ name: String) -> Bool {
    ["app_", "ACHANGE", "ATRANSACTION", "Z_TRANSACTION"].contains { name.hasPrefix($0) }
  }

  /// As a new store of the model has it.
  init(of schema: StoreSchema) {
    tables = Dictionary(
      schema.tables.map { table in
        (table.name, Set(table.columns.map { "\($0.name) \($0.declaredType)" }))
      } + schema.joinTables.map { ($0.name, Set($0.columnNames.map { "\($0) INTEGER" })) },
      uniquingKeysWith: { first, _ in first })
    uniqueClauses = Self.clauses(of: schema)
    indexes = Self.texts(
      (schema.tables.flatMap(\.indexes) + schema.joinTables.flatMap(\.indexes)).map { ($0.name, $0.sql) })
    triggers = Self.texts(schema.triggers.map { ($0.name, $0.sql) })
    numbers = Dictionary(
      schema.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
  }

  private static func clauses(of schema: StoreSchema) -> [String: Set<[String]>] {
    Dictionary(
      schema.tables.filter { !$0.inlineConstraints.isEmpty }.map { table in
        (table.name, Set(table.inlineConstraints.map(\.columnNames)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A rename leaves names quoted, which says the same.
  private static func texts(_ items: [(String, String)]) -> [String: String] {
    Dictionary(items.map { ($0, $1.filter { $0 != "\"" }) }, uniquingKeysWith: { first, _ in first })
  }

  /// What differs, in words; empty if nothing does.
  func differences(from expected: PhysicalComparison) -> [String] {
    Self.differences(
      "table", tables.mapValues { $0.sorted().joined(separator: ", ") },
      expected.tables.mapValues { $0.sorted().joined(separator: ", ") })
      + Self.differences(
        "unique clause", uniqueClauses.mapValues { $0.map { "\($0)" }.sorted().joined() },
        expected.uniqueClauses.mapValues { $0.map { "\($0)" }.sorted().joined() })
      + Self.differences("index", indexes, expected.indexes)
      + Self.differences("trigger", triggers, expected.triggers)
      + Self.differences("number", numbers.mapValues { "\($0)" }, expected.numbers.mapValues { "\($0)" })
  }

  private static func differences(
    _ kind: String, _ real: [String: String], _ expected: [String: String]
  ) -> [String] {
    Set(real.keys).union(expected.keys).sorted().compactMap { name in
      let (mine, theirs) = (real[name], expected[name])
      return mine == theirs ? nil : "\(kind) \(name): \(mine ?? "none"), expected \(theirs ?? "none")"
    }
  }
}
