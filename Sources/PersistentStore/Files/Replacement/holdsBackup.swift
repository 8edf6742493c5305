import Foundation
package import GRDB

/// Whether a store holds all that a backup holds: it is the same file, or has the backup's bytes, or each of its rows.
///
/// Whatever cannot be read or compared is not held.
///
/// - Parameters:
///   - store: reads the store, under its lock or in one transaction.
///   - path: where it lies.
///   - backup: the backup's main file; a log of it stands beside it.
package func holdsBackup(_ store: any StoreReading, at path: String, _ backup: String) throws -> Bool {
  guard let own = try FileStatus(atPath: path), let other = try FileStatus(atPath: backup),
    own.kind == .regular, other.kind == .regular
  else { return false }
  if try own.identity == other.identity || holdsBytes(path, backup) { return true }
  do {
    let connection = try StoreConnection(path: backup, busyTimeout: 0)
    // The same schema, and in each table the same rows.
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    return try store.read { db in
      try connection.read { try haveEqualRows(schema, db, $0) && haveEqualRows(inTablesOf: db, $0) }
    }
  } catch {
    return false
  }
}

/// Whether store and log have the backup's bytes, and no others; or begin with them, where the copying did not end: a
/// backup gets its second name when it is whole, and nothing changes before that.
private func holdsBytes(_ path: String, _ backup: String) throws -> Bool {
  let isPart = try FileStatus(atPath: backup)?.linkCount == 1
  for suffix in ["", "-wal"] {
    let (own, other) = (try FileStatus(atPath: path + suffix), try FileStatus(atPath: backup + suffix))
    guard let other else {
      // Changes in a log make another store of the same file.
      if own?.hasFrames == true, !isPart { return false }
      continue
    }
    guard let own, own.kind == .regular, other.kind == .regular, isPart || own.size == other.size,
      try OpenFile(reading: path + suffix).hasBeginning(OpenFile(reading: backup + suffix))
    else { return false }
  }
  return true
}

extension Database {
  /// Whether two stores have the same tables with the same rows; indexes, statistics and the cached model may differ.
  package func hasEqualObjects(_ other: Database) throws -> Bool {
    let condition = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'Z_MODELCACHE'"
    return try haveEqualRows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND \(condition) ORDER BY name", self, other)
      && haveEqualRows(inTablesOf: self, other, where: condition)
  }
}

private func haveEqualRows(
  inTablesOf one: Database, _ other: Database, where condition: String = "1"
) throws -> Bool {
  // What a virtual table holds lies in tables of its own.
  let tables: [String] = try one.values(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND \(condition) AND sql NOT LIKE 'CREATE VIRTUAL%'")
  return try tables.allSatisfy { table in
    // In the order in which they lie.
    try haveEqualRows("SELECT * FROM main.\(table.quotedIdentifier) NOT INDEXED", one, other)
  }
}

private func haveEqualRows(_ sql: String, _ one: Database, _ other: Database) throws -> Bool {
  let (own, others) = (try RowReader(one, sql: sql), try RowReader(other, sql: sql))
  while try own.step() {
    guard try others.step(), own.isSameRow(as: others) else { return false }
  }
  return try !others.step()
}
