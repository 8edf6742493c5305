import Foundation

extension StoreConnection {
  /// Makes a private copy of what this connection sees, changes in the log included, at a path that must be free.
  ///
  /// For results that are written elsewhere than over the store.
  package func clone(to path: String) throws -> PrivateStore {
    try file.clone(opened, to: path, isNew: true)
  }

  /// Such a copy under a private name beside `output`, which must be free, until ``PrivateStore/publish(at:)``.
  package func stage(for output: String) throws -> PrivateStore {
    try requireFree(output)
    return try clone(to: privatePath(besides: output))
  }
}

/// Throws MC6003 where there is a file of that name.
func requireFree(_ output: String) throws {
  try withStoreDiagnostics(for: output, .destination) {
    guard try FileStatus(atPath: output) == nil else { throw SystemError(EEXIST, "create", output) }
  }
}
