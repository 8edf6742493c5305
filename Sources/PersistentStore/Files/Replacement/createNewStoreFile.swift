import GRDB

/// Makes an empty file in which a new store can be written, if there is none yet (else MC6003).
///
/// Pages and vacuum mode are those of every genuine store; finishing sets write-ahead mode.
package func createNewStoreFile(at path: String) throws -> PrivateStore {
  try createNewStoreFile(at: path, for: path, like: nil)
}

func createNewStoreFile(
  at path: String, for name: String, like original: String?, form: FileForm = .genuine
) throws -> PrivateStore {
  // Its tables are our own; the time between their statements is that of the user's policies.
  try PrivateStore(
    at: path, for: name, like: original, fill: { _ in },
    prepare: { db in try form.apply(to: db) })
}

extension PrivateStore {
  /// A private file that starts as a copy of a finished one, and sees that as schema `source`.
  ///
  /// - Parameters:
  ///   - path: where it is made; see ``privatePath(besides:)``.
  ///   - store: the user's store, as messages name it.
  ///   - isEmpty: whether it starts empty instead, and sees nothing.
  package func createNextFile(at path: String, for store: StoreFile, isEmpty: Bool = false) throws
    -> PrivateStore
  {
    let form = try read { db in try FileForm(of: db) }
    try finish(.rollback)
    let new =
      try isEmpty
      ? createNewStoreFile(at: path, for: store.name, like: self.path, form: form)
      : PrivateStore(at: path, for: store.name, like: self.path) { file in
        try OpenFile(reading: self.path).copyContents(to: file)
      }
    if !isEmpty { try new.attachSource(self.path) }
    return new
  }
}
