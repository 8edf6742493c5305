import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import StoreRepair
import TestSupport
import Testing

/// Transactions in a log that SQLite does not read, behind a damaged frame.
@Suite("Damaged logs") struct DamagedLogTests {
  private static let note = """
    entities:
      Note:
        attributes: {title: string?}
        relationships:
          next: {to: Note, inverse: former}
          former: {to: Note, inverse: next}
    """

  /// A store with a log of three transactions, of which the first frame is damaged.
  private func store(in folder: URL, of version: ModelVersion, next: Int? = nil) throws -> TestStore {
    let store = try TestStore("Own.sqlite", in: folder, of: version, objects: [ManagedObject("Note", 1)])
    try store.write { try $0.execute(sql: "UPDATE ZNOTE SET ZNEXT = ?", arguments: [next]) }
    let queue = try DatabaseQueue(path: store.url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      for title in ["a", "b", "c"] { try db.execute(sql: "UPDATE ZNOTE SET ZTITLE = '\(title)'") }
    }
    let copy = try store.copy(named: "Store.sqlite")
    try queue.close()
    let log = try FileHandle(forUpdating: URL(filePath: copy.url.path + "-wal"))
    try log.seek(toOffset: 32 + 24 + 4000)
    try log.write(contentsOf: Data("damage".utf8))
    try log.close()
    return copy
  }

  private func log(of store: TestStore, _ suffix: String = "") -> Data? {
    try? Data(contentsOf: URL(filePath: store.url.path + "-wal" + suffix))
  }

  @Test func `are reported by each migration, and a copy stays with the backup`() throws {
    let model = try writtenModel(
      Self.note, Self.note.replacing("string?", with: "string = \"none\""))
    try withTemporaryFolder { folder in
      let store = try store(in: folder, of: model.versions[0])
      let before = try #require(log(of: store))
      let output = MigrationDestination.file(folder.appending(path: "o").path)
      let runs: [(MigrationDestination, Data?)] = [(output, nil), (.inPlaceOfStore, before)]
      for (destination, copy) in runs {
        let report = try migrateStore(at: store.url.path, models: [model], to: destination)
        #expect(report.diagnostics.count { $0.code.description == "MC5301" } == 1)
        #expect(log(of: store, ".damaged") == copy)
      }
    }
  }

  @Test func `are reported to whoever reads all objects, as rows without an entity are`() throws {
    let model = try writtenModel(Self.note)
    try withTemporaryFolder { folder in
      let store = try store(in: folder, of: model.versions[0])
      let path = store.url.path
      func findings() throws -> [String] {
        let connection = try StoreConnection(path: path)
        defer { try? connection.close() }
        return try connection.read { db in
          let source = try db.readStoreSource(path: path, among: [model])
          return try source.findUnreadRows(db, path: path).map(\.code.description)
        }
      }
      let first = try findings()
      #expect(first == ["MC5301"])
      // The log ends with that.
      try store.write { try $0.execute(sql: "UPDATE ZNOTE SET Z_ENT = 99") }
      let second = try findings()
      #expect(second == ["MC5106"])
    }
  }

  @Test func `are reported by a repair once, and a copy stays with the damaged store`() throws {
    let model = try writtenModel(Self.note)
    try withTemporaryFolder { folder in
      // Something to repair.
      let store = try store(in: folder, of: model.versions[0], next: 7)
      let before = try #require(log(of: store))
      let report = try repairStore(
        at: store.url.path, models: [model], options: StoreRepairOptions(isApplied: true, allowsLoss: true))
      let findings = (report.remaining.map(\.diagnostic) + report.warnings)
        .filter { $0.code.description == "MC5301" }
      #expect(report.isApplied && findings.count == 1)
      #expect(findings.flatMap(\.notes).contains { $0.message.contains("'Store.sqlite-wal.damaged'") })
      #expect(log(of: store, ".damaged") == before)
    }
  }
}
