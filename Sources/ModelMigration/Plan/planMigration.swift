import Foundation
public import ManagedModel
import ModelFormats
import ModelMapping
package import PersistentStore

/// Plans the migration of a store: which version it is, the way to the target, what becomes of every entity, what
/// would be lost and what stands against it, counted on this very store.
///
/// Everything that a migration needs and that can be tried without writing is tried: room on the disk, permissions,
/// other names of the file, the files of large values, SQLite's check of the pages. What was not is in
/// ``MigrationPlan/untried``. The store is opened for reading and left without a trace.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - models: the store is looked for among the versions of all of them.
///   - options: the target, the route, losses that may be.
///   - custom: mapping models and policies, where inference is not all.
/// - Throws: ``DiagnosticsError`` where the file is no store, or of no known version, or of one after the target.
public func planMigration(
  ofStoreAt path: String, models: [VersionedModel], options: MigrationOptions = MigrationOptions(),
  custom: CustomMigrations = CustomMigrations()
) throws -> MigrationPlan {
  let left = try leftByEarlierRun(ofStoreAt: path, models: models, options: options)
  var options = options
  let (models, custom) = try joiningModels(models, custom, forStoreAt: path, options: &options)
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  let plan = try planMigration(
    on: connection, store: path, models: models, options: options, custom: custom, isThorough: true)
  var tried = try tryPlan(plan, of: connection, options: options)
  try connection.close()
  tried.diagnostics = (tried.diagnostics + left).ordered
  return tried
}

/// - Parameter isThorough: whether rows are counted also where their number bears on nothing.
/// - Returns: the plan, and the file that it was made for.
func planMigration(
  ofStoreAt path: String, models: [VersionedModel], options: MigrationOptions, custom: CustomMigrations,
  isThorough: Bool
) throws -> (plan: MigrationPlan, file: StoreFile) {
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  let plan = try planMigration(
    on: connection, store: path, models: models, options: options, custom: custom, isThorough: isThorough)
  try connection.close()
  return (plan, connection.file)
}

private func planMigration(
  on connection: StoreConnection, store: String, models: [VersionedModel], options: MigrationOptions,
  custom: CustomMigrations, isThorough: Bool
) throws -> MigrationPlan {
  try connection.read { db in
    try planMigration(
      of: db, store: store, bytes: connection.file.byteCount, models: models, options: options,
      custom: custom, isThorough: isThorough)
  }
}

/// The same for a store that is open already.
///
/// - Parameter isThorough: whether rows are counted also where their number bears on nothing.
package func planMigration(
  of db: StoreDatabase, store: String, bytes: Int64, models: [VersionedModel], options: MigrationOptions,
  custom: CustomMigrations = CustomMigrations(), isThorough: Bool = true
) throws -> MigrationPlan {
  let metadata = try readStoreMetadata(db)
  let physical = try readPhysicalSchema(db)
  let start = try findStart(
    of: store, db, metadata: metadata, physical: physical, models: models, options: options)
  let (model, path, configuration) = (start.model, start.path, start.configuration)
  guard let target = path.last else {
    throw UnknownVersionError(name: "", models: models)
  }
  // A version that is only passed through, or that the store has already, may break rules; the target may not.
  let flaws = path.count > 1 ? checkTarget(target, in: model) : []
  if !flaws.isEmpty { throw DiagnosticsError(flaws) }
  func planned(by rule: ChainRule) throws -> MigrationPlan {
    var options = options
    options.chain = rule
    var plan = try planPath(
      path, of: db, store: store, bytes: bytes, model: model, configuration: configuration, options: options,
      custom: custom, isThorough: isThorough)
    guard rule == .stepwise, plan.segments.count > 1, plan.segments.allSatisfy(\.isInferred) else {
      return plan
    }
    // The rows of later steps are not there yet. Joined, the steps ask the same of those that are.
    var joined = model
    joined.goesStepwise = true
    options.chain = .auto
    let whole = try planPath(
      path, of: db, store: store, bytes: bytes, model: joined, configuration: configuration, options: options,
      custom: custom, isThorough: isThorough)
    plan.losses = whole.losses
    plan.diagnostics =
      (plan.diagnostics.filter { $0.severity < .error && !$0.isLoss }
      + whole.diagnostics.filter { $0.severity == .error || $0.isLoss }).ordered
    return plan
  }
  var plan = try planned(by: options.chain).naming(path, asked: options.chain, other: planned)
  if path.count > 1 { plan.diagnostics += start.diagnostics }
  plan.diagnostics = (plan.diagnostics + (try surveyExternalData(db, of: plan))).ordered
  log(plan, models: models)
  return plan
}

/// Plans a way through versions that is known: for what comes after a segment was carried out, too.
///
/// - Parameters:
///   - isBegun: whether what is to be done with the objects of the first version is done.
///   - isByObjects: whether a stated first step carries every object over by itself, because its rows stand against
///     statements.
package func planPath(
  _ path: [ModelVersion], of db: StoreDatabase, store: String, bytes: Int64, model: VersionedModel,
  configuration: String?, options: MigrationOptions, custom: CustomMigrations, isThorough: Bool = true,
  isBegun: Bool = false, isByObjects: Bool = false
) throws -> MigrationPlan {
  guard let target = path.last else { throw UnknownVersionError(name: "", models: [model]) }
  let metadata = try readStoreMetadata(db)
  let pending = custom.pendingSteps(of: model.name, along: path, done: metadata.postProcessingSteps)
  let listed = model.handledStages(along: path)
  var segments = cutSegments(
    path, of: model, custom: custom, rule: options.chain,
    stops: Set(pending.map(\.versionName) + listed.flatMap { [$0.currentVersionName, $0.nextVersionName] }),
    isBegun: isBegun)
  if isByObjects, let first = segments.first?.byObjects { segments[0] = first }
  let way = [path.first].compactMap(\.self) + segments.flatMap { $0.versions.dropFirst() }
  let stages = listed.filter { $0.isPassed(by: segments) }
  let first = segments.first ?? SegmentPath(versions: path)
  var options = options
  if segments.count > 1 || first.custom != nil || !pending.isEmpty || !stages.isEmpty {
    // Objects that are made or changed one by one, and steps that follow one another, need a private file.
    if options.route == .inPlace {
      throw DiagnosticsError(
        .routeCannotServe("in-place", store: store, reason: "not all of the way is one inferred step"))
    }
    if options.route == .auto { options.route = .copy }
  }
  let survey = Survey(
    db: db, physical: try readPhysicalSchema(db), frameworkVersion: metadata.frameworkVersion ?? 0,
    path: first.versions, passed: path, configuration: configuration, allowedLosses: options.allowedLosses,
    store: store,
    metadata: metadata, options: options, isThorough: isThorough,
    stated: first.stated,
    isProvisional: !isBegun
      && stages.contains { $0.currentVersionName == path.first?.name && $0.willMigrateHandler != nil })
  var findings = try interruptible(db) {
    guard let custom = first.custom else { return try survey.run() }
    // Questions about rows make sense only where every property is mapped.
    if first.diagnostics.hasErrors { return Survey.Findings(mappingModel: custom.mappingModel) }
    return try survey.run(custom.mappingModel, written: custom.written)
  }
  if first.byObjects != nil, findings.diagnostics.contains(where: \.isObstacle) {
    return try planPath(
      path, of: db, store: store, bytes: bytes, model: model, configuration: configuration,
      options: options, custom: custom, isThorough: isThorough, isBegun: isBegun, isByObjects: true)
  }
  if first.custom != nil {
    findings.route = RouteChoice(route: .newFile, reason: "a custom mapping makes its objects anew")
  }
  let isInferred = segments.allSatisfy { $0.custom == nil }
  if isInferred {
    findings.diagnostics += pathFindings(
      model, path: path, mapping: findings.mappingModel, isAtOnce: segments.count == 1 && way.count == 2,
      isOpen: findings.isInferable)
  }
  findings.diagnostics += segments.flatMap(\.diagnostics)
  findings.diagnostics += checkHandlers(listed, of: segments, among: custom.stageHandlers)
  findings.diagnostics += segments.dropFirst().flatMap {
    lossesOfLaterStep($0, allowed: options.allowedLosses)
  }
  for segment in segments.dropFirst() where segment.custom == nil {
    findings.diagnostics += segment.inferenceErrors
  }
  let formats = try interruptible(db) { try survey.dateFormats(for: findings.diagnostics) }
  findings.diagnostics = findings.diagnostics.map { finding in
    finding.noting(formats["\(finding.subject?.entity ?? "").\(finding.subject?.property ?? "")"])
  }
  if let index = findings.diagnostics.firstIndex(where: { $0.code == .schemaDiffers && $0.severity == .error }
  ) {
    findings.diagnostics[index] = findings.diagnostics[index]
      .namingTables(of: survey.physical, among: model.versions)
  }
  return MigrationPlan(
    store: store, modelName: model.name, path: way.map(\.name),
    steps: steps(of: segments, route: findings.route.route),
    mappingModel: findings.mappingModel, entities: findings.entities,
    changes: first.versions.first.flatMap { from in
      first.versions.last.map { compareModels(from: from, to: $0) }
    } ?? [],
    losses: findings.losses,
    diagnostics: proposingMappings(
      findings.diagnostics.map { located($0, path: path) }, path: way, modelName: model.name,
      dateFormats: formats.mapValues(\.format)
    ).ordered,
    storeBytes: bytes, statementPlan: findings.statements, schema: findings.schema, target: target,
    configuration: configuration, route: findings.route.route, routeReason: findings.route.reason,
    rowsAreBounds: findings.rowsAreBounds, touchesRows: findings.touchesRows,
    journalBytes: minimumJournal + Int64(findings.workedShare * Double(bytes)), leftOut: findings.leftOut,
    uriReplacements: findings.uriReplacements, formerMaxima: findings.formerMaxima,
    segments: plannedSegments(segments, first: findings.mappingModel, rows: findings.entities),
    customStep: first.custom.flatMap { step in
      first.versions.first.flatMap { from in
        first.versions.last.map {
          CustomStep(
            source: from, destination: $0, mappingModel: step.mappingModel, policies: custom.policies,
            configuration: configuration, store: store, goesByObjects: custom.goesByObjects,
            objectCounts: findings.objectCounts)
        }
      }
    }, versions: way, pendingSteps: pending, stages: stages)
}

extension Diagnostic {
  /// Whether it tells of a loss that inferred steps count.
  fileprivate var isLoss: Bool {
    [.droppedData, .numericNarrowing, .orderGoes, .danglingGoes].contains(code)
  }

  /// Whether rows stand in the way of statements; a loss does so whatever carries them over.
  fileprivate var isObstacle: Bool {
    severity == .error && ![.droppedData, .numericNarrowing, .conversionLoss].contains(code)
  }
}

/// Room for the pages of the schema and the metadata.
private let minimumJournal: Int64 = 65_536

/// - Parameter route: the first segment's, where it is inferred; later ones alter the file that is there.
private func steps(of segments: [SegmentPath], route: MigrationRoute) -> [MigrationPlan.Step] {
  segments.enumerated().flatMap { index, segment in
    zip(segment.versions, segment.versions.dropFirst()).map { from, to in
      .init(
        from: from.name, to: to.name, isInferred: segment.custom == nil && segment.stated == nil,
        route: index == 0 ? route : segment.custom != nil ? .newFile : .stagedCopy,
        isFused: segment.versions.count > 2)
    }
  }
}

/// At its place in the file of the version that it is about, else of the target.
func located(_ diagnostic: Diagnostic, path: [ModelVersion]) -> Diagnostic {
  let version = path.first { $0.name == diagnostic.subject?.version } ?? path.last
  return version?.sourceMap.map { diagnostic.located(by: $0) } ?? diagnostic
}

/// A version was asked for that no model has.
public struct UnknownVersionError: Error, Hashable, Sendable {
  /// The name that was asked for.
  public let name: String
  /// All versions there are.
  public let known: [String]

  init(name: String, models: [VersionedModel]) {
    self.name = name
    self.known = models.flatMap { $0.versions.map(\.name) }
  }
}

private func findStart(
  of store: String, _ db: StoreDatabase, metadata: StoreMetadata, physical: PhysicalSchema,
  models: [VersionedModel], options: MigrationOptions
) throws -> MigrationStart {
  if let name = options.targetVersion, !models.contains(where: { $0.version(named: name) != nil }) {
    throw UnknownVersionError(name: name, models: models)
  }
  var recognition = recogniseStore(metadata: metadata, among: models)
  if recognition.versions.isEmpty {
    let own = try readStoreModel(db, physical: physical, metadata: metadata)
    recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
    if let start = startFromOwnModel(
      own, of: store, recognition, among: models, target: options.targetVersion)
    {
      return start
    }
    throw DiagnosticsError(.storeUnrecognised(store, recognition: recognition))
  }
  // Of several models with such a version, the one that also has the target.
  let names = recognition.versions.map(\.modelName)
  let candidates = models.filter { names.contains($0.name) }
  guard
    let model = candidates.first(where: { candidate in
      options.targetVersion.map { candidate.version(named: $0) != nil } ?? true
    }) ?? candidates.first
  else { throw DiagnosticsError(.storeUnrecognised(store, recognition: recognition)) }
  let matches = recognition.versions.filter { $0.modelName == model.name }
  guard let target = model.version(named: options.targetVersion ?? model.currentVersionName) else {
    throw UnknownVersionError(name: options.targetVersion ?? model.currentVersionName, models: [model])
  }
  let (chosen, diagnostics) = chooseAmongEqual(
    matches.map(\.versionName), in: model, to: target, store: store)
  let path = try migrationPath(in: model, from: chosen, to: target, store: store)
  return MigrationStart(
    model: model, path: path,
    configuration: matches.first { $0.versionName == path.first?.name }?.configuration,
    diagnostics: diagnostics)
}
