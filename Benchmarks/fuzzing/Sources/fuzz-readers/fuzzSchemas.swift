import Foundation
import GRDB
import ModelCommands
import ModelMigration

/// A folder with a store, a project that has its model, and something that nobody may touch.
private struct Place: Sendable {
  let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
  let genuine: Data
  let canary: Data

  init() {
    do {
      genuine = try Data(contentsOf: URL(filePath: "corpus/store/V1.sqlite"))
      for name in ["store", "canary", "project/Models/Huts"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      for (name, text) in hutTexts {
        try Data(text.utf8).write(to: folder.appending(path: "project/Models/Huts/\(name).yaml"))
      }
      try Data("current: V2\nversions: [V1, V2]\n".utf8)
        .write(to: folder.appending(path: "project/Models/Huts/versions.yaml"))
      let diary = try DatabaseQueue(path: folder.appending(path: "canary/diary.sqlite").path)
      try diary.write { try $0.execute(sql: "CREATE TABLE diary (day); INSERT INTO diary VALUES (1)") }
      try diary.close()
      canary = try Data(contentsOf: folder.appending(path: "canary/diary.sqlite"))
      try canary.write(to: folder.appending(path: "canary/diary.txt"))
    } catch {
      giveUp("the folder cannot be made: \(error)")
    }
    // A statement of the store's reaches the canary by a short name.
    _ = FileManager.default.changeCurrentDirectoryPath(folder.appending(path: "canary").path)
  }

  var store: URL { folder.appending(path: "store/Huts.sqlite") }

  func check(_ data: Data) {
    func names(_ name: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)) ?? [])
        .sorted()
    }
    precondition((try? Data(contentsOf: store)) == data, "the store was changed")
    precondition(names("store") == ["Huts.sqlite"], "left beside the store: \(names("store"))")
    precondition(
      names("canary") == ["diary.sqlite", "diary.txt"], "left beside the canary: \(names("canary"))")
    for name in names("canary") {
      let now = try? Data(contentsOf: folder.appending(path: "canary/\(name)"))
      precondition(now == canary, "'\(name)' was changed")
    }
  }
}

private let place = Place()

/// Puts rows into `sqlite_master` of a genuine store, then lets every command that only looks look at it, and a
/// migration that goes nowhere, on each route.
///
/// A line is a row: one byte says what is done with it, one which row it replaces, one which of its fields are blobs;
/// then, between tabs, type, name, table, root page and SQL. A field that is missing or empty stays what it was.
func openSchema(_ data: Data) {
  let lines = data.split(separator: 0x0A, maxSplits: 40).prefix(40)
  do {
    try place.genuine.write(to: place.store)
    try edit(lines.map { Data($0) })
  } catch is DatabaseError {
    return
  } catch {
    giveUp("the store cannot be written: \(error)")
  }
  guard let hostile = try? Data(contentsOf: place.store) else { giveUp("the store cannot be read") }
  let path = place.store.path
  _ = try? planMigration(ofStoreAt: path, models: [huts])
  for route in [RouteRequest.inPlace, .clone] {
    var options = MigrationOptions()
    options.route = route
    _ = try? migrateStore(at: path, models: [huts], to: .nowhere, options: options)
  }
  for command in ["inspect", "verify"] {
    let code = ModelcCommand.run([command, path, "-C", place.folder.appending(path: "project").path])
    precondition(code != 70, "\(command) found a bug in itself")
  }
  place.check(hostile)
}

private func edit(_ lines: [Data]) throws {
  var configuration = Configuration()
  configuration.prepareDatabase {
    try $0.execute(sql: "PRAGMA writable_schema = ON; PRAGMA journal_mode = DELETE")
  }
  let queue = try DatabaseQueue(path: place.store.path, configuration: configuration)
  try queue.writeWithoutTransaction { db in
    let rows = try Int64.fetchAll(db, sql: "SELECT rowid FROM sqlite_master ORDER BY rowid")
    for line in lines where line.count > 3 {
      let bytes = [UInt8](line)
      let row = rows.isEmpty ? 0 : rows[Int(bytes[1]) % rows.count]
      let fields = line.dropFirst(3).split(separator: 0x09, maxSplits: 4, omittingEmptySubsequences: false)
      if bytes[0].isMultiple(of: 2) {
        try db.execute(
          sql: "INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master "
            + "WHERE rowid = ?", arguments: [row])
      }
      for (index, field) in fields.enumerated() where !field.isEmpty {
        let column = ["type", "name", "tbl_name", "rootpage", "sql"][index]
        let text = String(decoding: field, as: UTF8.self)
        let isBlob = bytes[2] >> index & 1 == 1
        // A plus in front adds to what is there.
        let isTail = text.hasPrefix("+")
        try db.execute(
          sql: "UPDATE sqlite_master SET \(column) = \(isTail ? "\(column) || " : "")?2 WHERE rowid = ?1",
          arguments: [
            bytes[0].isMultiple(of: 2) ? db.lastInsertedRowID : row,
            isBlob
              ? Data(field).databaseValue
              : index == 3
                ? (Int(text) ?? 0).databaseValue : String(text.dropFirst(isTail ? 1 : 0)).databaseValue,
          ])
      }
    }
  }
  try queue.close()
}
