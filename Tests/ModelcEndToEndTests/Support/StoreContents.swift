import Foundation
import GRDB
import TestSupport

/// Runs the body on a thrown-away copy of store and log, so that reading leaves no trace.
func withStore<Result>(_ store: URL, _ body: (Database) throws -> Result) throws -> Result {
  try withTemporaryFolder { folder in
    let copy = folder.appending(path: "copy")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try Data(contentsOf: URL(filePath: store.path + suffix)).write(to: URL(filePath: copy.path + suffix))
    }
    let queue = try DatabaseQueue(path: copy.path)
    let result = try queue.writeWithoutTransaction(body)
    try queue.close()
    return result
  }
}

/// Every row of a query, columns joined by a bar; null is `∅`, bytes are hexadecimal.
func rows(_ sql: String, in db: Database) throws -> [String] {
  try Row.fetchAll(db, sql: sql).map { row in
    row.databaseValues.map(\.text).joined(separator: "|")
  }
}

/// What the store's property list says, by key.
func metadata(in db: Database) throws -> [String: Any] {
  let data = try Data.fetchOne(db, sql: "SELECT Z_PLIST FROM Z_METADATA") ?? Data()
  return try propertyList(data)
}

func propertyList(_ data: Data) throws -> [String: Any] {
  unsafe try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] ?? [:]
}

/// The version hashes that the store carries, by entity.
func versionHashes(of store: URL) throws -> [String: Data] {
  try withStore(store) { db in
    try metadata(in: db)["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
  }
}

/// Rows of each concrete entity that has any, by its name in `Z_PRIMARYKEY`.
func rowCounts(of store: URL) throws -> [String: Int] {
  try withStore(store) { db in
    let names = try Row.fetchAll(db, sql: "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
    let tables = try String.fetchAll(
      db,
      sql:
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND name NOT LIKE 'Z\\_%' ESCAPE '\\'"
    )
    var byNumber: [Int64: Int] = [:]
    for table in tables where try db.columns(in: table).contains(where: { $0.name == "Z_ENT" }) {
      for row in try Row.fetchAll(
        db, sql: "SELECT Z_ENT, COUNT(*) FROM \"\(table)\" WHERE Z_PK IS NOT NULL GROUP BY Z_ENT")
      {
        byNumber[row[0], default: 0] += row[1]
      }
    }
    var counts: [String: Int] = [:]
    for row in names { counts[row[1]] = byNumber[row[0]] }
    return counts
  }
}

extension DatabaseValue {
  fileprivate var text: String {
    switch storage {
    case .null: "∅"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .blob(let data): data.map { String(format: "%02x", $0) }.joined()
    }
  }
}
