package import GRDB
import PersistentStore

/// Makes every SQL function known that compiled predicates and expressions call.
package func registerFunctions(on databases: [Database]) {
  for db in databases {
    registerFetchFunctions(db)
    registerExpressionFunctions(db)
  }
}
