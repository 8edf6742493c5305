import GRDB

/// Makes an empty file in which a new store can be written, where there is none yet (else MC6003).
///
/// Pages and vacuum mode are those of every genuine store; finishing sets write-ahead mode.
package func createNewStoreFile(at path: String) throws -> PrivateStore {
  try createNewStoreFile(at: path, for: path, like: nil)
}

func createNewStoreFile(
  at path: String, for name: String, like original: StoreFile?, form: FileForm = .genuine
) throws -> PrivateStore {
  // Its tables are our own; the time between their statements is that of the user's policies.
  try PrivateStore(
    at: path, for: name, like: original, isBounded: false, fill: { _ in },
    prepare: { db in try form.apply(to: db) })
}

/// An empty private file that is to be filled from a finished one, which it sees as schema `source`.
///
/// - Parameters:
///   - path: where it is made; see ``privateName(besides:)``.
///   - store: the user's store, as messages name it.
package func createNextFile(
  after former: PrivateStore, at path: String, for store: StoreFile
) throws -> PrivateStore {
  let form = try former.read { db in try FileForm(of: db) }
  try former.finish(.rollback)
  let new = try createNewStoreFile(at: path, for: store.name, like: store, form: form)
  try new.attachSource(former.path)
  return new
}

/// A name beside a file under which a private one can be made.
package func privateName(besides path: String) -> String { privatePath(besides: path) }
