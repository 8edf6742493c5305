import Foundation
import ManagedModel

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

/// Throws MC6003 where there is a file of that name, or one that SQLite would take for its log.
func requireFree(_ output: String) throws {
  try withStoreDiagnostics(for: output, .destination) {
    guard try FileStatus(atPath: output) == nil else { throw SystemError(EEXIST, "create", output) }
    for suffix in ["-wal", "-shm", "-journal"] where try FileStatus(atPath: output + suffix) != nil {
      throw DiagnosticsError(.leftBeside(output, output + suffix))
    }
  }
}

extension Diagnostic {
  fileprivate static func leftBeside(_ output: String, _ file: String) -> Self {
    Self(
      .storeWriteFailed, .error, "'\(output)' cannot be written: '\(file.lastComponent)' lies beside it",
      notes: [
        "it belongs to a file that is gone; SQLite would take it for the log of the new one, and change that by it",
        "the store is unchanged",
      ],
      help: ["remove it if nobody misses that file, or choose another name"], cocoaCode: 134160)
  }
}
