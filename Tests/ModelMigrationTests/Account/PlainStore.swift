import Foundation
import GRDB
import ManagedModel

/// A store as plain SQL shows it to one who knows the rules of its layout (`store-format.md`), read without a line of
/// the engine.
struct PlainStore {
  /// One object, in whatever version: its entity's number in `userInfo`, and its primary key.
  struct Key: Hashable, CustomStringConvertible {
    var entity: String
    var primaryKey: Int64

    var description: String { "\(entity)#\(primaryKey)" }
  }

  struct Link: Hashable {
    var source: Key
    var target: Key
  }

  /// A change in the persistent history, without what names entities and properties by number.
  struct Change: Hashable {
    var entity: String
    var columns: DatabaseValue
    var tombstones: [DatabaseValue]
    var others: [String: DatabaseValue]
  }

  let model: PlainModel
  /// By the numbers of attributes, the cells that are not null.
  private(set) var objects: [Key: [String: DatabaseValue]] = [:]
  private(set) var optimisticLocks: [Key: Int64] = [:]
  /// By the numbers of relationships.
  var links: [String: Set<Link>] = [:]
  /// References to rows that are not there, by the numbers of relationships.
  var dangling: [String: Set<Link>] = [:]
  /// What ordered relationships lead to, by relationship and object.
  var orders: [String: [Key: [Key]]] = [:]
  private(set) var changes: [Int64: Change] = [:]
  private(set) var transactions: [String: Set<[String: DatabaseValue]>] = [:]
  private(set) var indexes: [String: String] = [:]
  /// Rows by table.
  private(set) var tables: [String: Int] = [:]
  private(set) var maxima: [String: Int64] = [:]
  /// Entities by `Z_ENT`.
  private(set) var names: [Int64: String] = [:]
  /// Rows by root entity and primary key.
  private var rows: [String: [Int64: Key]] = [:]
  private var columns: [String: Set<String>] = [:]

  init(_ db: Database, _ model: ManagedObjectModel) throws {
    self.model = PlainModel(model)
    for row in try Row.fetchAll(db, sql: "SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY") {
      let name: String = row[1] ?? ""
      names[row[0]] = name
      let id = self.model.entity(name) == nil ? name : self.model.id(of: name)
      maxima[id] = row[2] ?? 0
    }
    let master = try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master")
    for row in master {
      let (type, name): (String, String) = (row[0], row[1])
      if type == "index", let sql: String = row[2] { indexes[name] = sql }
      guard type == "table" else { continue }
      tables[name] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(name)\"") ?? 0
      columns[name.uppercased()] = Set(try db.columns(in: name).map(\.name))
    }
    try readObjects(db)
    try readHistory(db)
    var reader = LinkReader(
      db: db, model: self.model, numbers: numbers, rows: rows, columns: columns,
      columnOf: columnNames)
    try reader.read()
    (links, dangling, orders) = (reader.links, reader.dangling, reader.orders)
  }

  var numbers: [String: Int64] {
    Dictionary(names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func entityName(of key: Key) -> String? { model.name(ofEntity: key.entity) }

  // MARK: columns

  /// The columns of attributes and to-one relationships by `Entity.property`: `Z` and the name, with a number after it
  /// where another entity of the table has the name already.
  var columnNames: [String: String] {
    var taken: [String: Set<String>] = [:]
    var found: [String: String] = [:]
    for (_, name) in names.sorted(by: { $0.key < $1.key }) {
      guard let entity = model.entity(name) else { continue }
      let root = model.root(name)
      func add(_ base: String, _ property: String) -> String {
        var (column, count) = (base, 0)
        while !taken[root, default: ["Z_PK", "Z_ENT", "Z_OPT"]].insert(column).inserted {
          count += 1
          column = "\(base)\(count)"
        }
        found["\(name).\(property)"] = column
        return column
      }
      for leaf in model.ownLeaves(entity) where !leaf.attribute.isTransient {
        _ = add("Z" + (leaf.path.last ?? "").uppercased(), leaf.name)
      }
      for relationship in model.ownRelationships(entity).sorted(by: { $0.name < $1.name })
      where !relationship.description.isToMany {
        _ = add("Z" + relationship.name.uppercased(), relationship.name)
      }
    }
    return found
  }

  private mutating func readObjects(_ db: Database) throws {
    let columnOf = columnNames
    for entity in model.model.entities where entity.superentityName == nil {
      for row in try Row.fetchAll(db, sql: "SELECT * FROM \"Z\(entity.name.uppercased())\"") {
        guard let number: Int64 = row["Z_ENT"], let name = names[number], model.entity(name) != nil else {
          continue
        }
        let key = Key(entity: model.id(of: name), primaryKey: row["Z_PK"])
        var values: [String: DatabaseValue] = [:]
        for leaf in model.leaves(name) {
          guard let column = columnOf["\(leaf.entity).\(leaf.name)"], row.hasColumn(column) else { continue }
          let cell: DatabaseValue = row[column]
          if !cell.isNull { values[leaf.id] = cell }
        }
        objects[key] = values
        optimisticLocks[key] = row["Z_OPT"]
        rows[entity.name, default: [:]][key.primaryKey] = key
      }
    }
  }

  private mutating func readHistory(_ db: Database) throws {
    for name in ["ATRANSACTION", "ATRANSACTIONSTRING"] where tables[name] != nil {
      transactions[name] = Set(
        try Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { row in
          Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
        })
    }
    guard tables["ACHANGE"] != nil else { return }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM ACHANGE") {
      let cells = Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
      let name = Int64.fromDatabaseValue(cells["ZENTITY"] ?? .null).flatMap { names[$0] } ?? "nobody"
      changes[row["Z_PK"]] = Change(
        entity: model.entity(name) == nil ? name : model.id(of: name), columns: cells["ZCOLUMNS"] ?? .null,
        tombstones: cells.filter { $0.key.hasPrefix("ZTOMBSTONE") && !$0.value.isNull }
          .sorted { $0.key < $1.key }.map(\.value),
        others: cells.filter {
          !$0.key.hasPrefix("ZTOMBSTONE") && $0.key != "ZENTITY" && $0.key != "ZCOLUMNS"
        })
    }
  }
}
