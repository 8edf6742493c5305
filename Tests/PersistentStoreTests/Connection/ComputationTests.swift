import Foundation
import GRDB
import ManagedModel
import TestSupport
import Testing

@testable import PersistentStore

@Suite("A store whose tables compute does not keep modelc busy") struct ComputationTests {
  private func withStore(_ sql: String, mode: String, _ body: (URL, FolderSnapshot) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode, rows: 300)
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      try queue.close()
      try body(store, FolderSnapshot(folder))
    }
  }

  @Test(
    arguments: [
      "CREATE TABLE ZX (a, b AS (printf('%.*c', 900000000, 'x')))",
      "CREATE TABLE ZX (a, b AS (\"instr\" /* ( */ (hex(zeroblob(40000000)), a)))",
      "CREATE TABLE ZX (a CHECK (length([Replace] -- (\n (a, 'x', 'y')) > 0))",
      "CREATE INDEX x ON ZNOTE (ltrim (ZTEXT, ZTEXT))",
    ], ["DELETE", "WAL"])
  func `what no limit ends is refused`(sql: String, mode: String) throws {
    try withStore(sql, mode: mode) { store, before in
      let refusal = try refusal { _ = try StoreConnection(path: store.path) }
      #expect(refusal.code.description == "MC5002")
      #expect(refusal.notes.first?.message.contains("computes values with") == true)
      #expect(codes { _ = try StoreLock(StoreFile(path: store.path)) } == ["MC5002"])
      #expect(try FolderSnapshot(store.deletingLastPathComponent()) == before)
    }
  }

  @Test(arguments: [
    "CREATE TABLE ZX (Z_PK INTEGER, ZFORMAT VARCHAR(255), format VARCHAR, \"replace\" CHECK (format > 1))",
    "CREATE TABLE format (a); CREATE INDEX trim ON format(a)",
  ])
  func `names of such functions alone are none`(sql: String) throws {
    try withStore(sql, mode: "WAL") { store, _ in
      #expect(codes { try StoreConnection(path: store.path).close() } == [])
    }
  }

  /// A row takes long, and few steps; so the question has to come at every one.
  @Test func `values that take long are ended in time`() throws {
    try withStore("ALTER TABLE ZNOTE ADD COLUMN b AS (length(hex(zeroblob(20000000 + Z_PK))))", mode: "WAL") {
      store, _ in
      let connection = try StoreConnection(path: store.path)
      let found = codes { _ = try connection.read { try Row.fetchAll($0, sql: "SELECT sum(b) FROM ZNOTE") } }
      #expect(found == ["MC6005"])
      try connection.close()
    }
  }

  @Test func `what is done with a query's row is none of its time`() throws {
    let found = try readNotes(ceiling: 0.5) { count in
      guard count == 2_500 else { return }
      let end = ContinuousClock.now + .seconds(1)
      while ContinuousClock.now < end {}
    }
    #expect(found == [])
  }

  @Test func `a query's own time counts also if each row takes few steps`() throws {
    let found = try readNotes(ceiling: 0) { _ in }
    #expect(found == ["MC6005"])
  }

  /// - Parameter ceiling: how long the query may work, in seconds.
  private func readNotes(ceiling: Double, _ body: (Int) -> Void) throws -> [String] {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "s.sqlite").path
      let note = EntityDescription(name: "Note", attributes: [.init(name: "text", type: .string)])
      let version = ModelVersion(name: "V1", model: ManagedObjectModel(entities: [note]))
      let objects = (1...5_000 as ClosedRange<Int64>).map {
        ManagedObject("Note", $0, values: ["text": .string("a")])
      }
      let file = try createNewStoreFile(at: path)
      try file.write { db in _ = try fillStore(in: db, version: version, objects: objects) }
      try file.finish()
      let connection = try StoreConnection(path: path)
      defer { try? connection.close() }
      var count = 0
      let found = codes {
        try connection.read { db in
          let source = try db.readStoreSource(path: path, among: [])
          let query = try compileObjectQuery(
            parseObjectQuery("SELECT text FROM Note"), schema: source.schema, model: source.version.model)
          GuardRegister.shared[unsafe UInt(bitPattern: db.sqliteConnection)]?.ceiling = ceiling
          try db.readRows(query, schema: source.schema) { _ in
            count += 1
            body(count)
          }
        }
      }
      #expect((count == 5_000) == found.isEmpty)
      return found
    }
  }
}
