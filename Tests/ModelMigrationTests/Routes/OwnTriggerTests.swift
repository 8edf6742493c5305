import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import StoreRepair
import TestSupport
import Testing

/// What an app keeps by triggers, such as a full-text index, is not kept while modelc writes.
@Suite("Triggers of the app's own") struct OwnTriggerTests {
  private static let own = """
    CREATE TABLE OWN (a); CREATE TRIGGER Own AFTER UPDATE ON ZPHOTO BEGIN
    INSERT INTO OWN VALUES (new.ZNAME); END
    """

  private func told(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map(\.message).filter { $0.contains("not run for") }
  }

  @Test(arguments: [true, false])
  func `a custom step that writes to their table names them`(_ isTouched: Bool) throws {
    let old = """
      entities:
        Photo: {attributes: {name: string?}}
        Album: {attributes: {name: string?}}
      """
    let entity = isTouched ? "Photo" : "Album"
    let trial = try CustomTrial(
      [old, old.replacing("Album: {attributes: {", with: "Album: {attributes: {x: string?, ")],
      mappings: [
        "entityMappings:\n  P: {source: \(entity), destination: \(entity), attributes: {name: 'uppercase:($source.name)'}}\n"
      ])
    try withTemporaryFolder { folder in
      let store = try trial.store(
        objects("Photo", ["name": .string("a")]) + objects("Album", ["name": .string("b")]), in: folder)
      try store.write { try $0.execute(sql: Self.own) }
      let expected = ["the trigger 'Own' does not run for the objects that 'V2' gets"]
      #expect(told(try trial.plan(store).diagnostics) == (isTouched ? expected : []))
    }
  }

  @Test func `a repair that changes rows of their table names them`() throws {
    let model = try writtenModel(
      """
      entities:
        Album: {relationships: {photos: {toMany: Photo, inverse: album}}}
        Photo: {attributes: {name: string?}, relationships: {album: {to: Album, inverse: photos}}}
      """)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: Self.own) }
      #expect(told(try repairStore(at: store.url.path, models: [model]).warnings) == [])
      // The repair clears a reference; it adds no row, drops none, and writes to no other column.
      for event in ["AFTER INSERT", "BEFORE DELETE", "AFTER UPDATE OF ZNAME"] {
        let (name, end) = (event.suffix(5), "ON ZPHOTO BEGIN DELETE FROM OWN; END")
        try store.write { try $0.execute(sql: "CREATE TRIGGER No\(name) \(event) \(end)") }
      }
      try store.write { try $0.execute(sql: "UPDATE ZPHOTO SET ZALBUM = 7") }
      let warnings = try repairStore(at: store.url.path, models: [model]).warnings
      #expect(told(warnings) == ["the trigger 'Own' does not run for the repaired objects"])
    }
  }

  @Test func `an intact file of another program is not said to be damaged, whatever version is named`() throws
  {
    let model = try writtenModel("entities:\n  Photo: {attributes: {name: string?}}\n")
    try withTemporaryFolder { folder in
      let store = TestStore(at: folder.appending(path: "Other.sqlite"))
      try store.write { try $0.execute(sql: "CREATE TABLE notes (t); INSERT INTO notes VALUES ('a')") }
      var options = StoreRepairOptions(versionName: model.versions[0].name)
      options.output = folder.appending(path: "new.sqlite").path
      let error = #expect(throws: DiagnosticsError.self) {
        try repairStore(at: store.url.path, models: [model], options: options)
      }
      #expect(error?.diagnostics.map(\.code) == [.notACoreDataStore])
    }
  }
}
