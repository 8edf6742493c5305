import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// Core Data infers one mapping from the store's version to the current one, and never passes through those between.
@Suite("One step, as Core Data goes") struct OneStepTests {
  private static let packages = [
    "gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld",
    "inaturalist+INaturalistIOS/INaturalistIOS/INaturalist.xcdatamodeld",
  ]

  /// Rows per entity are the same before and after, for every entity that both versions have.
  @Test(.needsFixtures, arguments: packages) func `a store of every version migrates at once`(_ path: String)
    throws
  {
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(path)).model)
    let target = try #require(model.currentVersion)
    #expect(model.versions.count > 10)
    try withTemporaryFolder { folder in
      var migrated: [URL] = []
      for version in model.versions where version.name != target.name {
        let store = try TestStore(
          "\(migrated.count).sqlite", in: folder, of: version,
          objects: generatedObjects(of: version.model, count: 2))
        let before = counts(try store.objects(version.model))
        let report = try migrateStore(
          at: store.url.path, models: [model],
          options: MigrationOptions(acceptedLosses: [.droppedData, .narrowedNumbers], keepsBackup: false))
        if version.versionChecksum != target.versionChecksum {
          #expect(report.plan.path == [version.name, target.name])
        }
        let after = counts(try store.objects(target.model))
        for (name, count) in before where target.model.entities.contains(where: { $0.name == name }) {
          #expect(after[name] == count, "\(version.name): \(name)")
        }
        migrated.append(store.url)
      }
      if Oracle.isPresent { try Oracle.expectSound(migrated) }
    }
  }

  private func counts(_ objects: [ManagedObject]) -> [String: Int] {
    Dictionary(grouping: objects) { $0.id.entityName }.mapValues(\.count)
  }

  /// A mistake in a version between, which no user's data ever met: an attribute is gone there.
  private static let versions = [
    "entities: {Hut: {attributes: {name: string?}}}",
    "entities: {Hut: {attributes: {beds: integer16?}}}",
    "entities: {Hut: {attributes: {name: string?, beds: integer16?}}}",
  ]

  private func trial(
    _ versions: [String] = versions, list: String? = nil, chain: ChainRule = .auto,
    mappings: [CustomMappingModel] = [], _ body: (TestStore, VersionedModel, MigrationPlan) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      try writeVersions(versions, list: list, into: folder)
      let model = try #require(readVersionedModel(folder: folder).model)
      let store = try TestStore(
        in: folder, of: model.versions[0], objects: [ManagedObject("Hut", 1, values: ["name": .string("x")])])
      let plan = try planMigration(
        ofStoreAt: store.url.path, models: [model], options: MigrationOptions(chain: chain),
        custom: CustomMigrations(mappingModels: [model.name: mappings]))
      try body(store, model, plan)
    }
  }

  @Test func `a mistake between harms nobody`() throws {
    try trial { store, model, plan in
      #expect(plan.path == ["V1", "V3"])
      #expect(plan.losses.isEmpty)
      let told = plan.diagnostics.first { $0.code.description == "MC3402" }
      #expect(told?.help.contains { $0.contains("(chain: .stepwise)") } == true)
      #expect(told?.help.last?.hasPrefix("to end it") == true)
      try store.migrate(model)
      #expect(try store.objects(model.versions[2].model).map { $0.values["name"] } == [.string("x")])
    }
  }

  @Test func `the list, or the caller, can ask for every version`() throws {
    let list = "current: V3\nchain: stepwise\nversions: [V1, V2, V3]\n"
    try trial(list: list) { _, _, plan in
      #expect(plan.path == ["V1", "V2", "V3"])
      #expect(plan.losses.map(\.property) == ["name"])
      #expect(plan.isBlocked)
    }
    try trial(chain: .stepwise) { _, _, plan in
      #expect(plan.segments.map(\.path) == [["V1", "V2"], ["V2", "V3"]])
    }
  }

  @Test func `a refusal names the other way where that one serves`() throws {
    let list = "current: V3\nchain: stepwise\nversions: [V1, V2, V3]\n"
    try trial(list: list) { _, _, plan in
      let help = plan.diagnostics.filter { $0.severity == .error }.flatMap(\.help)
      #expect(help.contains { $0.contains("(chain: .direct)") }, "\(help)")
    }
    // A version between gives the value that the last one asks for.
    let filled = [
      Self.versions[0], "entities: {Hut: {attributes: {name: string?, beds: integer16 = 4}}}",
      "entities: {Hut: {attributes: {name: string?, beds: integer16}}}",
    ]
    try trial(filled) { _, _, plan in
      #expect(plan.path == ["V1", "V3"])
      let help = plan.diagnostics.filter { $0.severity == .error }.flatMap(\.help)
      #expect(help.contains { $0.contains("(chain: .stepwise)") }, "\(plan.diagnostics)")
    }
  }

  @Test func `where one step cannot be inferred the way goes through the versions`() throws {
    // A text becomes a number by way of a version without the attribute.
    let detour = [
      Self.versions[0], "entities: {Hut: {attributes: {beds: integer16?}}}",
      "entities: {Hut: {attributes: {name: integer16?, beds: integer16?}}}",
    ]
    try trial(detour) { _, _, plan in
      #expect(plan.path == ["V1", "V2", "V3"])
      #expect(plan.losses.map(\.property) == ["name"])
    }
  }

  @Test func `custom work on the way is gone through`() throws {
    let mapping = CustomMappingModel(
      sourceVersionName: "V2", destinationVersionName: "V3",
      entityMappings: [
        CustomEntityMapping(name: "Huts", sourceEntityName: "Hut", destinationEntityName: "Hut")
      ])
    try trial(mappings: [mapping]) { _, _, plan in
      #expect(plan.segments.map(\.path) == [["V1", "V2"], ["V2", "V3"]])
    }
    let list = "current: V3\nversions: [V1, {name: V2, infer: false}, V3]\n"
    try trial(list: list) { _, _, plan in
      #expect(plan.path == ["V1", "V2", "V3"])
      #expect(plan.diagnostics.contains { $0.code.description == "MC3407" })
    }
  }
}
