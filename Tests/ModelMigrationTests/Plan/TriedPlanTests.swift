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

  @Test(arguments: ["TABLE ZALBUM (a)", "VIEW Zalbum AS SELECT 1"])
  func `a name that something of the app's own has is refused by the plan`(_ taken: String) throws {
    let old = "entities:\n  Photo: {attributes: {size: integer32 = 0}}\n"
    let model = try writtenModel(old, old + "  Album: {attributes: {title: string?}}\n")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE \(taken)") }
      let plan = try store.plan(model)
      #expect(plan.diagnostics.filter { $0.severity == .error }.map(\.code.description) == ["MC5107"])
    }
  }

  @Test func `what a step behind a custom one needs is said before it begins`() throws {
    func version(_ more: String, _ rest: String = "") -> String {
      "entities:\n  Photo: {attributes: {name: string?, n: integer32 = 0\(more)}}\n\(rest)"
    }
    let unique = "  Album: {attributes: {title: string?}}\n"
    let trial = try CustomTrial(
      [
        version(""), version(", m: integer32 = 0"),
        version(", m: integer32 = 0", unique).replacing("0}}", with: "0}, uniquenessConstraints: [[name]]}"),
      ],
      mappings: ["entityMappings: {P: {source: Photo, destination: Photo, attributes: {m: $source.n * 2}}}\n"]
    )
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Photo", ["name": .string("a"), "n": .integer(1)]), in: folder)
      let plan = try trial.plan(store)
      #expect(!plan.isBlocked && plan.roomBound == "about")
      #expect(plan.diagnostics.map { "\($0.code) \($0.severity)" } == ["MC3105 warning"])
      try store.write { try $0.execute(sql: "CREATE TABLE ZALBUM (a)") }
      let errors = try trial.plan(store).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code.description) == ["MC5107"])
    }
  }

  @Test func `a to-one that becomes transient loses nothing, because its inverse keeps the references`()
    throws
  {
    func version(_ more: String) -> String {
      """
      entities:
        Hut: {relationships: {visits: {toMany: Visit, inverse: hut}}}
        Visit: {relationships: {hut: {to: Hut, inverse: visits\(more)}}}
      """
    }
    let model = try writtenModel(version(""), version(", transient: true"))
    try withTemporaryFolder { folder in
      let hut = ManagedObject.ID(entityName: "Hut", primaryKey: 1)
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 2, toOne: ["hut": hut])])
      #expect(try store.plan(model).losses == [])
      try store.migrate(model, allowing: [])
      #expect(try store.read { try Int.fetchOne($0, sql: "SELECT Z1VISITS FROM ZVISIT") } == 1)
    }
  }

  @Test func `a broken view of the app's own is named where names of it change, and else stays`() throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}", "entities: {Photo: {attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE OWN (a); CREATE VIEW Others AS SELECT a, b FROM OWN;
            CREATE VIEW Lists AS SELECT ZNAME, b FROM ZPHOTO
            """)
      }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      #expect(
        error?.diagnostics.first?.help.first?.contains("view 'Lists' is broken") == true,
        "\(String(describing: error))")
      try store.write { try $0.execute(sql: "DROP VIEW Lists") }
      try store.migrate(model)
      let left = try store.read {
        try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'view'")
      }
      #expect(left == ["Others"])
    }
  }

  @Test func `a view keeps its text where its columns are made anew`() throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}",
      "entities: {Photo: {attributes: {title: {type: string?, renamingIdentifier: name}, name: {type: string?, renamingIdentifier: other}}}}"
    )
    let sql = "CREATE VIEW names AS SELECT ZNAME FROM ZPHOTO"
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: sql) }
      try store.migrate(model)
      let kept = try store.read {
        try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'names'")
      }
      #expect(kept == sql)
    }
  }

  @Test(arguments: ["", "; CREATE TRIGGER t INSTEAD OF DELETE ON Lists BEGIN SELECT 1; END"])
  func `a view that reads what a migration takes away is not called broken`(_ trigger: String) throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?, size: integer32 = 0}}}",
      "entities: {Photo: {attributes: {size: integer32 = 0}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE VIEW Lists AS SELECT ZNAME FROM ZPHOTO\(trigger)") }
      let planned = try store.plan(model).diagnostics.filter { $0.severity == .error }
      #expect(planned.map(\.code.description) == ["MC6001"])
      #expect(planned.first?.message.contains("would fail: ") == true)
      if !trigger.isEmpty { return }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      let help = error?.diagnostics.first?.help.first ?? ""
      #expect(
        help.contains("'Lists' reads what this step removes") && help.contains("`DROP VIEW Lists`"),
        "\(String(describing: error))")
    }
  }

  @Test func `a view of SQLite's statistics, which an empty copy does not have, is in nobody's way`() throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}", "entities: {Photo: {attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "ANALYZE; CREATE VIEW Counts AS SELECT tbl FROM sqlite_stat1") }
      #expect(try store.plan(model).diagnostics.filter { $0.severity == .error } == [])
    }
  }

  @Test(arguments: [true, false])
  func `a trigger of the app's own that the new columns break is named`(_ namesColumn: Bool) throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}", "entities: {Photo: {attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE OWN (a); CREATE TRIGGER own AFTER UPDATE ON ZPHOTO BEGIN
            INSERT INTO OWN VALUES (appsOwn(new.\(namesColumn ? "ZNAME" : "Z_PK"))); END
            """)
      }
      let warnings = try store.plan(model).diagnostics.filter { $0.message.contains("that change: 'own'") }
      #expect(warnings.map(\.severity) == (namesColumn ? [.warning] : []))
      guard namesColumn else {
        try store.migrate(model)
        let triggers = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"
        #expect(try store.read { try Int.fetchOne($0, sql: triggers) } == 1)
        return
      }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      #expect(
        error?.diagnostics.first?.help.first?.contains("trigger 'own' is broken") == true,
        "\(String(describing: error))")
    }
  }

  @Test func `a trigger that fires for a column that is gone is named, and SQLite would not say so`() throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}", "entities: {Photo: {attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE OWN (a); CREATE TRIGGER own AFTER UPDATE OF Z_OPT, ZNAME ON ZPHOTO BEGIN
            INSERT INTO OWN VALUES (new.Z_PK); END
            """)
      }
      let warnings = try store.plan(model).diagnostics.filter { $0.message.contains("that change: 'own'") }
      #expect(warnings.map(\.severity) == [.warning])
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      #expect(
        error?.diagnostics.first?.help.first?.contains("trigger 'own' is broken") == true,
        "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    ("ZALBUM(Z_PK)", true), ("ZPHOTO(ZSIZE)", true), ("ZPHOTO", false), ("\"zphoto\" (ZNAME)", false),
  ])
  func `a foreign key of the app's own that would lead to nothing is a warning`(
    _ clause: String, isBroken: Bool
  ) throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Album: {attributes: {a: string?}}, Photo: {attributes: {name: string?, size: integer32?}}}",
      "entities: {Picture: {renamingIdentifier: Photo, attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE TABLE OWN (a REFERENCES \(clause))") }
      let found = try store.plan(model).diagnostics.filter { $0.message.contains("table 'OWN' lead") }
      #expect(found.map(\.severity) == (isBroken ? [.warning] : []))
      try store.migrate(model)
      if !isBroken {
        let sql = try store.read {
          try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'OWN'")
        }
        #expect(sql?.contains("ZPICTURE") == true && sql?.contains("ZNAME") == false)
      }
    }
  }

  @Test func `a trigger of a table of the app's own keeps its text`() throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}",
      "entities: {Photo: {attributes: {title: {type: string?, renamingIdentifier: name}, name: {type: string?, renamingIdentifier: other}}}}"
    )
    let sql = "CREATE TRIGGER own AFTER INSERT ON OWN BEGIN UPDATE ZPHOTO SET ZNAME = new.a; END"
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE TABLE OWN (a); \(sql)") }
      try store.migrate(model)
      let kept = try store.read { db in
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'own'")
      }
      #expect(kept == sql)
    }
  }

  @Test(arguments: [true, false])
  func `duplicates that a missing index let in are found by the plan`(_ isDuplicate: Bool) throws {
    let old = "entities:\n  Photo: {attributes: {name: string?}, uniquenessConstraints: [[name]]}\n"
    let model = try writtenModel(old, old + "  Album: {attributes: {title: string?}}\n")
    try withTemporaryFolder { folder in
      let photos = (1...2).map { ManagedObject("Photo", $0, values: ["name": .string("p\($0)")]) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: photos)
      try store.write { db in
        try db.execute(sql: "DROP INDEX Z_Photo_UNIQUE_name")
        if isDuplicate { try db.execute(sql: "UPDATE ZPHOTO SET ZNAME = 'p'") }
      }
      let errors = try store.plan(model).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code) == (isDuplicate ? [.duplicateValues] : []))
    }
  }
}
