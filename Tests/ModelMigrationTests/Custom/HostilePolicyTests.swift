import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

private struct Trouble: Error, CustomStringConvertible {
  var description: String { "trouble" }
}

private class MakingPolicy: EntityMigrationPolicy {
  override class var policyName: String { "NotePolicy" }
}

private final class ThrowingPolicy: MakingPolicy {
  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    throw Trouble()
  }
}

private final class SourceWritingPolicy: MakingPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    sInstance.setValue("changed", forKey: "title")
  }
}

private final class DuplicatingPolicy: MakingPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    for _ in 0..<2 {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }
}

private final class LeakingPolicy: MakingPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let source = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    dInstance.setValue(source.first, forKey: "next")
  }
}

private final class UnknownKeyPolicy: MakingPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    dInstance.setValue(1, forKey: "titel")
  }
}

private final class CancellingPolicy: MakingPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    manager.cancelMigrationWithError(Trouble())
  }
}

private final class EmptyingPolicy: MakingPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    dInstance.setValue(nil, forKey: "title")
  }
}

private final class EndlessPolicy: MakingPolicy {
  @TaskLocal static var monitor = MigrationMonitor()

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    Self.monitor.cancel()
    for _ in 0..<1_000_000 { _ = try manager.destinationContext.insert("Note") }
  }
}

private final class ForgettingPolicy: MakingPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let note = try manager.destinationContext.insert("Note")
    note.setValue(sInstance.value(forKey: "title"), forKey: "title")
  }
}

@Suite("Policies that do what they should not")
struct HostilePolicyTests {
  private func model() -> VersionedModel {
    func note(_ hashModifier: String?) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Note", attributes: [AttributeDescription(name: "title", type: .string)],
          relationships: [
            RelationshipDescription(name: "next", destinationEntityName: "Note", inverseName: "previous"),
            RelationshipDescription(name: "previous", destinationEntityName: "Note", inverseName: "next"),
          ], uniquenessConstraints: [["title"]], versionHashModifier: hashModifier)
      ])
    }
    return versionedModel([note(nil), note("2")])
  }

  private func custom(_ policy: EntityMigrationPolicy.Type) -> CustomMigrations {
    let mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: [
        CustomEntityMapping(
          name: "NoteToNote", sourceEntityName: "Note", destinationEntityName: "Note",
          policyName: "App.NotePolicy")
      ])
    return CustomMigrations(mappingModels: ["Sample": [mapping]], policies: PolicyRegistry([policy]))
  }

  private func store(in folder: URL, _ model: VersionedModel) throws -> TestStore {
    let objects = (1...3).map { key in
      ManagedObject("Note", Int64(key), values: ["title": .string("Note \(key)")])
    }
    return try TestStore(in: folder, of: model.versions[0], objects: objects)
  }

  private func codes(of error: (any Error)?) -> [String] {
    switch error {
    case let error as DiagnosticsError: error.diagnostics.map(\.code.description)
    case let error as MigrationValidationError: error.diagnostics.map(\.code.description)
    default: []
    }
  }

  @Test(arguments: [
    (0, "MC4302"), (1, "MC4303"), (2, "MC4304"), (3, "MC4206"), (4, "MC1601"), (5, "MC4302"), (6, "MC6103"),
    (7, "MC6004"),
  ])
  func `the store stays byte for byte what it was, and the message says where`(index: Int, code: String)
    throws
  {
    let policies: [EntityMigrationPolicy.Type] = [
      ThrowingPolicy.self, SourceWritingPolicy.self, DuplicatingPolicy.self, LeakingPolicy.self,
      UnknownKeyPolicy.self, CancellingPolicy.self, EmptyingPolicy.self, EndlessPolicy.self,
    ]
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, model)
      let before = try Data(contentsOf: store.url)
      let monitor = MigrationMonitor()
      let error = #expect(throws: (any Error).self) {
        try EndlessPolicy.$monitor.withValue(monitor) {
          try migrateStore(
            at: store.url.path, models: [model], custom: custom(policies[index]), monitor: monitor)
        }
      }
      #expect(codes(of: error).contains(code), "\(String(describing: error))")
      #expect(try Data(contentsOf: store.url) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
    }
  }

  @Test func `objects that nothing is associated with are told`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, model)
      let report = try migrateStore(
        at: store.url.path, models: [model], custom: custom(ForgettingPolicy.self))
      #expect(Set(report.diagnostics.map(\.code.description)) == ["MC4301", "MC4306"])
      #expect(report.objects == 3)
    }
  }

  @Test func `a policy that nobody brought is asked for before anything is done`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, model)
      var custom = custom(ThrowingPolicy.self)
      custom.policies = PolicyRegistry([Country5ToCountry6Policy.self])
      let error = #expect(throws: MigrationRefusedError.self) {
        try migrateStore(at: store.url.path, models: [model], custom: custom)
      }
      #expect(error?.plan.diagnostics.map(\.code.description).contains("MC4201") == true)
    }
  }
}
