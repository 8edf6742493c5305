import Foundation
import ManagedModel
import ModelMapping
import PersistentStore

/// Where the private files of a run are made: a clone of the store, an empty file beside it that sees the store, and an
/// empty file that sees the one before.
struct StagingPlaces {
  var clone: () throws -> PrivateStore
  var newFile: () throws -> PrivateStore
  var nextFile: (_ former: PrivateStore) throws -> PrivateStore
}

/// What a run made, before it takes the store's place.
struct StagedResult {
  var file: PrivateStore
  var objects: Int
  var diagnostics: [Diagnostic] = []
  var mappings: [MappingCount] = []
  var violations: [RuleViolation] = []
}

/// Carries out the segments of a plan one after the other on private files.
struct SegmentRunner {
  let models: [VersionedModel]
  let options: MigrationOptions
  let custom: CustomMigrations
  let storePath: String
  let places: StagingPlaces
  let newExternalData: MigratedExternalData
  /// Asks the store itself.
  let readStore: (_ count: (StoreDatabase) throws -> Int) throws -> Int

  func run(_ plan: MigrationPlan, begin: (MigrationPhase) throws -> Void) throws -> StagedResult {
    var rest = plan
    // What comes after the first segment alters the private file that is there.
    var options = options
    options.route = .clone
    var result: StagedResult?
    if let version = plan.versions.first, !plan.isCurrent,
      !plan.pendingSteps(of: version.name).isEmpty || plan.beginsWithHandler
    {
      try begin(.clone)
      let file = try places.clone()
      result = StagedResult(file: file, objects: 0)
      try workOnObjects(of: version, plan, result, begin)
      // The objects are others now.
      rest = try planAgain(plan.versions, plan, on: file, options)
      result?.diagnostics += rest.diagnostics.filter { $0.severity == .warning }
    }
    while true {
      let isFirst = result == nil
      if let step = rest.customStep {
        try begin(.clone)
        let file = try isFirst ? places.newFile() : places.nextFile(required(result).file)
        let made = try runPasses(
          step, into: file,
          externalData: { try newExternalData.read($0) ?? readExternalData($0, ofStoreAt: storePath) },
          newExternalData: newExternalData, begin: begin)
        try begin(.prove)
        try file.read { db in try proveResult(of: step, counts: made, on: db) }
        result = StagedResult(
          file: file, objects: made.objects, diagnostics: (result?.diagnostics ?? []) + made.diagnostics,
          mappings: (result?.mappings ?? []) + made.mappings,
          violations: (result?.violations ?? []) + made.violations)
      } else if isFirst || !rest.isCurrent {
        if isFirst { try begin(.clone) }
        let file = try result?.file ?? (rest.route == .newFile ? places.newFile() : places.clone())
        let formerly: (() throws -> Int)? = isFirst ? nil : try dangling(in: file, of: rest)
        try begin(.alter)
        if !rest.isDone { try file.write { db in try apply(rest.ofFirstSegment, to: db) } }
        try begin(.prove)
        try file.quickCheck()
        let objects = try prove(rest.ofFirstSegment, on: file, formerly)
        result = StagedResult(
          file: file, objects: objects, diagnostics: result?.diagnostics ?? [],
          mappings: result?.mappings ?? [],
          violations: result?.violations ?? [])
      }
      if let end = rest.ofFirstSegment.versionAtEnd { try workOnObjects(of: end, plan, result, begin) }
      guard rest.segments.count > 1, let made = result else { break }
      rest = try planAgain(rest.versions(from: 1), plan, on: made.file, options)
      result?.diagnostics += rest.diagnostics.filter { $0.severity == .warning }
    }
    return try required(result)
  }

  /// The plan for the rest of the way, from what the file holds now.
  private func planAgain(
    _ versions: [ModelVersion], _ plan: MigrationPlan, on file: PrivateStore, _ options: MigrationOptions
  ) throws -> MigrationPlan {
    guard let model = models.first(where: { $0.name == plan.modelName }) else { return plan }
    let rest = try file.read { db in
      try planPath(
        versions, of: db, store: plan.store, bytes: plan.storeBytes, model: model,
        configuration: plan.configuration, options: options, custom: custom, isBegun: true)
    }
    if rest.isBlocked { throw MigrationRefusedError(plan: rest) }
    return rest
  }

  /// Carries out what is to be done with the objects of a version that the file has reached: the handler of the stage
  /// that led there, post-processing, and the handler of the stage that leads on.
  private func workOnObjects(
    of version: ModelVersion, _ plan: MigrationPlan, _ result: StagedResult?,
    _ begin: (MigrationPhase) throws -> Void
  ) throws {
    let steps = plan.pendingSteps(of: version.name)
    let (before, after) = handlers(around: version.name, plan)
    guard let file = result?.file, !(before + after).isEmpty || !steps.isEmpty else { return }
    try begin(.validate)
    try file.write { db in
      try interruptible(db) {
        for (works, isBefore) in [(before, true), (after, false)] {
          if !works.isEmpty {
            try ModelMigration.workOnObjects(
              works, of: db, version: version, configuration: plan.configuration)
          }
          if isBefore, !steps.isEmpty {
            try runPostProcessing(
              steps, on: db, version: version, configuration: plan.configuration, store: plan.store)
          }
        }
      }
    }
  }

  /// The handlers that run once a version is reached, and those that run before it is left.
  private func handlers(
    around version: String, _ plan: MigrationPlan
  ) -> (didMigrate: [ObjectWork], willMigrate: [ObjectWork]) {
    func work(_ stage: CustomMigrationStage, _ name: String?) -> ObjectWork? {
      guard let name, let handler = custom.stageHandlers[name] else { return nil }
      let title =
        "handler '\(name)' of the stage from '\(stage.currentVersionName)' to '\(stage.nextVersionName)'"
      return ObjectWork(name: title, versionName: version) { context in try handler(stage, context) }
    }
    return (
      plan.stages.filter { $0.nextVersionName == version }.compactMap { work($0, $0.didMigrateHandler) },
      plan.stages.filter { $0.currentVersionName == version }.compactMap { work($0, $0.willMigrateHandler) }
    )
  }

  private func required(_ result: StagedResult?) throws -> StagedResult {
    guard let result else { throw DiagnosticsError(.nothingStaged()) }
    return result
  }

  private func prove(_ plan: MigrationPlan, on file: PrivateStore, _ formerly: (() throws -> Int)?) throws
    -> Int
  {
    if plan.isCurrent { return plan.objectBound }
    let source = models.first { $0.name == plan.modelName }?.version(named: plan.from)?.model
    return try file.read { db in
      try ModelMigration.prove(plan, on: db) {
        if let formerly { return try formerly() }
        guard let source else { return 0 }
        return try readStore { db in
          try countDanglingReferences(
            db, schema: bindSchema(readPhysicalSchema(db), to: source).schema, model: source)
        }
      }
    }
  }

  /// References that lead nowhere in the file as it is before its segment.
  private func dangling(in file: PrivateStore, of plan: MigrationPlan) throws -> () throws -> Int {
    let source = models.first { $0.name == plan.modelName }?.version(named: plan.from)?.model
    let count = try file.read { db in
      try source.map {
        try countDanglingReferences(db, schema: bindSchema(readPhysicalSchema(db), to: $0).schema, model: $0)
      } ?? 0
    }
    return { count }
  }
}

/// Holds the result of a custom step against what the passes say that they made: hashes, schema, numbers.
private func proveResult(of step: CustomStep, counts: PassResult, on db: StoreDatabase) throws {
  var findings: [Diagnostic] = []
  let metadata = try readStoreMetadata(db)
  if metadata.versionHashes != step.destination.versionHashes(ofConfiguration: step.configuration) {
    findings.append(.unprovedStep(step, "it does not carry the version hashes of '\(step.destination.name)'"))
  }
  let model = step.destination.model.restricted(toConfiguration: step.configuration)
  let (schema, differences) = bindSchema(try readPhysicalSchema(db), to: model)
  findings += differences.filter { $0.severity == .error }.map { .unprovedStep(step, $0.message) }
  let objects = try schema.tables.map { try countAllRows(db, table: $0.name) }.reduce(0, +)
  if objects != counts.objects {
    findings.append(.unprovedStep(step, "it has \(objects) objects, not \(counts.objects)"))
  }
  if !findings.isEmpty { throw DiagnosticsError(findings) }
}

extension MigrationPlan {
  fileprivate var versionAtEnd: ModelVersion? { versions.first { $0.name == path.last } }
}

extension Diagnostic {
  fileprivate static func nothingStaged() -> Self {
    Self(.unprovedResult, .error, "no segment of the plan was carried out", help: ["this is a bug in modelc"])
  }

  fileprivate static func unprovedStep(_ step: CustomStep, _ reason: String) -> Self {
    Self(
      .unprovedResult, .error, "the new file does not fit '\(step.destination.name)': \(reason)",
      notes: ["the store is as it was"], help: ["this is a bug in modelc"])
  }
}
