import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

/// Death at every step, in a process of its own.
@Suite(.needsFixtures) struct KilledReplacementTests {
  @Test(arguments: [bookmarks, moody, rollbackStore], SwapStep.allCases)
  func `after a kill the old store or the new one is found, whole`(path: String, step: SwapStep) async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Fixtures.copyStore(path, into: folder)
    let old = try plainDump(store)
    let new = old.filter { !$0.hasPrefix("Z_PRIMARYKEY|") }

    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, number = step.rawValue as Int] in
      let replacement = try StoreReplacement(path: path)
      try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM Z_PRIMARYKEY") }
      replacement.willPerform = { if $0.rawValue == number { kill(getpid(), SIGKILL) } }
      _ = try replacement.commit(backupVersion: "V1")
    }

    // Any program's plain opening, without our care, finds one of the two.
    #expect(try plainDump(store) == (step < .syncFolder ? old : new))
    let connection = try StoreConnection(path: store.path)
    #expect(try connection.read(dump) == (step < .syncFolder ? old : new))
    try connection.quickCheck()
    try connection.close()
    // And a second run gets through.
    let replacement = try StoreReplacement(path: store.path)
    try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM Z_PRIMARYKEY") }
    let backup = try #require(try replacement.commit(backupVersion: "V1"))
    #expect(try plainDump(URL(filePath: backup.path)) == (step < .syncFolder ? old : new))
    #expect(try plainDump(store) == new)
  }
}
