import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// A plan says no where the migration would: what can be tried without writing is tried.
@Suite("A plan tries what a migration needs") struct TriedPlanTests {
  private static let old = """
    entities:
      Photo: {attributes: {size: integer32 = 0, scan: {type: binary?, externalStorage: true}}}
    """
  private static let new = """
    entities:
      Photo:
        attributes: {size: integer64 = 0, title: string?, scan: {type: binary?, externalStorage: true}}
    """
  private static let names = (1...3).map { "6BA7B810-9DAD-11D1-80B4-00C04FD430C\($0)" }

  private func withStore(_ body: (URL, TestStore, VersionedModel) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let model = try writtenModel(Self.old, Self.new)
      let photos = (1...3).map { ManagedObject("Photo", $0, values: ["size": .integer($0)]) }
      let store = try TestStore("New shop.sqlite", in: folder, of: model.versions[0], objects: photos)
      try body(folder, store, model)
    }
  }

  /// Each photo's scan in a file of its own, in the folder of a store of some name.
  private func addFiles(_ store: TestStore, besides stem: String, in folder: URL) throws -> URL {
    let data = folder.appending(path: ".\(stem)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try store.write { db in
      for (index, name) in Self.names.enumerated() {
        try Data([7]).write(to: data.appending(path: name))
        try db.execute(
          sql: "UPDATE ZPHOTO SET ZSCAN = ? WHERE Z_PK = ?",
          arguments: [Data([2]) + Data(name.utf8) + Data([0]), index + 1])
      }
    }
    return data
  }

  private func findings(_ diagnostics: [Diagnostic], _ code: Diagnostic.Code) -> [Diagnostic] {
    diagnostics.filter { $0.code == code }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `missing and empty files are counted by the plan and by the run`(_ route: RouteRequest) throws {
    try withStore { folder, store, model in
      let data = try addFiles(store, besides: "New shop", in: folder)
      #expect(findings(try store.plan(model).diagnostics, .externalDataMissing) == [])
      try FileManager.default.removeItem(at: data.appending(path: Self.names[0]))
      try Data().write(to: data.appending(path: Self.names[2]))
      let planned = findings(try store.plan(model).diagnostics, .externalDataMissing)
      #expect(planned.map(\.severity) == [.warning, .warning])
      // Of `-o` and `--into` that is another one than the store that misses them.
      #expect(planned.allSatisfy { $0.notes.contains { $0.message.contains("next to the migrated store") } })
      #expect(planned.map(\.message).joined().contains("1 object of 'Photo' is missing"))
      #expect(planned.map(\.message).joined().contains("1 object of 'Photo' is empty"))
      printCase(
        15, "files of large values are missing or empty", "plan, route \(route)",
        "counted by plan and run (MC5303)")
      let report = try store.migrate(model, route: route)
      #expect(findings(report.plan.diagnostics, .externalDataMissing) == planned)
      // The references are what they were.
      let cells = try store.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM ZPHOTO WHERE length(ZSCAN) = 38")
      }
      #expect(cells == 3)
    }
  }

  @Test func `a folder under the store's old name is found, and the command that mends it does`() throws {
    try withStore { folder, store, model in
      _ = try addFiles(store, besides: "Old shop", in: folder)
      // Another store's folder, with files of its own.
      let other = folder.appending(path: ".Zoo_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      try Data([1]).write(to: other.appending(path: UUID().uuidString))
      let finding = try #require(findings(try store.plan(model).diagnostics, .externalDataMissing).first)
      #expect(
        finding.notes.contains {
          $0.message.contains("3 missing files") && $0.message.contains(".Old shop_SUPPORT")
        })
      let command = try #require(finding.help.first?.split(separator: "`").first)
      #expect(command.hasPrefix("mv "))
      #expect(try CommandOutput(of: ["sh", "-c", String(command)]).code == 0)
      #expect(findings(try store.plan(model).diagnostics, .externalDataMissing) == [])
      #expect(try store.migrate(model).plan.diagnostics.filter { $0.code == .externalDataMissing } == [])
    }
  }

  @Test func `two values in one file are found by verify, and are no matter of a plan`() throws {
    try withStore { folder, store, model in
      _ = try addFiles(store, besides: "New shop", in: folder)
      func verified() throws -> [String] {
        try store.read { db in
          try verifyStore(db, name: "s", path: store.url.path, among: [model]).findings.map {
            "\($0.diagnostic.severity) \($0.count ?? 0) \($0.primaryKeys) \($0.diagnostic.message)"
          }
        }
      }
      #expect(try verified() == [])
      try store.write {
        try $0.execute(sql: "UPDATE ZPHOTO SET ZSCAN = (SELECT ZSCAN FROM ZPHOTO WHERE Z_PK = 1)")
      }
      let found = try verified()
      #expect(
        found == ["warning 2 [2, 3] 'scan' of 2 objects of 'Photo' shares a file with a value before it"])
      #expect(findings(try store.plan(model).diagnostics, .improperExternalName) == [])
    }
  }

  @Test func `a folder that another store may need is copied, and files go to a folder that is there`() throws
  {
    try withStore { folder, store, model in
      let data = try addFiles(store, besides: "Old shop", in: folder)
      try Data().write(to: folder.appending(path: "Old shop.sqlite"))
      func mend() throws -> String {
        let finding = try #require(findings(try store.plan(model).diagnostics, .externalDataMissing).first)
        let command = String(try #require(finding.help.first?.split(separator: "`").first))
        #expect(try CommandOutput(of: ["sh", "-c", command]).code == 0)
        #expect(findings(try store.plan(model).diagnostics, .externalDataMissing) == [])
        return command
      }
      #expect(try mend().hasPrefix("cp -Rp "))
      #expect(try FileManager.default.contentsOfDirectory(atPath: data.path).count == 3)
      try FileManager.default.removeItem(
        at: folder.appending(path: ".New shop_SUPPORT/_EXTERNAL_DATA/\(Self.names[1])"))
      #expect(try mend().hasPrefix("cp -pn "))
    }
  }

  @Test(arguments: [
    ("$source.scan", false), ("coalesce($source.scan, $source.scan)", false), ("$source.scan", true),
  ])
  func `where a mapping reads a file that is missing the plan says what the run does`(
    _ value: String, _ isInline: Bool
  ) throws {
    try withTemporaryFolder { folder in
      let trial = try CustomTrial(
        [Self.old, isInline ? Self.new.replacing(", externalStorage: true", with: "") : Self.new],
        mappings: [
          "entityMappings:\n  P: {source: Photo, destination: Photo, attributes: {scan: '\(value)'}}\n"
        ])
      let store = try trial.store(objects("Photo", ["size": .integer(1)], [:], [:]), in: folder)
      let data = try addFiles(store, besides: "Store", in: folder)
      for name in Self.names { try Data(repeating: 1, count: 9).write(to: data.appending(path: name)) }
      #expect(try !trial.plan(store).isBlocked)
      try FileManager.default.removeItem(at: data.appending(path: Self.names[1]))
      let plan = try trial.plan(store)
      #expect(!findings(plan.diagnostics, .externalDataMissing).isEmpty)
      var codes: [String] = []
      do { try trial.migrate(store) } catch { codes = refusalCodes(error) }
      #expect(codes == (plan.isBlocked ? ["MC5303"] : []))
      #expect(plan.isBlocked == (isInline || value.contains("coalesce")))
    }
  }

  @Test(arguments: [true, false])
  func `a later segment that reads a file that is missing is said by the plan`(_ isRead: Bool) throws {
    try withTemporaryFolder { folder in
      let later = Self.new.replacing("title: string?", with: "title: string?, label: string?")
      let value = isRead ? "coalesce($source.scan, $source.scan)" : "$source.scan"
      let trial = try CustomTrial(
        [Self.old, Self.new, later],
        mappings: [
          "",
          """
          entityMappings:
            P:
              source: Photo
              destination: Photo
              attributes: {label: 'uppercase:($source.title)', scan: '\(value)'}

          """,
        ])
      let store = try trial.store(objects("Photo", ["size": .integer(1)], [:], [:]), in: folder)
      let data = try addFiles(store, besides: "Store", in: folder)
      #expect(try !trial.plan(store).isBlocked)
      try FileManager.default.removeItem(at: data.appending(path: Self.names[1]))
      let plan = try trial.plan(store)
      #expect(plan.segments.count == 2)
      let severities = findings(plan.diagnostics, .externalDataMissing).map(\.severity)
      #expect(severities == [isRead ? .error : .warning])
      var codes: [String] = []
      do { try trial.migrate(store) } catch { codes = refusalCodes(error) }
      #expect(codes == (isRead ? ["MC5303"] : []))
    }
  }

  @Test func `a later step that turns external storage off is warned of`() throws {
    try withTemporaryFolder { folder in
      let mapping = "source: Photo, destination: Photo, attributes: {size: $source.size + 1}"
      let trial = try CustomTrial(
        [Self.old, Self.new, Self.new.replacing(", externalStorage: true", with: "")],
        mappings: ["entityMappings:\n  P: {\(mapping)}\n", ""])
      let store = try trial.store(objects("Photo", ["size": .integer(1)]), in: folder)
      let found = findings(try trial.plan(store).diagnostics, .storageFormChanged)
      #expect(found.map(\.severity) == [.warning])
    }
  }

  @Test(arguments: [RouteRequest.clone])
  func `damaged pages stand against it, under the same code`(_ route: RouteRequest) throws {
    try withStore { folder, store, model in
      try damage(store)
      let before = try Data(contentsOf: store.url)
      var options = MigrationOptions(keepsBackup: false)
      options.route = route
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      #expect(plan.diagnostics.filter { $0.severity == .error }.map(\.code) == [.malformedStore])
      #expect(throws: DiagnosticsError.self) { try store.migrate(model, route: route) }
      do { try store.migrate(model, route: route) } catch { #expect(refusalCodes(error) == ["MC5002"]) }
      #expect(try Data(contentsOf: store.url) == before)
    }
  }

  @Test func `damage that a change of the schema does not come near is said, and stays`() throws {
    try withTemporaryFolder { folder in
      let added = Self.old.replacing("size:", with: "title: string?, size:")
      let model = try writtenModel(Self.old, added)
      let photos = (1...900).map { ManagedObject("Photo", $0, values: ["size": .integer($0)]) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: photos)
      try damage(store)
      let plan = try store.plan(model)
      #expect(plan.route == .inPlace && !plan.isBlocked)
      #expect(findings(plan.diagnostics, .malformedStore).map(\.severity) == [.warning])
      #expect(try store.migrate(model).plan.route == .inPlace)
    }
  }

  /// A page that only an index stands on: every row can be read.
  private func damage(_ store: TestStore) throws {
    let queue = try DatabaseQueue(path: store.url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE EXTRA (a); CREATE INDEX EXTRA_A ON EXTRA (a)")
      try db.execute(
        sql:
          "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO EXTRA SELECT i FROM n"
      )
      _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let root = try queue.read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'EXTRA_A'")
    }
    try queue.close()
    let handle = try FileHandle(forUpdating: store.url)
    try handle.seek(toOffset: UInt64((try #require(root) - 1) * 4096 + 8))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 2000))
    try handle.close()
  }

  @Test(arguments: [RouteRequest.inPlace, .clone])
  func `other names of the file are said as the run says them`(_ route: RouteRequest) throws {
    try withStore { folder, store, model in
      try FileManager.default.linkItem(at: store.url, to: folder.appending(path: "Twin.sqlite"))
      var options = MigrationOptions(keepsBackup: false)
      options.route = route
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      #expect(
        findings(plan.diagnostics, .severalNames).map(\.severity) == [route == .inPlace ? .error : .warning])
      var codes: [String] = []
      do { try store.migrate(model, route: route) } catch { codes = refusalCodes(error) }
      #expect(codes == (plan.isBlocked ? ["MC5309"] : []))
    }
  }

  @Test func `the room that is said is enough for what rows gain`() throws {
    let kind = String(repeating: "k", count: 60)
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}",
      "entities: {Photo: {attributes: {name: string?, kind: string = '\(kind)'}}}")
    try withTemporaryFolder { folder in
      let photos = (1...3000).map { ManagedObject("Photo", $0, values: ["name": .string("photo")]) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: photos)
      let plan = try store.plan(model)
      let before = try Data(contentsOf: store.url).count
      try store.migrate(model)
      let after = try Data(contentsOf: store.url).count
      #expect(after > before && plan.bytesNeeded >= Int64(before + after) && plan.roomBound == "at most")
    }
  }

  @Test(arguments: [(true, true, 2), (true, false, 1), (false, true, 1)])
  func `the room that is said is that of the new file, and of a backup that is a copy`(
    usesWAL: Bool, keepsBackup: Bool, files: Int
  ) throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}",
      "entities: {Photo: {attributes: {name: string?, kind: string?}}}")
    try withTemporaryFolder { folder in
      let photos = (1...5000).map { ManagedObject("Photo", $0, values: ["name": .string("photo")]) }
      let store = try TestStore(in: folder, of: model.versions[0], usesWAL: usesWAL, objects: photos)
      var options = MigrationOptions(keepsBackup: keepsBackup)
      options.route = .clone
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      let size = try Data(contentsOf: store.url).count
      #expect(plan.bytesNeeded == Int64(size * files + 65_536))
    }
  }

  @Test func `what only a run can try is named`() throws {
    try withStore { _, store, model in
      #expect(try store.plan(model).notCheckedByPreflight == [])
      let trial = try CustomTrial(
        [Self.old, Self.new],
        mappings: ["entityMappings:\n  P: {source: Photo, destination: Photo, where: 'scan == nil'}\n"])
      let plan = try trial.plan(store)
      let command = "`modelc migrate --dry-run \(store.url.path.shellWord)` runs them"
      #expect(plan.notCheckedByPreflight.count == 1 && plan.notCheckedByPreflight[0].contains(command))
      let later = try CustomTrial(
        [Self.old, Self.new, Self.new.replacing("title", with: "name: string?, title")],
        mappings: [
          "",
          "entityMappings:\n  P: {source: Photo, destination: Photo, groupBy: $source.title, keep: first}\n",
        ]
      ).plan(store)
      #expect(
        later.notCheckedByPreflight.first?.hasPrefix("what is dropped, merged or not computable in V2 → V3")
          == true)
      #expect(later.segments.map(\.rowsAreEstimates) == [false, true])
      // Pages beyond those that the header counts take no room and no part.
      let file = try FileHandle(forUpdating: store.url)
      try file.truncate(atOffset: 300 << 20)
      try file.close()
      let large = try store.plan(model)
      #expect(
        large.notCheckedByPreflight.count == 1 && large.notCheckedByPreflight[0].contains("modelc verify"))
      #expect(!large.isBlocked)
    }
  }
}
