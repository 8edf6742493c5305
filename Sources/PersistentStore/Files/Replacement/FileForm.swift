import GRDB
import ManagedModel

/// What a SQLite file is told before its first page is written, and keeps.
struct FileForm: Hashable, Sendable {
  /// Bytes.
  var pageSize = 4096
  /// 0 none, 1 full, 2 incremental.
  var autoVacuum = 2
  var encoding = "UTF-8"
  var userVersion = 0
  var applicationID = 0

  /// That of every genuine store.
  static let genuine = FileForm()

  private init() {}

  /// The form of an open file.
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
    if encoding != Self.genuine.encoding { try db.execute(sql: "PRAGMA encoding = \(encoding.sqlText)") }
    // These two are written at once, the form above with them.
    if userVersion != 0 { try db.execute(sql: "PRAGMA user_version = \(userVersion)") }
    if applicationID != 0 { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }
  }
}
