import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import StoreFixtures
import TestSupport
import Testing

/// The code of the page "What the library does": `.ci/articles` finds every example of the page in this file.
@Suite("What the library does")
struct LibraryPageTests {
  @Test func `a model is compiled and read`() throws {
    try withNotes { models, _, _ in
      let bundle = models.deletingLastPathComponent().appending(path: "Notes.momd")
      let warnings = try compileModel(at: models, to: bundle)
      let model = try VersionedModel(bundle: bundle)
      #expect(!warnings.hasErrors && model.currentVersionName == "V2")
      #expect(throws: DiagnosticsError.self) { try readModel(at: models.appending(path: "V9")) }
      #expect(throws: DiagnosticsError.self) { try VersionedModel(bundle: models.appending(path: "V9.momd")) }
    }
  }

  @Test func `a store is planned, migrated and read`() async throws {
    try await withNotes { _, model, store in
      let migrator = StoreMigrator(models: [model])
      let status = try migrator.status(of: store)
      if !status.isCurrent { log("\(status.version) → \(status.path.last ?? "")") }
      #expect(status.path == ["V1", "V2"])

      let plan = try migrator.plan(for: store)
      for loss in plan.losses where !loss.isAcknowledged {
        log("\(loss.count) values of \(loss.entity) would be lost")
      }
      #expect(plan.path == ["V1", "V2"] && !plan.isBlocked)

      _ = try await migrator.migrate(store).report
      var titles: [String] = []
      try readObjects(at: store, models: [model], ofEntity: "Note") { note in
        if case .string(let title)? = note.values["title"] { titles.append(title) }
      }
      #expect(titles == ["first", "second"])
      var all = 0
      try readObjects(at: store) { _ in all += 1 }
      #expect(try all == 2 && migrator.status(of: store).isCurrent)
      #expect(try migrator.recover(store).files.isEmpty)
    }
  }

  @Test func `a task migrates, with progress`() async throws {
    try await withNotes { _, model, store in
      let migrator = StoreMigrator(models: [model])
      let cancelled = migrator.migrate(store)
      cancelled.cancel()
      await #expect(throws: DiagnosticsError.self) { _ = try await cancelled.report }
      #expect(try !migrator.status(of: store).isCurrent)
      let migration = migrator.migrate(store)
      for await progress in migration.progress {
        log("\(progress.phase) \(progress.fraction ?? 0)")
      }
      let report = try await migration.report
      #expect(report.objects == 2 && report.backup != nil)
    }
  }

  @Test func `a policy takes part`() async throws {
    try await withNotes { models, model, store in
      let mapping = models.deletingLastPathComponent().appending(path: "V1-V2.yaml")
      try Data(noteMapping.utf8).write(to: mapping)
      let migrator = StoreMigrator(
        models: [model], mappingModels: try readMappingModels(at: mapping), policies: [TitlePolicy.self])
      let report = try await migrator.migrate(store).report
      #expect(report.objects == 2)
      var titles: [AttributeValue?] = []
      try readObjects(at: store) { titles.append($0.values["title"]) }
      #expect(titles == [.string("FIRST"), .string("SECOND")])
    }
  }

  @Test func `a store is inspected and verified`() throws {
    try withNotes { _, model, store in
      let inspection = try inspectStore(at: store, models: [model])
      let version = inspection.recognition.versions.first?.versionName
      let rows = inspection.entities.map { ($0.name, $0.rows ?? 0) }
      #expect(version == "V1" && rows.map(\.0) == ["Note"] && rows.map(\.1) == [2])

      let verification = try verifyStore(at: store, models: [model])
      for finding in verification.findings { log(finding.diagnostic.message) }
      #expect(!verification.hasErrors)
    }
  }

  @Test func `a fixture is made`() throws {
    try withNotes { models, model, _ in
      let store = models.deletingLastPathComponent().appending(path: "Fixture.sqlite")
      guard let first = model.version(named: "V1") else { return }
      try makeFixture(at: store, of: first, rows: 100, seed: 7)
      #expect(try inspectStore(at: store).entities.map(\.rows) == [100])
    }
  }
}

final class TitlePolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    made.first?["title"] = (sInstance["title"] as String?)?.uppercased()
  }
}

private func log(_ line: String) {}

/// Notes in two versions, and a store of the first with two of them.
private func makeNotes(in folder: URL) throws -> (models: URL, model: VersionedModel, store: URL) {
  let models = folder.appending(path: "Notes")
  try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
  let first = "entities:\n  Note:\n    attributes:\n      title: string?\n"
  let texts = [
    "V1.yaml": first, "V2.yaml": first + "      isPinned: boolean = NO\n",
    "versions.yaml": "current: V2\nversions: [V1, V2]\n",
  ]
  for (name, text) in texts { try Data(text.utf8).write(to: models.appending(path: name)) }
  let model = try readModel(at: models).model
  let store = folder.appending(path: "Notes.sqlite")
  let notes = ["first", "second"].enumerated().map { index, title in
    ManagedObject("Note", Int64(index + 1), values: ["title": .string(title)])
  }
  try makeFixture(at: store, of: try #require(model.version(named: "V1")), objects: notes)
  return (models, model, store)
}

private func withNotes(_ body: (URL, VersionedModel, URL) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in
    let (models, model, store) = try makeNotes(in: folder)
    try await body(models, model, store)
  }
}

private func withNotes(_ body: (URL, VersionedModel, URL) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let (models, model, store) = try makeNotes(in: folder)
    try body(models, model, store)
  }
}

private let noteMapping = """
  from: V1
  to: V2
  entityMappings:
    NoteToNote:
      source: Note
      destination: Note
      policy: TitlePolicy

  """
