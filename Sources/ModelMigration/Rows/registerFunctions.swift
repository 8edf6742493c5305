package import GRDB
import PersistentStore

/// Registers the SQL functions that compiled predicates and expressions call.
package func registerFunctions(on databases: [Database]) {
  for db in databases {
    db.registerFetchFunctions()
    db.registerExpressionFunctions()
  }
}
