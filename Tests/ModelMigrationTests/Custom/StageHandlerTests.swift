import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// `stages:` with handlers: Core Data's staged migration.
@Suite("Handlers of custom stages")
struct StageHandlerTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "trouble" }
  }

  /// V2 wants a title of every note, and V3 a length.
  private func model() -> VersionedModel {
    func version(_ title: Bool, _ length: Bool) -> ManagedObjectModel {
      let size = AttributeDescription(
        name: "length", type: .integer32, isOptional: false, defaultValue: .text("0"))
      return ManagedObjectModel(entities: [
        EntityDescription(
          name: "Note",
          attributes: [AttributeDescription(name: "title", type: .string, isOptional: !title)]
            + (length ? [size] : []))
      ])
    }
    var model = versionedModel([version(false, false), version(true, false), version(true, true)])
    model.stages = [
      .custom(
        CustomMigrationStage(
          currentVersionName: "V1", nextVersionName: "V2", willMigrateHandler: "name",
          didMigrateHandler: "mark")),
      .custom(
        CustomMigrationStage(currentVersionName: "V2", nextVersionName: "V3", didMigrateHandler: "measure")),
    ]
    return model
  }

  private func store(in folder: URL) throws -> TestStore {
    var objects = (1...3).map { ManagedObject("Note", Int64($0)) }
    objects[1].values["title"] = .string("two")
    return try TestStore(in: folder, of: model().versions[0], objects: objects)
  }

  private static func titles(_ context: ManagedObjectContext, _ change: (String?) -> String?) throws {
    for note in try context.fetch("Note") { note.setValue(change(note["title"]), forKey: "title") }
  }

  private static let handlers: [String: StageHandlers.Handler] = [
    "name": { stage, context in
      if stage.nextVersionName != "V2" || context.model.entities[0].attributes.count != 1 { throw Trouble() }
      try titles(context) { $0 ?? "untitled" }
    },
    "mark": { _, context in try titles(context) { $0.map { "\($0)!" } } },
    "measure": { _, context in
      for note in try context.fetch("Note") {
        let title: String? = note["title"]
        note.setValue(title?.count, forKey: "length")
      }
    },
  ]

  private func migrate(
    _ store: TestStore, _ handlers: [String: StageHandlers.Handler], to target: String = "V3",
    chain: ChainRule = .auto
  ) throws -> MigrationReport {
    try migrateStore(
      at: store.url.path, models: [model()],
      options: MigrationOptions(targetVersion: target, keepsBackup: false, chain: chain),
      custom: CustomMigrations(stageHandlers: StageHandlers(handlers)))
  }

  private func expectUntouched(
    _ handlers: [String: StageHandlers.Handler], to target: String = "V3",
    _ check: ((any Error)?) -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      let before = try Data(contentsOf: store.url)
      let error = #expect(throws: (any Error).self) { try migrate(store, handlers, to: target) }
      check(error)
      #expect(try Data(contentsOf: store.url) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
    }
  }

  @Test func `run before and after their steps, in one swap`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      let plan = try planMigration(
        ofStoreAt: store.url.path, models: [model()],
        custom: CustomMigrations(stageHandlers: StageHandlers(Self.handlers)))
      // Two titles are missing now; the handler gives them.
      #expect(plan.diagnostics.map { "\($0.code) \($0.severity)" } == ["MC3101 warning"])
      let report = try migrate(store, Self.handlers)
      #expect(report.plan.segments.map(\.path) == [["V1", "V2"], ["V2", "V3"]])
      let notes = try store.objects(model().last)
      #expect(
        notes.map { $0.values["title"] }
          == [.string("untitled!"), .string("two!"), .string("untitled!")])
      #expect(notes.map { $0.values["length"] } == [.integer(9), .integer(4), .integer(9)])
      // The test's own reading leaves side files.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.allSatisfy { $0.hasPrefix("Store.sqlite") && !$0.hasSuffix(".backup") })
      // A store that begins later meets only its own stage.
      let named = ManagedObject("Note", 1, values: ["title": .string("one")])
      let later = try TestStore("later.sqlite", in: folder, of: model().versions[1], objects: [named])
      _ = try migrate(later, Self.handlers)
      #expect(try later.objects(model().last).map { $0.values["length"] } == [.integer(3)])
    }
  }

  @Test(arguments: ["name", "mark", "measure"])
  func `one that throws leaves the store byte for byte what it was`(name: String) throws {
    var handlers = Self.handlers
    handlers[name] = { _, _ in throw Trouble() }
    try expectUntouched(handlers) { error in
      let found = (error as? DiagnosticsError)?.diagnostics.first
      #expect(found?.code.description == "MC4302" && found?.cocoaCode == 134170)
      #expect(found?.message.hasPrefix("handler '\(name)' of the stage from 'V") == true)
      #expect(found?.message.hasSuffix("failed: trouble") == true)
    }
  }

  @Test func `one that nobody registered is refused before anything is done`() throws {
    var handlers = Self.handlers
    handlers["measure"] = nil
    handlers["measures"] = { _, _ in }
    handlers["name"] = { _, _ in Issue.record("it ran") }
    try expectUntouched(handlers) { error in
      let found = (error as? MigrationRefusedError)?.plan.diagnostics.filter { $0.severity == .error }
      #expect(found?.map(\.code) == [.unknownStageHandler])
      #expect(found?.first?.help == ["did you mean 'measures'?"])
    }
  }

  @Test func `what one leaves undone is refused after it`() throws {
    var handlers = Self.handlers
    handlers["name"] = { _, _ in }
    try expectUntouched(handlers) { error in
      let found = (error as? MigrationRefusedError)?.plan.diagnostics.filter { $0.severity == .error }
      #expect(found?.map(\.code.description) == ["MC3101"])
    }
  }

  @Test func `what breaks a rule of its version is refused`() throws {
    var handlers = Self.handlers
    handlers["mark"] = { _, context in try Self.titles(context) { _ in nil } }
    try expectUntouched(handlers) { error in
      let codes = (error as? DiagnosticsError)?.diagnostics.map(\.code.description) ?? []
      #expect(codes.last == "MC6101")
    }
  }

  @Test func `a way that goes past a stage says that its handler does not run`() throws {
    try withTemporaryFolder { folder in
      let object = ManagedObject("Note", 1, values: ["title": .string("one")])
      let store = try TestStore(in: folder, of: model().versions[0], objects: [object])
      let report = try migrate(store, Self.handlers, chain: .direct)
      let skipped = report.plan.diagnostics.filter { $0.code == .stageHandlerSkipped }
      #expect(skipped.count == 3 && skipped.allSatisfy { $0.severity == .warning })
      #expect(try store.objects(model().last).map { $0.values["title"] } == [.string("one")])
    }
  }
}
