import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import StoreFixtures
import TestSupport
import Testing

/// Apps that have shipped many versions without a mapping: stores as `modelc fixture` makes them, with the values that
/// are hardest to keep. Every second version; with `MODELC_SEEDS` all.
@Suite("Fixtures of every version", .needsFixtures, .needsOracle) struct FixtureStepsTests {
  private static let packages = [
    "gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld",
    "inaturalist+INaturalistIOS/INaturalistIOS/INaturalist.xcdatamodeld",
  ]

  @Test(arguments: packages) func `go to the current version at once, and to the next one`(_ path: String)
    throws
  {
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(path)).model)
    let current = try #require(model.currentVersion)
    try withTemporaryFolder { folder in
      var stores: [URL] = []
      for (index, version) in model.versions.enumerated() where Fixtures.areWhole || index % 2 == 0 {
        let next = index + 1 < model.versions.count ? model.versions[index + 1] : nil
        for target in [current, next].compactMap(\.self) where target.name != version.name {
          let store = folder.appending(path: "\(stores.count).sqlite")
          let fixture = try makeFixture(
            at: store.path, of: version, .rows(Fixtures.areWhole ? 200 : 24), seed: UInt64(index))
          let way = try migrate(store, in: model, to: target.name)
          #expect(way.isEmpty || way == [version.name, target.name])
          try expectRows(
            of: fixture, in: TestStore(at: store), target.model, "\(version.name) → \(target.name)")
          stores.append(store)
        }
      }
      #expect(stores.count > (Fixtures.areWhole ? 2 : 1) * model.versions.count - 4)
      try Oracle.expectSound(stores)
    }
  }

  /// - Returns: the way it took; none where the store was of the target already.
  private func migrate(_ store: URL, in model: VersionedModel, to target: String) throws -> [String] {
    let options = MigrationOptions(
      targetVersion: target, acceptedLosses: [.droppedData, .narrowedNumbers], keepsBackup: false)
    let plan = try migrateStore(at: store.path, models: [model], options: options).plan
    return plan.isDone ? [] : plan.path
  }

  /// Rows per entity are the same before and after, for every entity that both versions have.
  private func expectRows(
    of fixture: FixtureReport, in store: TestStore, _ model: ManagedObjectModel, _ way: String
  ) throws {
    let after = Dictionary(grouping: try store.objects(model)) { $0.id.entityName }.mapValues(\.count)
    for (name, count) in fixture.objects where model.entities.contains(where: { $0.name == name }) {
      #expect(after[name, default: 0] == count, "\(way): \(name)")
    }
  }
}
