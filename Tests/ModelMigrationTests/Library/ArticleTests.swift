import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import StoreFixtures
import TestSupport
import Testing

/// The code of the pages "Write a policy", "Port a policy", "Test a migration" and "Embed a migration": `.ci/articles` finds it in this file.
@Suite struct ArticleTests {
  @Test func `the policy of the page makes one place of notes of one town`() async throws {
    try await withTemporaryFolder { folder in
      try writeFiles(ofPage: "WriteAPolicy", to: folder)
      let models = folder.appending(path: "Models/Notes")
      let mapping = folder.appending(path: "Migrations/Notes/V1-V2.yaml")
      let store = folder.appending(path: "Notes.sqlite")

      let (model, _) = try readModel(at: models)
      let old = try #require(model.version(named: "V1"))
      try makeFixture(
        at: store, of: old,
        objects: [
          ManagedObject("Note", 1, values: ["title": .string("Snow"), "town": .string("Brig, VS")]),
          ManagedObject("Note", 2, values: ["title": .string("Rain"), "town": .string("Brig, VS")]),
        ])
      let migrator = StoreMigrator(
        models: [model], mappingModels: try readMappingModels(at: mapping), policies: [TownPolicy.self])
      _ = try await migrator.migrate(store).report
      var places: [ManagedObject] = []
      try readObjects(at: store, models: [model], ofEntity: "Place") { places.append($0) }
      #expect(places.map { $0.values["name"] } == [.string("Brig")])
      #expect(places.map { $0.values["canton"] } == [.string("VS")])
    }
  }

  @Test func `a ported policy asks for values by their types`() throws {
    try withTemporaryFolder { folder in
      let books = """
        entities:
          Book:
            attributes: {title: string, colour: {type: transformable?, transformer: TextTransformer}}
            relationships:
              readers: {toMany: Reader, inverse: books}
              pages: {toMany: Page, inverse: book, ordered: true}
          Reader: {relationships: {books: {toMany: Book, inverse: readers}}}
          Page: {relationships: {book: {to: Book, inverse: pages}}}

        """
      let files = [
        "Books/V1.yaml": books, "Books/V2.yaml": books + "  Shelf: {attributes: {name: string?}}\n",
        "Books/versions.yaml": "current: V2\nversions: [V1, V2]\n",
        "V1-V2.yaml": """
        from: V1
        to: V2
        entityMappings: {BookToBook: {source: Book, destination: Book, policy: ReadersPolicy}}

        """,
      ]
      try FileManager.default.createDirectory(
        at: folder.appending(path: "Books"), withIntermediateDirectories: true)
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let (model, _) = try readModel(at: folder.appending(path: "Books"))
      let store = folder.appending(path: "Books.sqlite")
      let book = ManagedObject(
        "Book", 1, values: ["title": .string("First"), "colour": .binary(Data("green".utf8))])
      try makeFixture(at: store, of: try #require(model.version(named: "V1")), objects: [book])
      let registry = PolicyRegistry([ReadersPolicy.self], transformers: [TextTransformer.self])
      let mappings = try readMappingModels(at: folder.appending(path: "V1-V2.yaml"))
      let custom = CustomMigrations(mappingModels: [model.name: mappings], policies: registry)
      #expect(try migrateStore(at: store.path, models: [model], custom: custom).objects == 1)
    }
  }

  @Test func `post-processing and handlers of stages work on objects`() async throws {
    try await withTemporaryFolder { folder in
      try writeFiles(ofPage: "TestAMigration", to: folder)
      for version in ["V1", "V2"] {
        try FileManager.default.copyItem(
          at: folder.appending(path: "Models/Notes/\(version).yaml"),
          to: folder.appending(path: "Staged/Notes/\(version).yaml"))
      }
      let (model, _) = try readModel(at: folder.appending(path: "Models/Notes"))
      let (stagedModel, _) = try readModel(at: folder.appending(path: "Staged/Notes"))
      let objects = [
        ManagedObject("Note", 1, values: ["title": .string("First Snow")]), ManagedObject("Note", 2),
      ]
      let (store, stagedStore) = (
        folder.appending(path: "a.sqlite"), folder.appending(path: "b.sqlite")
      )
      for path in [store, stagedStore] {
        try makeFixture(at: path, of: try #require(model.version(named: "V1")), objects: objects)
      }

      let slugs = PostProcessingStep(name: "slugs", version: "V2") { context in
        for note in try context.fetch("Note") {
          let title: String? = note["title"]
          note["slug"] = title?.lowercased().replacing(" ", with: "-")
        }
      }
      let finished = CustomMigrations(postProcessing: [model.name: [slugs]])
      _ = try await StoreMigrator(models: [model], custom: finished).migrate(store).report

      let handlers: [String: StageHandlers.Handler] = [
        "title": { _, context in
          for note in try context.fetch("Note") where note["title"] as String? == nil {
            note["title"] = "Untitled"
          }
        },
        "slug": { _, context in
          for note in try context.fetch("Note") {
            let title: String? = note["title"]
            note["slug"] = title?.lowercased()
          }
        },
      ]
      let staged = CustomMigrations(stageHandlers: StageHandlers(handlers))
      _ = try await StoreMigrator(models: [stagedModel], custom: staged).migrate(stagedStore).report

      func found(in store: URL) throws -> [AttributeValue?] {
        var found: [ManagedObject] = []
        try readObjects(at: store, models: [model], ofEntity: "Note") { found.append($0) }
        return found.map { $0.values["slug"] }
      }
      #expect(try found(in: store) == [.string("first-snow"), nil])
      #expect(try found(in: stagedStore) == [.string("first snow"), .string("untitled")])
    }
  }

  @Test func `an app migrates its store, shows progress and says what went wrong`() async throws {
    let folder = try TemporaryFolder("articles")
    defer { folder.remove() }
    let url = URL(filePath: folder.path)
    try writeFiles(ofPage: "WriteAPolicy", to: url)
    let models = url.appending(path: "Models/Notes")
    let store = url.appending(path: "Notes.sqlite")
    let bundle = url.appending(path: "Notes.momd")
    try compileModel(at: models, to: bundle)
    let model = try VersionedModel(bundle: bundle)
    try await openableStore(at: store, bundle: bundle) { _ in Issue.record("there is no store yet") }
    try makeFixture(at: store, of: try #require(model.version(named: "V1")), rows: 20, seed: 1)

    // Towns would be lost without the policy.
    let refusal = await #expect(throws: MigrationRefusedError.self) {
      try await openableStore(at: store, bundle: bundle) { _ in }
    }
    #expect(explanation(of: try #require(refusal)).contains("Note.town"))
    // What is suggested is what a program passes, and no option of a command.
    let help = try #require(refusal).plan.diagnostics.flatMap(\.help)
    #expect(help.contains { $0.contains("`accepting: [.droppedData]`") }, "\(help)")
    #expect(!help.contains { $0.contains("--allow-loss") }, "\(help)")
    let other: Set<AcceptedLoss> = [.droppedData("Note.title"), .narrowedNumbers]
    #expect(try StoreMigrator(models: [model]).plan(for: store, accepting: other).isBlocked)
    #expect(explanation(of: CancellationError()) == "CancellationError()")

    let migrator = StoreMigrator(models: [model])
    let report = try await migrator.migrate(store, accepting: [.droppedData("Note.town")]).report
    #expect(report.backup != nil)
    try await openableStore(at: store, bundle: bundle) { _ in Issue.record("the store is new") }
  }
}

/// A policy as the page "Port a policy" reads values; its store has all of them.
final class ReadersPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource object: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: object, in: mapping, manager: manager)
    let readers = try object.value(forKey: "readers", as: Set<ManagedObject>.self)  // also as [ManagedObject]
    let pages = try object.value(forKey: "pages", as: NSOrderedSet.self)
    let title = try object.value(forKey: "title", as: String.self)
    #expect(readers?.count == 0 && pages?.count == 0 && title == "First")
    #expect(object.value(forKey: "colour") as? String == "green")
  }
}

final class TextTransformer: AttributeTransformer {
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0, as: UTF8.self) }
  }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data($0.utf8) }
  }
}

final class TownPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let note = made.first, let town = sInstance["town"] as String? else { return }
    let parts = town.components(separatedBy: ", ")
    let place = try manager.destinationContext.findOrCreate("Place", having: ["name": parts[0]])
    if parts.count > 1 { place["canton"] = parts[1] }
    note["place"] = place
  }
}

func openableStore(at store: URL, bundle: URL, show: (Double) -> Void) async throws {
  // At the first launch there is no store yet.
  guard FileManager.default.fileExists(atPath: store.path) else { return }
  let migrator = StoreMigrator(models: [try VersionedModel(bundle: bundle)])
  guard try !migrator.status(of: store).isCurrent else { return }
  let migration = migrator.migrate(store)
  for await progress in migration.progress { show(progress.whole ?? 0) }
  _ = try await migration.report
}

func explanation(of error: any Error) -> String {
  guard let error = error as? any LocalizedError, let what = error.errorDescription else { return "\(error)" }
  return [what, error.recoverySuggestion].compactMap(\.self).joined(separator: "\n")
}

/// Writes the files that an article shows: its blocks of YAML, each with its path in the first line.
private func writeFiles(ofPage name: String, to folder: URL) throws {
  let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/ModelMigration/ModelMigration.docc/\(name).md").standardizedFileURL
  let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```yaml\n# ")
  for block in blocks.dropFirst() {
    let lines = block.components(separatedBy: "```")[0].components(separatedBy: "\n")
    let file = folder.appending(path: lines[0])
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(lines.dropFirst().joined(separator: "\n").utf8).write(to: file)
  }
}
