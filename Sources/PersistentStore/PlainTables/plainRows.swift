import Foundation
import ManagedModel

extension PlainLayout.Table {
  /// Hands the rows to the body, one after the other.
  ///
  /// - Parameter limit: how many at most.
  package func forEachRow(
    _ db: StoreDatabase, limit: Int? = nil, _ body: ([QueryValue]) throws -> Void
  ) throws {
    let list = columns.map(\.source).joined(separator: ", ")
    let rows = try RowReader(db, sql: "SELECT \(list) \(source)" + (limit.map { " LIMIT \($0)" } ?? ""))
    while try rows.step() {
      try body(
        columns.enumerated().map { place, column in
          let cell = rows.cell(place)
          switch column.content {
          case .attribute(let attribute): return QueryValue(cell, of: attribute)
          case .entity(let names):
            return cell.integer.flatMap { names[$0] }.map { .value(.string($0)) } ?? .absent
          case .key, .reference, .position:
            if cell == .null { return .absent }
            return cell.integer.map { .value(.integer($0)) } ?? .unreadable(cell.printed)
          }
        })
    }
  }

  /// How many objects of each entity there are, and how many of these lack an attribute, by its column.
  package func absences(_ db: StoreDatabase) throws -> [String: (rows: Int, lacking: [String: Int])] {
    var names: [Int64: String] = [:]
    var (kind, own) = ("NULL", [PlainLayout.Column]())
    for column in columns {
      switch column.content {
      case .entity(let found): (names, kind) = (found, column.source)
      case .attribute: own.append(column)
      case .key, .reference, .position: break
      }
    }
    let sums = own.indices.map { ", SUM(a\($0) IS NULL)" }.joined()
    let cells = own.enumerated().map { ", \($1.source) AS a\($0)" }.joined()
    let rows = try RowReader(
      db, sql: "SELECT kind, COUNT(*)\(sums) FROM (SELECT \(kind) AS kind\(cells) \(source)) GROUP BY kind")
    var found: [String: (rows: Int, lacking: [String: Int])] = [:]
    while try rows.step() {
      guard let name = rows.integer(0).flatMap({ names[$0] }) ?? rootEntity else { continue }
      let counts = own.enumerated().map { ($1.name, Int(clamping: rows.integer($0 + 2) ?? 0)) }
      found[name] = (Int(clamping: rows.integer(1) ?? 0), Dictionary(firstOf: counts))
    }
    return found
  }

  /// `CREATE TABLE`, with types that SQLite and readers of its files know.
  package var creation: String {
    let lines = columns.map { column in
      switch column.content {
      case .key: "\(column.name.sqlIdentifier) INTEGER PRIMARY KEY"
      case .entity: "\(column.name.sqlIdentifier) TEXT"
      case .attribute(let attribute): "\(column.name.sqlIdentifier) \(attribute.type.plainSQLType)"
      case .reference(let table):
        "\(column.name.sqlIdentifier) INTEGER" + (table.isEmpty ? "" : " REFERENCES \(table.sqlIdentifier)")
      case .position: "\(column.name.sqlIdentifier) INTEGER"
      }
    }
    return "CREATE TABLE \(name.sqlIdentifier) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  package var insertion: String {
    "INSERT INTO \(name.sqlIdentifier) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// A query over the store's own tables that gives the same rows, as far as SQL alone can: the bytes of
  /// transformables stay bytes.
  package var ownSQL: String {
    let list = columns.map { "\($0.ownSQL) AS \($0.name.sqlIdentifier)" }
    return "SELECT \(list.joined(separator: ", ")) \(source)"
  }
}

extension PlainLayout.Column {
  fileprivate var ownSQL: String {
    switch content {
    case .key, .reference, .position: return source
    case .entity(let names):
      let cases = names.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value.sqlText)" }
      return "CASE \(source) \(cases.joined(separator: " ")) END"
    case .attribute(let attribute): return attribute.plainSQL(in: source)
    }
  }
}

extension AttributeType {
  fileprivate var plainSQLType: String {
    switch self {
    case .integer16, .integer32, .integer64: "INTEGER"
    case .boolean: "BOOLEAN"
    case .double, .float: "REAL"
    case .decimal: "NUMERIC"
    // DuckDB takes bytes from such columns alone, and texts as well.
    case .binary, .transformable, .undefined, .objectID, .composite: "BLOB"
    default: "TEXT"
    }
  }
}

extension QueryValue {
  /// As a cell for other programs: dates are ISO 8601 and UUIDs text; what cannot be read is NULL.
  ///
  /// - Parameter path: what stands for a file of external data.
  package func plainCell(path: (String) -> String) -> StoredCell {
    switch self {
    case .absent, .unreadable: .null
    case .external(let file): .text(path(file))
    case .object(let id): .integer(id.primaryKey)
    case .value(let value):
      switch value {
      case .integer(let number): .integer(number)
      case .boolean(let flag): .integer(flag ? 1 : 0)
      case .double(let number): number.isNaN ? .null : .real(number)
      case .decimal(let number): number.cell
      case .date(let seconds): seconds.isoDate.map { .text($0) } ?? .real(seconds)
      case .binary(let data): .blob(data)
      default: .text(value.text)
      }
    }
  }
}
