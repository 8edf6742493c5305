package import GRDB

/// An open store inside a read or a write: what the functions of this module take. Later stages hand it on under
/// this name and need not know GRDB.
package typealias StoreDatabase = Database

/// Runs one statement of a plan.
@discardableResult
package func execute(_ statement: StoreStatement, in db: StoreDatabase) throws -> Int {
  try db.execute(sql: statement.sql)
  return db.changesCount
}
