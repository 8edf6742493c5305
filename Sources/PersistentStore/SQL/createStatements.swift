extension TableLayout {
  /// The `CREATE TABLE` text, byte for byte as Core Data writes it.
  package var createStatement: String {
    var parts = columns.map { column in
      let definition = column.name.quotedIdentifier + " " + column.declaredType
      return column.role == .primaryKey ? definition + " PRIMARY KEY" : definition
    }
    parts += inlineConstraints.map(\.sql)
    // After an inline constraint Core Data leaves out the last space.
    let end = inlineConstraints.isEmpty ? " )" : ")"
    return "CREATE TABLE \(name.quotedIdentifier) ( " + parts.joined(separator: ", ") + end
  }
}

extension InlineConstraint {
  package var sql: String {
    let names = columnNames.map(\.quotedIdentifier).joined(separator: ", ")
    return "CONSTRAINT \(name.quotedIdentifier) UNIQUE (\(names))"
  }
}

extension JoinTableLayout {
  /// All columns, in the order of the `CREATE TABLE` text.
  package var columnNames: [String] { sides.map(\.column) + sides.compactMap(\.order) }

  /// The `CREATE TABLE` text, byte for byte as Core Data writes it.
  package var createStatement: String {
    let columns = columnNames.map { $0.quotedIdentifier + " INTEGER" }.joined(separator: ", ")
    let key = near.column.quotedIdentifier + ", " + far.column.quotedIdentifier
    return "CREATE TABLE \(name.quotedIdentifier) ( \(columns), PRIMARY KEY (\(key)) )"
  }

  /// Inserts a pair: the near key, the far one, then the near object's place and the far one's, in the orders that there are.
  package var insertion: String {
    let columns = sides.map(\.column) + [far, near].compactMap(\.order)
    return
      "INSERT INTO \(name.quotedIdentifier) (\(columns.map(\.quotedIdentifier).joined(separator: ", ")))"
      + " VALUES (\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))"
  }

  /// The side that states the pair knows its own order; of the other side's it only keeps what is there.
  package var replacingInsertion: String {
    let update = far.order.map(\.quotedIdentifier).map { "UPDATE SET \($0) = excluded.\($0)" }
    return insertion + " ON CONFLICT DO \(update ?? "NOTHING")"
  }

  package var keepingInsertion: String { insertion + " ON CONFLICT DO NOTHING" }
}

/// The tables that every store has beside those of its model, in the words of Core Data.
package enum SystemTable {
  package static let primaryKey =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
  package static let metadata =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
  package static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
}
