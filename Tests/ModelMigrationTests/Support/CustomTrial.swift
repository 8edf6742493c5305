import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// Versions in YAML, mapping files for the steps between them, and stores of the first that go the whole way.
struct CustomTrial {
  let model: VersionedModel
  var custom: CustomMigrations
  var options = MigrationOptions(keepsBackup: false)

  /// - Parameter mappings: mapping files without their first two lines: the first for V1 to V2, and so on.
  init(
    _ versions: [String], mappings: [String] = [], policies: [EntityMigrationPolicy.Type] = [],
    steps: [PostProcessingStep] = []
  ) throws {
    model = try withTemporaryFolder { folder in
      try writeVersions(versions, into: folder)
      let reading = readVersionedModel(folder: folder)
      #expect(reading.diagnostics.filter { $0.severity == .error } == [])
      return try #require(reading.model)
    }
    let found = mappings.enumerated().flatMap { index, text in
      let head = "from: V\(index + 1)\nto: V\(index + 2)\n"
      let reading = readMappingFile(yaml: Data((head + text).utf8), file: "V\(index + 1).yaml")
      #expect(reading.diagnostics == [])
      return text.isEmpty ? [] : reading.mappingModels
    }
    custom = CustomMigrations(
      mappingModels: [model.name: found], policies: PolicyRegistry(policies),
      postProcessing: [model.name: steps])
    custom.mappingFile = writeMappingFile
  }

  func store(_ objects: [ManagedObject], in folder: URL) throws -> TestStore {
    try TestStore(in: folder, of: model.versions[0], objects: objects)
  }

  @discardableResult
  func migrate(_ store: TestStore, to target: String? = nil) throws -> MigrationReport {
    var options = options
    options.targetVersion = target
    return try migrateStore(at: store.url.path, models: [model], options: options, custom: custom)
  }

  func plan(_ store: TestStore) throws -> MigrationPlan {
    try planMigration(ofStoreAt: store.url.path, models: [model], options: options, custom: custom)
  }

  /// Migrates a store of the objects; a failure leaves it byte for byte what it was, with nothing beside it.
  func run(_ objects: [ManagedObject]) throws -> Outcome {
    try withTemporaryFolder { folder in
      let store = try store(objects, in: folder)
      let plan = try plan(store)
      let before = try Data(contentsOf: store.url)
      do {
        let report = try migrate(store)
        return Outcome(plan: plan, report: report, objects: try store.objects(model.last))
      } catch {
        #expect(try Data(contentsOf: store.url) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
        throw error
      }
    }
  }

  struct Outcome {
    var plan: MigrationPlan
    var report: MigrationReport
    var objects: [ManagedObject]

    subscript(_ entity: String) -> [ManagedObject] { objects.filter { $0.id.entityName == entity } }

    /// A text attribute of every object of an entity, by primary key; `-` stands for nil.
    func texts(_ entity: String, _ attribute: String) -> [String] {
      self[entity].map { $0.values[attribute]?.text ?? "-" }
    }

    /// For every object of an entity, its key and those that a relationship leads to: `1>2,3`.
    func links(_ entity: String, _ relationship: String) -> [String] {
      self[entity].map { object in
        "\(object.id.primaryKey)>"
          + object.ends(of: relationship).map { "\($0.primaryKey)" }.joined(separator: ",")
      }
    }

    /// Codes of all findings but notes, each once.
    var codes: [String] {
      let found = report.diagnostics + report.plan.diagnostics
      return Set(found.filter { $0.severity >= .warning }.map(\.code.description)).sorted()
    }
  }
}

/// Objects of one entity, with keys from 1 on.
func objects(_ entity: String, _ values: [String: AttributeValue]...) -> [ManagedObject] {
  values.enumerated().map { ManagedObject(entity, Int64($0.offset + 1), values: $0.element) }
}

func objectID(_ entity: String, _ key: Int64) -> ManagedObject.ID {
  ManagedObject.ID(entityName: entity, primaryKey: key)
}

/// What a plan for a store of the objects would lose without consent, or what it says under a code.
func losses(
  _ trial: CustomTrial, _ objects: [ManagedObject], _ code: String? = nil
) throws -> [String] {
  try withTemporaryFolder { folder in
    let plan = try trial.plan(try trial.store(objects, in: folder))
    return plan.losses.filter { code == nil ? !$0.isAcknowledged : $0.code.description == code }.map {
      "\($0.code) \($0.entity)\($0.property.map { ".\($0)" } ?? "") \($0.count)"
    }.sorted()
  }
}

/// The codes with which a migration ended.
func refusalCodes(_ error: (any Error)?) -> [String] {
  switch error {
  case let error as MigrationRefusedError:
    error.plan.diagnostics.filter { $0.severity == .error }.map(\.code.description)
  case let error as MigrationValidationError: error.diagnostics.map(\.code.description)
  case let error as DiagnosticsError: error.diagnostics.map(\.code.description)
  default: []
  }
}
