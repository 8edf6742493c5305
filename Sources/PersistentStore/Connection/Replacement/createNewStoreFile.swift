import GRDB

/// Makes an empty file in which a new store can be written, where there is none yet (else MC6003).
///
/// Pages and vacuum mode are those of every genuine store; finishing sets write-ahead mode.
package func createNewStoreFile(at path: String) throws -> PrivateStore {
  try createNewStoreFile(at: path, for: path, attributes: nil)
}

func createNewStoreFile(
  at path: String, for name: String, attributes: FileStatus?, form: FileForm = .genuine
) throws -> PrivateStore {
  try PrivateStore(
    at: path, for: name, attributes: attributes, fill: { _ in }, prepare: { db in try form.apply(to: db) })
}
