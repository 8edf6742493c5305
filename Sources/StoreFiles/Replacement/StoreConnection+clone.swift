import Foundation
package import GRDB

extension StoreConnection {
  /// Makes a private copy of what this connection sees, changes in the log included, at a path that must be free.
  ///
  /// For results that are written elsewhere than over the store.
  package func clone(to path: String) throws -> PrivateStore {
    try cloneStore(file, opened, to: path)
  }

  /// Such a copy under a private name beside `output`, which must be free, until ``PrivateStore/publish(at:)``.
  package func stage(for output: String) throws -> PrivateStore {
    try requireFree(output)
    return try clone(to: privatePath(besides: output))
  }

  /// Makes an empty private file beside `output`, which must be free, to be filled from what this connection sees as
  /// schema `source`; its name is private until ``PrivateStore/publish(at:)``.
  ///
  /// Others may go on writing to the store, so the tables are read from a copy, which goes when the file is finished
  /// or discarded.
  ///
  /// - Parameter read: looks at that copy.
  package func stageNewFile<Result>(
    for output: String, reading read: (Database) throws -> Result
  ) throws -> (file: PrivateStore, result: Result) {
    try requireFree(output)
    let form = try self.read { db in try FileForm(of: db) }
    let new = try createNewStoreFile(
      at: privatePath(besides: output), for: file.name, like: file, form: form)
    let copy = try cloneStore(file, opened, to: privatePath(besides: output))
    new.sourceCopy = copy
    let result = try copy.read(read)
    try copy.finish(.rollback)
    try new.attachSource(copy.path)
    return (new, result)
  }
}

/// Throws MC6003 where there is a file of that name.
func requireFree(_ output: String) throws {
  try withStoreDiagnostics(for: output, .destination) {
    guard try FileStatus(atPath: output) == nil else { throw SystemError(EEXIST, "create", output) }
  }
}
