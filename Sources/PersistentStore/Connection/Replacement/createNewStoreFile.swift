import GRDB

/// Makes an empty file in which a new store can be written, where there is none yet (else MC6003).
///
/// Pages and vacuum mode are those of every genuine store; finishing sets write-ahead mode.
package func createNewStoreFile(at path: String) throws -> PrivateStore {
  try createNewStoreFile(at: path, for: path, attributes: nil)
}

/// - Parameter pageSize: in bytes; 4096 in nearly every genuine store.
func createNewStoreFile(
  at path: String, for name: String, attributes: FileStatus?, pageSize: Int = 4096
) throws -> PrivateStore {
  try PrivateStore(
    at: path, for: name, attributes: attributes, fill: { _ in },
    prepare: { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    })
}

/// An empty private file that is to be filled from a finished one, which it sees as schema `source`.
///
/// - Parameters:
///   - path: where it is made; nil for a name beside `former` that nobody else uses.
///   - store: the user's store, as messages name it.
package func createNextFile(
  after former: PrivateStore, at path: String? = nil, for store: StoreFile
) throws -> PrivateStore {
  try former.finish(.rollback)
  let new = try createNewStoreFile(
    at: path ?? privatePath(besides: former.path), for: store.name, attributes: store.status,
    pageSize: store.header.pageSize)
  try new.attachSource(former.path)
  return new
}

/// A name beside a file under which a private one can be made.
package func privateName(besides path: String) -> String { privatePath(besides: path) }
