import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

/// Death while large values are put into files, in a process of its own; and what is found after it.
@Suite struct KilledExternalDataTests {
  /// Puts two values into files beside a store and dies.
  private func die(for store: URL, like original: URL, copies: Bool = false) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [store = store.path as String, original = original.path as String, copies = copies as Bool] in
      let work = try ExternalDataTrial.work(for: store, like: original)
      // The private file that is to get the store's name; as long as it is there, nobody else refers to the values.
      let name = URL(filePath: store).lastPathComponent
      let staged = URL(filePath: store).deletingLastPathComponent().appending(
        path: ".\(name).modelc-99999999")
      try Data().write(to: staged)
      for number in 1...2 { _ = try ExternalDataTrial.put(Int64(number), into: work) }
      if copies { try work.copyFiles(ofStoreAt: original) }
      kill(getpid(), SIGKILL)
    }
  }

  private func withTrial(_ body: (ExternalDataTrial) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(ExternalDataTrial(in: folder))
  }

  /// Finds and removes; a second look finds nothing.
  private func settle(_ store: URL) throws -> [Leftover.Meaning] {
    let lock =
      FileManager.default.fileExists(atPath: store.path) ? try StoreLock(StoreFile(path: store.path)) : nil
    let found = try findLeftovers(ofStoreAt: store.path, reading: lock)
    try found.remove(ofStoreAt: store.path, named: store.path)
    #expect(try findLeftovers(ofStoreAt: store.path, reading: lock) == [])
    try lock?.close()
    return found.map(\.meaning)
  }

  /// A row of a store refers to a file.
  private func refer(to name: String, in store: URL) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { db in
      try db.execute(
        sql: "UPDATE ZNOTE SET ZTEXT = ? WHERE Z_PK = 1", arguments: [Data([2]) + Data(name.utf8) + Data([0])]
      )
    }
    try queue.close()
  }

  @Test(arguments: [true, false])
  func `values of a file that never got its name go, with their folders`(copies: Bool) async throws {
    try await withTrial { trial in
      let before = try listing(of: trial.folder)
      await die(for: trial.output, like: trial.store, copies: copies)
      #expect(try listing(of: trial.files(of: trial.output)).count == (copies ? 3 : 2))
      let values = [Leftover.Meaning](repeating: .unfinishedValue, count: copies ? 3 : 2)
      #expect(
        try settle(trial.output) == values + [
          .unfinishedFolder, .unfinishedFolder, .unfinishedFile, .unfinishedFile,
        ])
      #expect(try listing(of: trial.folder) == before)
      #expect(try listing(of: trial.files(of: trial.store)) == [ExternalDataTrial.name])
    }
  }

  @Test func `copies stay with a store that has its name, used or not`() async throws {
    try await withTrial { trial in
      await die(for: trial.output, like: trial.store, copies: true)
      try FileManager.default.copyItem(at: trial.store, to: trial.output)
      #expect(
        try settle(trial.output) == [.unfinishedValue, .unfinishedValue, .valueRecord, .unfinishedFile])
      #expect(try listing(of: trial.files(of: trial.output)) == [ExternalDataTrial.name])
    }
  }

  @Test func `values of a swap that did not happen go, and no other file`() async throws {
    try await withTrial { trial in
      let before = try listing(of: trial.folder)
      await die(for: trial.store, like: trial.store)
      // Somebody else's, which no row refers to either.
      let other = UUID().uuidString
      try Data("other".utf8).write(to: trial.files(of: trial.store).appending(path: other))
      #expect(
        try settle(trial.store) == [.unfinishedValue, .unfinishedValue, .unfinishedFile, .unfinishedFile])
      #expect(try listing(of: trial.folder) == before)
      #expect(try listing(of: trial.files(of: trial.store)) == [ExternalDataTrial.name, other].sorted())
    }
  }

  @Test(arguments: ["there", "moved away", "replaced"])
  func `after the swap the values are the store's, wherever it is`(place: String) async throws {
    try await withTrial { trial in
      await die(for: trial.store, like: trial.store)
      let made = try listing(of: trial.files(of: trial.store))
      // What the rename takes away.
      try FileManager.default.removeItem(at: trial.folder.appending(path: ".Diary.sqlite.modelc-99999999"))
      if place != "there" {
        try FileManager.default.moveItem(at: trial.store, to: trial.folder.appending(path: "moved"))
      }
      if place == "replaced" { try makeStore(at: trial.store) }
      #expect(try settle(trial.store) == [.valueRecord])
      #expect(try listing(of: trial.files(of: trial.store)) == made)
    }
  }

  @Test(arguments: ["support", "data"])
  func `nothing is removed behind a link`(which: String) async throws {
    try await withTrial { trial in
      await die(for: trial.output, like: trial.store)
      let support = trial.folder.appending(path: ".New_SUPPORT")
      let folder = which == "support" ? support : support.appending(path: "_EXTERNAL_DATA")
      let elsewhere = trial.folder.appending(path: "elsewhere")
      try FileManager.default.moveItem(at: folder, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
      let before = try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path).sorted()
      _ = try settle(trial.output)
      #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path).sorted() == before)
    }
  }

  @Test(arguments: ["row", "backup", "broken backup"])
  func `what a row of the store or of a backup refers to stays`(place: String) async throws {
    try await withTrial { trial in
      await die(for: trial.store, like: trial.store)
      let made = try listing(of: trial.files(of: trial.store)).filter { $0 != ExternalDataTrial.name }
      let backup = trial.folder.appending(path: "Diary.sqlite.V1.backup")
      switch place {
      case "row": try refer(to: made[0], in: trial.store)
      case "backup":
        try FileManager.default.copyItem(at: trial.store, to: backup)
        try refer(to: made[0], in: backup)
      default: try Data("broken".utf8).write(to: backup)
      }
      let expected: [Leftover.Meaning] =
        switch place {
        case "row": [.unfinishedValue, .valueRecord, .unfinishedFile]
        case "backup": [.unfinishedValue, .unfinishedFile, .unfinishedFile]
        default: [.unfinishedFile, .unfinishedFile]
        }
      #expect(try settle(trial.store) == expected)
      let kept = place == "broken backup" ? made : [made[0]]
      #expect(try listing(of: trial.files(of: trial.store)) == ([ExternalDataTrial.name] + kept).sorted())
    }
  }

  @Test func `a record cut short, of anything else, or at work is no reason to remove a value`() async throws
  {
    try await withTrial { trial in
      let record = trial.folder.appending(path: ".Diary.sqlite.modelc-0123abcd.external")
      for text in [
        "", "modelc external", "file \(ExternalDataTrial.name)\n", String(repeating: "x", count: 70_000),
      ] {
        try Data(text.utf8).write(to: record)
        #expect(try settle(trial.store) == [.valueRecord])
      }
      let work = try ExternalDataTrial.work(for: trial.store.path, like: trial.store.path)
      _ = try ExternalDataTrial.put(1, into: work)
      let connection = try StoreConnection(path: trial.store.path)
      #expect(try findLeftovers(ofStoreAt: trial.store.path, reading: connection).map(\.meaning) == [.inUse])
      try connection.close()
      #expect(try listing(of: trial.files(of: trial.store)).count == 2)
    }
  }
}
