import Foundation
import GRDB
import TestSupport
import Testing

/// A migration was killed, and something happened to its store before anybody looked: the data stays in a file that a
/// message names.
@Suite("The last copy of the data")
struct LastCopyTests {
  private static let mark = "stores/.Diary.sqlite.modelc-0123abcd.backup"
  private static let backup = "Diary.sqlite.V1.backup"

  /// As a kill leaves it: in place just before the commit, or with the private file of a swap.
  private func interrupt(_ place: Workplace, isSwap: Bool) throws {
    if isSwap { try place.write("half a store", to: "stores/.Diary.sqlite.modelc-0123abcd") }
    let backup = place.url("stores/" + Self.backup)
    try FileManager.default.copyItem(at: place.url("stores/Diary.sqlite"), to: backup)
    try FileManager.default.linkItem(at: backup, to: place.url(Self.mark))
  }

  private func replace(_ place: Workplace, _ store: String, by kind: String) throws {
    let files = FileManager.default
    try files.moveItem(at: place.url(store), to: place.url("moved.sqlite"))
    switch kind {
    case "nothing": break
    case "an empty file": try place.write("", to: store)
    case "another program's file": try place.write("notes", to: store)
    case "an empty store":
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "0", "-C", "T", "-o", store))
    case "a newer empty store":
      expectSuccess(try place.modelc("fixture", "V3", "--rows", "0", "-C", "T", "-o", store))
    default:
      try files.copyItem(at: place.url("moved.sqlite"), to: place.url(store))
      try edit(place.url(store)) { try $0.execute(sql: "UPDATE ZHUT SET ZNAME = 'older'") }
    }
  }

  @Test(
    arguments: [
      "nothing", "an empty file", "another program's file", "an empty store", "a newer empty store",
      "an older copy",
    ], [true, false])
  func `stays where the store is gone or another one`(kind: String, isSwap: Bool) throws {
    try Workplace.withDemo { place, store in
      let rows = try rowCounts(of: place.url(store))
      try interrupt(place, isSwap: isSwap)
      try replace(place, store, by: kind)
      let left = try? Data(contentsOf: place.url(store))
      let look = try place.modelc("recover", store, "--dry-run", "-C", "T")
      #expect(look.code != 0, "\(look)")
      let recovery = try place.modelc("recover", store, "-C", "T")
      #expect(recovery.errors.last == "MC6405" && recovery.code == 4, "\(recovery)")
      #expect(recovery.stderr.contains("'stores/\(Self.backup)'"), "\(recovery)")
      #expect(try rowCounts(of: place.url("stores/" + Self.backup)) == rows)
      #expect((try? Data(contentsOf: place.url(store))) == left)
      #expect(!FileManager.default.fileExists(atPath: place.url(Self.mark).path))
      printCase(
        14, "killed, then \(kind) in the store's place", "recover", "MC6405 names the backup, which stays")
    }
  }

  @Test func `stays where the store's name is written to`() throws {
    try Workplace.withDemo { place, store in
      let rows = try rowCounts(of: place.url(store))
      try interrupt(place, isSwap: true)
      try replace(place, store, by: "nothing")
      let run = try place.modelc("migrate", "moved.sqlite", "-o", store, "-C", "T")
      expectSuccess(run)
      #expect(run.stderr.contains("warning[MC6404]") && run.stderr.contains(Self.backup), "\(run)")
      #expect(try rowCounts(of: place.url("stores/" + Self.backup)) == rows)
    }
  }

  @Test func `stays where a change in place was half done, and migrate says so once`() throws {
    try Workplace.withDemo { place, store in
      try interrupt(place, isSwap: false)
      // The hashes of V1, a column of V2: what a transaction leaves whose journal somebody deleted.
      try edit(place.url(store)) { try $0.execute(sql: "ALTER TABLE ZHUT ADD COLUMN ZNEW INTEGER") }
      let before = try Data(contentsOf: place.url(store))
      let run = try place.modelc("migrate", store, "-C", "T")
      expectRefusal(run, "MC6405", exit: 4)
      #expect(run.stderr.contains("'stores/\(Self.backup)'"), "\(run)")
      #expect(try Data(contentsOf: place.url(store)) == before)
      #expect(try place.snapshot().names == ["Diary.sqlite", Self.backup])
      #expect(try place.modelc("migrate", store, "-C", "T").errors.contains("MC6405") == false)
    }
  }

  @Test func `stays where rows differ though the metadata are the old ones`() throws {
    try Workplace.withDemo { place, store in
      try interrupt(place, isSwap: false)
      try edit(place.url(store)) { try $0.execute(sql: "UPDATE ZHUT SET ZNAME = 'x' WHERE Z_PK = 1") }
      expectRecovery(try place.modelc("recover", store, "-C", "T"))
      #expect(try place.snapshot().names == ["Diary.sqlite", Self.backup])
    }
  }

  private func expectRecovery(_ run: Modelc.Run) {
    #expect(run.errors == ["MC6405"] && run.code == 4, "\(run)")
    #expect(run.stderr.contains(Self.backup), "\(run)")
    // A log that stays is written into the backup's copy.
    let advice = run.stderr.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(advice.contains("its '-wal' and '-shm' files aside"), "\(run)")
  }

  @Test(arguments: [true, false])
  func `stays beside the migrated store, which is whole`(hasModels: Bool) throws {
    try Workplace.withDemo { place, store in
      try interrupt(place, isSwap: false)
      expectSuccess(try place.modelc("migrate", "stores/\(Self.backup)", "-o", "new.sqlite", "-C", "T"))
      try FileManager.default.removeItem(at: place.url(store))
      try FileManager.default.moveItem(at: place.url("new.sqlite"), to: place.url(store))
      let recovery = try Modelc.run(["recover", store] + (hasModels ? ["-C", "T"] : []), in: place.folder)
      expectSuccess(recovery)
      #expect(recovery.stdout.contains("intact") && recovery.stdout.contains(Self.backup), "\(recovery)")
      #expect(try place.snapshot().names == ["Diary.sqlite", Self.backup])
    }
  }
}
