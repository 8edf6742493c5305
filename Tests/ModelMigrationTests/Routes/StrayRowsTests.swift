import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Where a migration touches rows; one that changes only the schema leaves them as they lie.
@Suite("Rows that belong to no entity")
struct StrayRowsTests {
  private func version(_ name: String, _ attributes: [AttributeDescription]) -> ModelVersion {
    ModelVersion(
      name: name,
      model: ManagedObjectModel(entities: [EntityDescription(name: "Note", attributes: attributes)]))
  }

  /// 7 is nobody's; 2 is a number that the new version gives to an entity; nil is none at all.
  @Test(arguments: [7, 2, nil], [RouteRequest.auto, .clone])
  func `they stay where they lie, and are told`(number: Int?, route: RouteRequest) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "s.sqlite").path
      let old = version("V1", [.init(name: "title", type: .string)])
      // Another entity comes before it, so that its number changes.
      let new = ModelVersion(
        name: "V2",
        model: ManagedObjectModel(entities: [
          EntityDescription(name: "Album"),
          EntityDescription(
            name: "Note",
            attributes: [
              .init(name: "title", type: .string),
              .init(name: "text", type: .string, isOptional: false, defaultValue: .text("none")),
            ]),
        ]))
      let file = try createNewStoreFile(at: path)
      try file.write { db in
        _ = try fillStore(
          in: db, version: old, objects: [ManagedObject("Note", 1, values: ["title": .string("kept")])])
        try db.execute(
          sql: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (2, ?, 1, 'nobody''s')",
          arguments: [number])
      }
      try file.finish()
      let model = VersionedModel(name: "Notes", versions: [old, new], currentVersionName: "V2")
      var options = MigrationOptions()
      options.route = route
      let report = try migrateStore(at: path, models: [model], options: options)
      let told = report.plan.diagnostics.filter { $0.code == .entityNumbersInconsistent }
      #expect(told.map(\.severity) == [.warning])
      let store = TestStore(at: URL(filePath: path))
      let titles = try store.objects(new.model).map { $0.values["title"] }
      #expect(titles == [.string("kept")])
      let rows = try store.read { db in
        try Row.fetchAll(db, sql: "SELECT Z_ENT, ZTITLE FROM ZNOTE WHERE Z_PK = 2")
      }
      #expect(rows.count == 1)
      let text: String? = rows.first?["ZTITLE"]
      let kept: Int? = rows.first?["Z_ENT"]
      #expect(text == "nobody's")
      // Where an entity gets the number, it may not become an object of it.
      #expect(kept == (number == 2 ? -3 : number))
    }
  }

  /// The entity number 3 comes with the new version, and no row is touched for it.
  @Test func `they become no objects of an entity that is new in their table`() throws {
    let old = "entities:\n  Item: {attributes: {title: string?}}\n  Note: {parent: Item}\n"
    let model = try writtenModel(old, old + "  Post: {parent: Item}\n")
    try withTemporaryFolder { folder in
      let items = [1, 2].map { ManagedObject("Item", $0) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: items)
      try store.write { try $0.execute(sql: "UPDATE ZITEM SET Z_ENT = 3 WHERE Z_PK = 1") }
      let report = try store.migrate(model)
      #expect(report.plan.diagnostics.contains { $0.code == .entityNumbersInconsistent })
      #expect(try store.objects(model.last).map(\.id) == [objectID("Item", 2)])
      #expect(try store.read { try Int.fetchOne($0, sql: "SELECT Z_ENT FROM ZITEM WHERE Z_PK = 1") } == -4)
    }
  }

  @Test func `the plan refuses them where a custom step is behind inferred ones`() throws {
    let first = "entities:\n  Item: {attributes: {title: string?}}\n"
    let second = "entities:\n  Item: {attributes: {title: string?, text: string?}}\n"
    let third = "entities:\n  Item: {attributes: {title: string?, text: string?, more: string?}}\n"
    var trial = try CustomTrial(
      [first, second, third],
      mappings: [
        "",
        "entityMappings: {Item: {source: Item, destination: Item, attributes: {more: \"concat($source.title, '!')\"}}}",
      ])
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Item", [:], [:]), in: folder)
      try store.write { try $0.execute(sql: "UPDATE ZITEM SET Z_ENT = 9 WHERE Z_PK = 1") }
      #expect(try trial.plan(store).isBlocked)
      trial.options.acceptedLosses = [.droppedData]
      #expect(try !trial.plan(store).isBlocked)
      try trial.migrate(store)
      #expect(try store.objects(trial.model.last).map(\.id) == [objectID("Item", 2)])
    }
  }
}
