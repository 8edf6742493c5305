import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// LoopKit's mapping model, of which Xcode kept 22 entity mappings, on its genuine store's two versions.
@Suite("LoopKit's mapping model", .needsFixtures) struct LoopKitTests {
  static let folder = "LoopKit+LoopKit/LoopKit/Persistence"
  static let store = "LoopKit+LoopKit/LoopKitHostedTests/TestCoreData/Model.sqlite.v1.original"

  private func project() throws -> (model: VersionedModel, mapping: CustomMappingModel) {
    let package = Fixtures.url("\(Self.folder)/Model.xcdatamodeld")
    let model = try #require(readXcodeModelPackage(at: package).model)
    let mapping = try readXcodeMappingModel(at: Fixtures.url("\(Self.folder)/Modelv1v4.xcmappingmodel"))
    return (model, mapping.mappingModel)
  }

  private func migrate(_ store: TestStore) throws -> MigrationReport {
    let (model, mapping) = try project()
    return try migrateStore(
      at: store.url.path, models: [model],
      options: MigrationOptions(targetVersion: mapping.destinationVersionName, keepsBackup: false),
      custom: CustomMigrations(
        mappingModels: [model.name: [mapping]],
        policies: PolicyRegistry([
          CachedCarbObjectv3EntityMigrationPolicy.self, DeletedCarbObjectv3EntityMigrationPolicy.self,
        ])))
  }

  private func objects(_ store: TestStore, _ version: String) throws -> [ManagedObject] {
    try store.objects(try #require(try project().model.version(named: version)).model)
  }

  @Test func `it runs on the genuine store, and every value that has a place is there`() throws {
    try withTemporaryFolder { folder in
      let store = TestStore(at: try Fixtures.copyStore(Self.store, into: folder))
      let mapping = try project().mapping
      let before = try objects(store, mapping.sourceVersionName)
      let report = try migrate(store)
      let after = try objects(store, mapping.destinationVersionName)
      #expect(Set(before.map(\.id.entityName)).count == 4 && before.count == 7)
      #expect(after.map(\.id) == before.map(\.id))
      #expect(report.objects == 7 && report.diagnostics.isEmpty, "\(report.diagnostics)")
      // Renamed or gone in version 4; all else is what it was.
      let others: Set<String> = ["externalID", "uploadState", "scheduledTempBasalRate"]
      for (old, new) in zip(before, after) {
        for (name, value) in old.values where !others.contains(name) {
          #expect(new.values[name] == value, "\(old.id).\(name)")
        }
      }
      let carb = try #require(after.first { $0.id.entityName == "CachedCarbObject" })
      #expect(carb.values["anchorKey"] == .integer(1))
      #expect(carb.values["provenanceIdentifier"] == .string("com.loopkit.Loop"))
      let version = try #require(try project().model.version(named: mapping.destinationVersionName))
      let metadata = try store.read { try $0.readStoreMetadata() }
      #expect(metadata.versionHashes == version.entityVersionHashesByName)
    }
  }

  @Test func `carbs that were deleted become cached ones that say so, beside the others`() throws {
    let (model, mapping) = try project()
    let version = try #require(model.version(named: mapping.sourceVersionName))
    let deleted = (1...2).map { key in
      ManagedObject(
        "DeletedCarbObject", key,
        values: ["externalID": .string("x\(key)"), "startDate": .date(100), "uploadState": .integer(2)])
    }
    let carb = ManagedObject(
      "CachedCarbObject", 1,
      values: [
        "createdByCurrentApp": .boolean(true), "grams": .double(12), "startDate": .date(50),
        "syncIdentifier": .string("s"), "syncVersion": .integer(1), "uploadState": .integer(0),
      ])
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: version, objects: deleted + [carb])
      _ = try migrate(store)
      let found = try objects(store, mapping.destinationVersionName)
      #expect(found.map(\.id.entityName) == ["CachedCarbObject", "CachedCarbObject", "CachedCarbObject"])
      #expect(found.map { $0.values["operation"] } == [.integer(0), .integer(2), .integer(2)])
      #expect(found.map { $0.values["syncIdentifier"]?.text } == ["s", "x1", "x2"])
      #expect(found.map { $0.values["anchorKey"] } == [.integer(1), .integer(2), .integer(3)])
      #expect(found.map { $0.values["grams"] } == [.double(12), .double(0), .double(0)])
    }
  }

  @Test func `it fits its two versions`() throws {
    let (model, mapping) = try project()
    let source = try #require(model.version(named: mapping.sourceVersionName))
    let destination = try #require(model.version(named: mapping.destinationVersionName))
    let (resolved, diagnostics) = [mapping].resolved(from: source, to: destination)
    #expect(!diagnostics.hasErrors, "\(diagnostics.filter { $0.severity == .error })")
    let insulin = try #require(resolved.mappings(toEntity: "CachedInsulinDeliveryObject").first)
    // Two attributes of the source stand for one name; each is asked for by its own.
    #expect(
      insulin.propertyMapping(named: "programmedTempBasalRate")?.value.sourceName == "programmedTempBasalRate"
    )
    #expect(
      resolved.mappings(toEntity: "CachedCarbObject").map(\.sourceEntityName) == [
        "CachedCarbObject", "DeletedCarbObject",
      ])
    #expect(resolved.entityMappings.compactMap(\.policyName).count == 2)
    // Without their policies, planning says which are missing.
    let unregistered = [mapping].resolved(from: source, to: destination, policyNames: [])
    #expect(unregistered.diagnostics.filter { $0.code == .unknownPolicy }.count == 2)
  }
}

/// What the names of LoopKit's policies ask for, written for this test: the new required values of a cached carb entry,
/// and its place in the order of changes.
class CachedCarbObjectv3EntityMigrationPolicy: EntityMigrationPolicy {
  /// The mappings of one run count together.
  static let counter = "anchorKey"

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let carb = made.first else { return }
    let number = (manager.userInfo?[Self.counter] as? Int ?? 0) + 1
    manager.userInfo = [Self.counter: number]
    carb.setValue(number, forKey: "anchorKey")
    carb.setValue("com.loopkit.Loop", forKey: "provenanceIdentifier")
    carb.setValue(carb.value(forKey: "startDate"), forKey: "addedDate")
  }
}

/// Deleted entries had a table of their own; now they are entries whose operation says it.
final class DeletedCarbObjectv3EntityMigrationPolicy: CachedCarbObjectv3EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let carb = made.first else { return }
    carb.setValue(2, forKey: "operation")
    carb.setValue(true, forKey: "createdByCurrentApp")
    carb.setValue(sInstance.value(forKey: "externalID"), forKey: "syncIdentifier")
    carb.setValue(sInstance.value(forKey: "startDate"), forKey: "userDeletedDate")
  }
}
