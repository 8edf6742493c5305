import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Stores that Core Data opened with several models at once.
@Suite("Stores of several models") struct JoinedModelTests {
  private let huts = named("Huts", [hut(), hut("beds"), hut("beds", "web")])
  private let tours = named("Tours", [tour(), tour("length")], prefix: "T")

  private static func named(
    _ name: String, _ models: [EntityDescription], prefix: String = "V"
  ) -> VersionedModel {
    VersionedModel(
      name: name,
      versions: models.enumerated().map {
        ModelVersion(name: "\(prefix)\($0 + 1)", model: ManagedObjectModel(entities: [$1]))
      }, currentVersionName: "\(prefix)\(models.count)")
  }

  private static func hut(_ further: String...) -> EntityDescription { entity("Hut", further) }
  private static func tour(_ further: String...) -> EntityDescription { entity("Tour", further) }

  private static func entity(_ name: String, _ further: [String]) -> EntityDescription {
    EntityDescription(
      name: name,
      attributes: (["title"] + further).map { .init(name: $0, type: .string, isOptional: true) })
  }

  private func store(in folder: URL) throws -> TestStore {
    let entities = huts.first.entities + tours.first.entities
    return try TestStore(
      in: folder, of: ModelVersion(name: "Both", model: ManagedObjectModel(entities: entities)),
      objects: [ManagedObject("Hut", 1, values: ["title": .string("x")])])
  }

  private func plan(_ store: TestStore, to target: String?) throws -> [String] {
    try planMigration(
      ofStoreAt: store.url.path, models: [huts, tours], options: MigrationOptions(targetVersion: target)
    ).path
  }

  private func status(_ store: TestStore, to target: String?) throws -> [String] {
    try StoreMigrator(models: [huts, tours], options: MigrationOptions(targetVersion: target))
      .status(of: store.url).path
  }

  @Test func `go to the current versions, or to one of a model and the others' current ones`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      for way in [plan, status] {
        #expect(try way(store, nil).last == "V3+T2")
        #expect(try way(store, "V2").last == "V2+T2")
        #expect(try way(store, "Huts/V2").last == "V2+T2")
        // As plans name it.
        #expect(try way(store, "V3+T2").last == "V3+T2")
      }
    }
  }

  @Test func `go back where one of a model is asked for, and forward again`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      func migrate(_ target: String?) throws -> [String] {
        var options = MigrationOptions(targetVersion: target, keepsBackup: false)
        options.allowsDowngrade = target != nil
        return try migrateStore(at: store.url.path, models: [huts, tours], options: options).plan.path
      }
      #expect(try migrate(nil).last == "V3+T2")
      #expect(throws: DiagnosticsError.self) {
        try StoreMigrator(models: [huts, tours], options: MigrationOptions(targetVersion: "V1"))
          .status(of: store.url)
      }
      #expect(try migrate("Huts/V2").last == "V2+T2")
      #expect(try migrate("V1+T1").last == "V1+T1")
      #expect(try migrate("Tours/T2").last == "V3+T2")
      #expect(try migrate("Tours/T1").last == "V3+T1")
      #expect(throws: UnknownVersionError.self) { try migrate("Huts/T1") }
    }
  }

  @Test func `of models that began as one are migrated to none that nobody named`() throws {
    let models = [huts, Self.named("Cabins", [Self.hut(), Self.hut("web")])]
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: huts.versions[0], objects: [])
      func plan(_ target: String?, _ models: [VersionedModel]) throws -> [String] {
        try planMigration(
          ofStoreAt: store.url.path, models: models, options: MigrationOptions(targetVersion: target)
        ).path
      }
      let refusal = #expect(throws: DiagnosticsError.self) { try plan(nil, models) }
      #expect(refusal?.diagnostics.map(\.code.description) == ["MC5110"])
      #expect(refusal?.diagnostics.first?.help.joined().contains("`--model Cabins`") == true)
      #expect(try plan("Cabins/V2", models) == ["V1", "V2"])
      #expect(try plan(nil, [models[1]]) == ["V1", "V2"])
      // Of models that go on alike, any one will do.
      let alike = [models[1], Self.named("Sheds", [Self.hut(), Self.hut("web")])]
      #expect(try plan(nil, alike) == ["V1", "V2"])
    }
  }

  @Test func `go to no version that nothing has`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      for way in [plan, status] {
        #expect(throws: UnknownVersionError.self) { try way(store, "V9") }
      }
    }
  }
}
