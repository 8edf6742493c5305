import ManagedModel
import PersistentStore

/// Carries out the segments of a plan one after the other on private files.
struct SegmentRunner {
  let run: MigrationRun
  let store: any OpenStore
  let places: PrivateStoreFactory
  let largeValues: MigratedExternalData

  private var request: MigrationRequest { run.request }

  /// Where it fails because the store is damaged, it says so, and not what came of it.
  func run(_ plan: MigrationPlan) throws -> StagedResult {
    do {
      return try carryOutAll(plan)
    } catch let error as DiagnosticsError {
      let mayBeDamage = error.diagnostics.contains {
        [.unprovedResult, .malformedStore, .statementFailed].contains($0.code)
      }
      guard mayBeDamage, let damage = try? store.damage() else { throw error }
      throw DiagnosticsError(damage)
    }
  }

  private func carryOutAll(_ plan: MigrationPlan) throws -> StagedResult {
    run.expect(plan)
    var rest = plan
    var result = try beginWithObjects(plan)
    if let file = result?.file {
      // The objects are others now.
      rest = try planAgain(plan.versions, plan, on: file)
      result?.add(rest, beside: plan)
    }
    while true {
      var made =
        try rest.customStep.map { try carryOut($0, of: rest, after: result) } ?? carryOut(rest, after: result)
      if let end = rest.segments.first?.versions.last { try workOnObjects(of: end, plan, in: made.file) }
      if rest.segments.count < 2 {
        made.restored = try restoreLosses(plan, in: made.file)
        made.objects += made.restored?.objects ?? 0
        if run.options.compacts {
          try made.file.compact()
          try made.file.quickCheck()
        }
        return made
      }
      let left = rest.versions.drop { $0.name != rest.segments[1].path.first }
      rest = try planAgain(Array(left), plan, on: made.file)
      made.add(rest, beside: plan)
      // Of inferred steps one by one, the first plan has counted all.
      let isCounted = run.options.chain == .stepwise && plan.segments.allSatisfy(\.isInferred)
      run.laterLosses += isCounted ? [] : rest.losses
      result = made
    }
  }

  /// What is to be done with the objects of the store's own version, on a clone; nil if there is nothing.
  private func beginWithObjects(_ plan: MigrationPlan) throws -> StagedResult? {
    guard let version = plan.versions.first, !plan.isCurrent,
      !plan.pendingSteps(of: version.name).isEmpty
        || plan.stages.contains(where: { $0.currentVersionName == plan.from && $0.willMigrateHandler != nil })
    else { return nil }
    try run.begin(.clone)
    let file = try places.clone(false)
    try workOnObjects(of: version, plan, in: file)
    return StagedResult(file: file, objects: 0)
  }

  /// A custom step: in a clone of what there was, its statements, then its three passes.
  private func carryOut(
    _ step: CustomStep, of plan: MigrationPlan, after former: StagedResult?
  ) throws -> StagedResult {
    try run.begin(.clone)
    let file = try former.map { try places.nextFile($0.file) } ?? places.clone(true)
    try run.begin(.alter)
    try file.write { db in try (step.carried?.statements ?? []).run(of: plan, in: db, run.monitor) }
    var result = former ?? StagedResult(file: file, objects: 0)
    (result.file, result.objects) = (file, 0)
    try step.runPasses(into: &result, largeValues: largeValues, monitor: run.monitor, begin: run.begin)
    try run.begin(.prove)
    try file.read { db in try prove(step, result.objects, on: db) }
    return result
  }

  /// Inferred steps, by the plan's statements.
  private func carryOut(_ plan: MigrationPlan, after former: StagedResult?) throws -> StagedResult {
    if let former, plan.isCurrent { return former }
    if former == nil { try run.begin(.clone) }
    let file = try former?.file ?? places.clone(false)
    // The first segment begins at what the store itself holds.
    let formerly = try former?.file.read { db in try plan.danglingReferences(in: db) }
    try run.begin(.alter)
    let segment = plan.ofFirstSegment
    if !plan.isDone { try file.write { db in try apply(segment, to: db, run.monitor) } }
    try run.begin(.prove)
    var result = former ?? StagedResult(file: file, objects: 0)
    (result.objects, result.brokenReferences) = try file.quickCheck(stoppingWhen: run.monitor.shouldStop) {
      () -> (objects: Int, dangling: Int?) in
      if segment.isCurrent { return (segment.objectBound, nil) }
      return try file.read { db in
        try prove(segment, on: db, run.monitor) {
          try formerly ?? store.read { db in try segment.danglingReferences(in: db) }
        }
      }
    }
    return result
  }

  /// The plan for the rest of the way, from what the file holds now: what comes after the first segment alters the private
  /// file that is there.
  private func planAgain(
    _ versions: [ModelVersion], _ plan: MigrationPlan, on file: PrivateStore
  ) throws -> MigrationPlan {
    guard let model = request.models.first(where: { $0.name == plan.modelName }) else { return plan }
    let planner = PathPlanner(
      request: request, path: versions, model: model, configuration: plan.configuration,
      bytes: plan.storeBytes, isContinuation: true, onClone: true)
    return try file.read(planner.plan).unblocked()
  }

  /// Carries out what is to be done with the objects of a version that the file has reached: the handler of the stage
  /// that led there, post-processing, and the handler of the stage that leads on.
  private func workOnObjects(of version: ModelVersion, _ plan: MigrationPlan, in file: PrivateStore) throws {
    let steps = plan.pendingSteps(of: version.name)
    let (before, after) = handlers(around: version.name, plan)
    if (before + after).isEmpty, steps.isEmpty { return }
    try run.begin(.validate)
    let workplace = ObjectWorkplace(
      version: version, configuration: plan.configuration, monitor: run.monitor, store: request.store,
      transformers: request.custom.policies, largeValues: largeValues)
    try file.write { db in
      try db.interruptible(by: run.monitor) {
        if !before.isEmpty { try workplace.carryOut(before, in: db) }
        if !steps.isEmpty { try workplace.carryOut(steps, in: db) }
        if !after.isEmpty { try workplace.carryOut(after, in: db) }
      }
    }
  }

  /// The handlers that run once a version is reached, and those that run before it is left.
  private func handlers(around version: String, _ plan: MigrationPlan)
    -> (didMigrate: [ObjectWork], willMigrate: [ObjectWork])
  {
    func work(_ stage: CustomMigrationStage, _ name: String?) -> ObjectWork? {
      guard let name, let handler = request.custom.stageHandlers[name] else { return nil }
      let title =
        "handler '\(name)' of the stage from '\(stage.currentVersionName)' to '\(stage.nextVersionName)'"
      return ObjectWork(name: title) { context in try handler(stage, context) }
    }
    return (
      plan.stages.filter { $0.nextVersionName == version }.compactMap { work($0, $0.didMigrateHandler) },
      plan.stages.filter { $0.currentVersionName == version }.compactMap { work($0, $0.willMigrateHandler) }
    )
  }
}
