import GRDB
import ManagedModel

/// Makes an empty file in which a new store can be written, if there is none yet (else MC6003).
///
/// Pages and vacuum mode are those of every genuine store; finishing sets write-ahead mode.
///
/// - Parameter output: the name that ``PrivateStore/publish(at:)`` will give it, which must be free too; by default its own.
package func createNewStoreFile(at path: String, for output: String? = nil) throws -> PrivateStore {
  if let output { try requireFree(output) }
  // Its tables are our own; the time between their statements is that of the user's policies.
  return try PrivateStore(
    at: path, for: output ?? path, like: nil, fill: { _ in }, prepare: { db in try FileForm().apply(to: db) })
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
    let new = try PrivateStore(
      at: path, for: store.name, like: self.path,
      fill: { file in if !isEmpty { try OpenFile(reading: self.path).copyContents(to: file) } },
      prepare: { db in if isEmpty { try form.apply(to: db) } })
    if !isEmpty { try new.attachSource(self.path) }
    return new
  }
}

/// What a SQLite file is told before its first page is written, and keeps.
struct FileForm: Hashable, Sendable {
  var pageSize = 4096
  /// 0 none, 1 full, 2 incremental.
  var autoVacuum = 2
  var encoding = "UTF-8"
  var userVersion = 0
  var applicationID = 0

  /// That of every genuine store.
  init() {}

  init(of db: Database) throws {
    pageSize = try db.pragma("page_size") ?? 0
    autoVacuum = try db.pragma("auto_vacuum") ?? 0
    encoding = try db.pragma("encoding") ?? encoding
    userVersion = try db.pragma("user_version") ?? 0
    applicationID = try db.pragma("application_id") ?? 0
  }

  /// For an empty file only.
  func apply(to db: Database) throws {
    try db.execute(sql: "PRAGMA page_size = \(pageSize)")
    try db.execute(sql: "PRAGMA auto_vacuum = \(autoVacuum)")
    if encoding != "UTF-8" { try db.execute(sql: "PRAGMA encoding = \(encoding.sqlText)") }
    // These two are written at once, the form above with them.
    if userVersion != 0 { try db.execute(sql: "PRAGMA user_version = \(userVersion)") }
    if applicationID != 0 { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }
  }
}
