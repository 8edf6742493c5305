import Foundation
package import GRDB

/// A file that nobody changes for now, read by a connection of its own: from any thread, beside others.
package struct SideReader: Sendable {
  let path: String
  /// The user's store, as messages name it.
  let name: String
  let role: StoreRole
  /// Of the user's store, where its size bounds the time of statements.
  var byteCount: Int64?

  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withStoreDiagnostics(for: name, role) {
      let configuration = connectionConfiguration(readOnly: true, byteCount: byteCount, examines: false) {
        _ in
      }
      let queue = try openQueue(path, .immutable, configuration)
      defer { try? queue.close() }
      return try queue.read(body)
    }
  }
}
