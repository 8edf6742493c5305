import Foundation
import GRDB
import ManagedModel
import ModelArchives
import ModelMigration
import PersistentStore
import TestSupport
import Testing

private struct Trouble: Error {}

@Suite("Post-processing")
struct PostProcessingTests {
  private static let old = "entities:\n  Note: {attributes: {title: string, rank: integer16?}}\n"
  private static let new =
    "entities:\n  Note: {attributes: {title: string, rank: integer16?, slug: string?}}\n"

  private static func titles(_ name: String, version: String = "V2") -> PostProcessingStep {
    PostProcessingStep(name: name, version: version) { context in
      for note in try context.fetch("Note") {
        let title: String? = note["title"]
        note["slug"] = title?.lowercased()
      }
      let extra = try context.insert("Note")
      extra["title"] = name
    }
  }

  private func names(_ store: TestStore) throws -> [PropertyListValue]? {
    guard case .array(let names)? = try store.read({ try $0.readStoreMetadata() })["modelc.postProcessing"]
    else {
      return nil
    }
    return names
  }

  @Test func `a step runs once on the result, in the same swap, and the store remembers it`() throws {
    var trial = try CustomTrial([Self.old, Self.new], steps: [Self.titles("slugs")])
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Note", ["title": .string("One")]), in: folder)
      #expect(try trial.plan(store).postProcessing == ["slugs"])
      let report = try trial.migrate(store)
      #expect(report.plan.path == ["V1", "V2"])
      let slugs = try store.objects(trial.model.last).map { $0.values["slug"]?.text ?? "-" }
      #expect(slugs == ["one", "-"])
      #expect(try names(store) == [.string("slugs")])
      // Once is enough.
      #expect(try trial.migrate(store).destination == nil)
      #expect(try store.objects(trial.model.last).count == 2)
      // A step that comes later runs on a store whose schema stands already.
      #expect(try StoreMigrator(models: [trial.model], custom: trial.custom).status(of: store.url).isCurrent)
      trial.custom.postProcessing[trial.model.name]?.append(Self.titles("again"))
      let status = try StoreMigrator(models: [trial.model], custom: trial.custom).status(of: store.url)
      #expect(!status.isCurrent && status.path == ["V2"] && status.pendingPostProcessing == ["again"])
      let second = try trial.migrate(store)
      #expect(second.plan.isCurrent && second.destination != nil)
      #expect(try names(store) == [.string("again"), .string("slugs")])
      #expect(
        try store.objects(trial.model.last).map { $0.values["slug"]?.text ?? "-" } == ["one", "slugs", "-"])
    }
  }

  @Test func `a step of a version on the way runs before the way goes on`() throws {
    let last =
      "entities:\n  Note: {attributes: {name: {type: string, renamingIdentifier: title}, slug: string?}}\n"
    var trial = try CustomTrial([Self.old, Self.new, last], steps: [Self.titles("slugs")])
    trial.options.acceptedLosses = [.droppedData]
    let found = try trial.run(objects("Note", ["title": .string("One"), "rank": .integer(1)]))
    #expect(found.report.plan.segments.map(\.path) == [["V1", "V2"], ["V2", "V3"]])
    #expect(found.texts("Note", "slug") == ["one", "-"])
    #expect(found.texts("Note", "name") == ["One", "slugs"])
  }

  @Test func `a step that throws, or breaks a rule, leaves the store as it was`() throws {
    let work: [(String, @Sendable (ManagedObjectContext) throws -> Void)] = [
      ("MC4302", { _ in throw Trouble() }),
      ("MC6103", { context in try context.fetch("Note").first?.setValue(nil, forKey: "title") }),
      ("MC4302", { context in try context.fetch("Note").first?.setValue("x", forKey: "rank") }),
      ("MC4302", { context in try context.fetch("Note").first?.setValue(1, forKey: "rang") }),
    ]
    for (code, work) in work {
      let step = PostProcessingStep(name: "bad", version: "V2", work: work)
      let trial = try CustomTrial([Self.old, Self.new], steps: [step])
      let error = #expect(throws: (any Error).self) {
        _ = try trial.run(objects("Note", ["title": .string("One")]))
      }
      #expect(refusalCodes(error).contains(code), "\(code): \(String(describing: error))")
    }
  }

  @Test func `an object that is added to an ordered list comes to its end`() throws {
    let old =
      "entities: {Shelf: {relationships: {notes: {toMany: Note, inverse: shelf, ordered: true}}}, "
      + "Note: {relationships: {shelf: {to: Shelf, inverse: notes}}}}"
    let step = PostProcessingStep(name: "more", version: "V2") { context in
      try context.insert("Note").setValue(try context.fetch("Shelf").first, forKey: "shelf")
    }
    let new = old.replacing("Note: {rel", with: "Note: {attributes: {title: string?}, rel")
    var shelf = ManagedObject("Shelf", 1)
    shelf.toMany["notes"] = [2, 1].map { objectID("Note", $0) }
    let found = try CustomTrial([old, new], steps: [step]).run([shelf] + objects("Note", [:], [:]))
    #expect(found.links("Shelf", "notes") == ["1>2,1,3"])
  }

  private static let shelves = """
    entities:
      Shelf: {relationships: {notes: {toMany: Note, inverse: shelf, deleteRule: deny}}}
      Note:
        attributes: {title: string?}
        relationships:
          shelf: {to: Shelf, inverse: notes}
          pages: {toMany: Page, inverse: note, deleteRule: cascade}
      Page:
        relationships:
          note: {to: Note, inverse: pages}
          mark: {to: Mark, inverse: page, deleteRule: cascade}
      Mark: {relationships: {page: {to: Page, inverse: mark, deleteRule: cascade}}}
    """

  private static func shelvedNotes() -> [ManagedObject] {
    var found = objects("Shelf", [:]) + objects("Note", ["title": .string("draft")], [:])
    for (name, key, references) in [
      ("Page", 1, ["note": objectID("Note", 1), "mark": objectID("Mark", 1)]),
      ("Page", 2, ["note": objectID("Note", 2), "mark": objectID("Mark", 2)]),
      ("Mark", 1, ["page": objectID("Page", 1)]), ("Mark", 2, ["page": objectID("Page", 2)]),
    ] {
      var object = ManagedObject(name, Int64(key))
      object.toOne = references
      found.append(object)
    }
    found[1].toOne["shelf"] = objectID("Shelf", 1)
    return found
  }

  @Test func `what is deleted goes by its delete rules`() throws {
    let new = Self.shelves.replacing("{title", with: "{slug: string?, title")
    let step = PostProcessingStep(name: "drafts", version: "V2") { context in
      for note in try context.fetch("Note", where: "title == \"draft\"") { context.delete(note) }
    }
    let found = try CustomTrial([Self.shelves, new], steps: [step]).run(Self.shelvedNotes())
    #expect(
      found.objects.map { "\($0.id.entityName) \($0.id.primaryKey)" } == [
        "Mark 2", "Note 2", "Page 2", "Shelf 1",
      ])
    let denied = PostProcessingStep(name: "shelves", version: "V2") { context in
      for shelf in try context.fetch("Shelf") { context.delete(shelf) }
    }
    let error = #expect(throws: DiagnosticsError.self) {
      try CustomTrial([Self.shelves, new], steps: [denied]).run(Self.shelvedNotes())
    }
    #expect(
      error?.diagnostics.first?.message.contains("its 'notes' leads to objects, and the delete rule is deny")
        == true)
  }

  @Test func `values are transformed as for policies, and the context knows its store`() throws {
    let old =
      "entities:\n  Note: {attributes: {colour: {type: transformable?, transformer: ColourTransformer}}}\n"
    let new = old.replacing("{colour", with: "{title: string?, colour")
    let step = PostProcessingStep(name: "colours", version: "V2") { context in
      for note in try context.fetch("Note") {
        let store = context.persistentStoreCoordinator?.persistentStores.first
        note.setValue(store?.url?.lastPathComponent, forKey: "title")
        note.setValue((note.value(forKey: "colour") as? String)?.uppercased(), forKey: "colour")
      }
    }
    var trial = try CustomTrial([old, new], steps: [step])
    trial.custom.policies = PolicyRegistry([], transformers: [ColourTransformer.self])
    let found = try trial.run(objects("Note", ["colour": .binary(Data("neerg".utf8))]))
    #expect(found["Note"].map { $0.values["colour"] } == [.binary(Data("NEERG".utf8))])
    #expect(found.texts("Note", "title") == ["Store.sqlite"])
  }

  @Test func `objects can go, and keys are not given twice`() throws {
    let step = PostProcessingStep(name: "prune", version: "V2") { context in
      for note in try context.fetch("Note", where: "rank == nil") { context.delete(note) }
      try context.insert("Note").setValue("new", forKey: "title")
    }
    let trial = try CustomTrial([Self.old, Self.new], steps: [step])
    let found = try trial.run(
      objects("Note", ["title": .string("One"), "rank": .integer(1)], ["title": .string("Two")]))
    #expect(found["Note"].map(\.id.primaryKey) == [1, 3])
  }
}
