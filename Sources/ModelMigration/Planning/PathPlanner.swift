import ManagedModel
import PersistentStore

/// Plans a known path through versions, or the rest of one after a segment was carried out.
struct PathPlanner {
  var request: MigrationRequest
  let path: [ModelVersion]
  var model: VersionedModel
  let configuration: String?
  /// Of the store with its write-ahead log.
  let bytes: Int64
  /// Whether rows are counted also where their number does not affect the result.
  var countsAllRows = true
  /// Whether what is to be done with the objects of the first version is done.
  var isContinuation = false
  /// Whether a private file is worked on, whatever the request says.
  var onClone = false

  private var options: MigrationOptions { request.options }

  var isDowngrade: Bool { model.isDowngradePath(path) }

  /// The plan by another rule than the request's.
  func plan(of db: StoreDatabase, by rule: ChainRule) throws -> MigrationPlan {
    var planner = self
    planner.request.options.chain = rule
    var plan = try planner.plan(of: db)
    guard rule == .stepwise, plan.segments.count > 1, plan.segments.allSatisfy(\.isInferred) else {
      return plan
    }
    // The rows of later steps are not there yet. Joined, the steps ask the same of those that are.
    planner.model.isStepwise = true
    planner.request.options.chain = .auto
    let whole = try planner.plan(of: db)
    // A reference to a missing object that the first step drops, all steps joined may keep.
    func isDropped(_ code: Diagnostic.Code, _ entity: String?, _ property: String?) -> Bool {
      code == .danglingReferenceDropped
        && !whole.losses.contains { $0.code == code && $0.entity == entity && $0.property == property }
    }
    plan.losses = whole.losses + plan.losses.filter { isDropped($0.code, $0.entity, $0.property) }
    plan.violations = whole.violations
    plan.diagnostics =
      (plan.diagnostics.filter {
        $0.severity < .error
          && (!$0.isCounted || isDropped($0.code, $0.subject?.entity, $0.subject?.property))
      } + whole.diagnostics.filter { $0.severity == .error || $0.isCounted }).ordered
    return plan
  }

  func plan(of db: StoreDatabase) throws -> MigrationPlan {
    guard let target = path.last else { throw UnknownVersionError(name: "", models: [model]) }
    let metadata = try db.readStoreMetadata()
    var way = cutWay(done: metadata.postProcessingSteps)
    var survey = try survey(of: db, metadata, way)
    var findings = try ask(survey, about: way.first)
    if let byObjects = way.first.byObjects, findings.diagnostics.contains(where: \.isObstacle) {
      // Rows conflict with statements.
      way.first = byObjects
      survey = try self.survey(of: db, metadata, way)
      findings = try ask(survey, about: way.first)
    }
    if way.first.custom == nil, let later = way.segments.first(where: { $0.custom != nil })?.versions.last {
      let losses = findings.losses
      findings.diagnostics += try db.interruptible(by: request.monitor) {
        try survey.danglingLinks(droppedFor: later, beside: losses)
      }
    }
    if try !db.holdsUTF8(), way.segments.contains(where: \.readsTexts) {
      findings.diagnostics.append(
        .policyFailed, .error, "the store's texts are UTF-16: a mapping model cannot compute with them",
        notes: ["the results would be wrong texts; Core Data writes UTF-8"],
        help: ["copy its tables into a new file (UTF-8 by default), and migrate that one"])
    }
    if way.first.custom != nil { findings.route = (.clone, "a custom mapping creates new objects") }
    findings.diagnostics += self.findings(about: way, findings)
    if !findings.diagnostics.hasErrors {
      findings.diagnostics += survey.takenNames(for: way.segments.compactMap(\.versions.last))
    }
    if isDowngrade {
      let keeps = !returnsByMapping
      findings.diagnostics = findings.diagnostics.map { $0.inDowngrade(keeps: keeps) }
    }
    let formats = try db.interruptible(by: request.monitor) {
      try survey.dateFormats(for: findings.diagnostics)
    }
    // A store that fits no version may have the tables of another one.
    let misfit = findings.diagnostics.firstIndex { $0.code == .schemaDiffers && $0.severity == .error }
    if let misfit {
      findings.diagnostics[misfit] = findings.diagnostics[misfit].namingTables(
        of: survey.physical, among: model.versions)
    }
    findings.diagnostics =
      findings.diagnostics.map { finding -> Diagnostic in
        let dates = formats["\(finding.subject?.entity ?? "").\(finding.subject?.property ?? "")"]
        return located(finding.noting(dates), path: path)
      }.proposingMappings(
        path: way.versions, modelName: model.name, dateFormats: formats.mapValues(\.format),
        by: request.custom
      ).ordered
    return plan(to: target, way, findings)
  }

  private func ask(_ survey: Survey, about segment: SegmentPath) throws -> Survey.Findings {
    try survey.db.interruptible(by: request.monitor) {
      guard let custom = segment.custom else { return try survey.run() }
      // Questions about rows make sense only where every property is mapped.
      guard let step = customStep(of: segment), !segment.diagnostics.hasErrors else {
        return Survey.Findings(mappingModel: custom.mappingModel)
      }
      return try survey.run(step, written: custom.written)
    }
  }

  private func cutWay(done: Set<String>) -> CutPath {
    let pending = isDowngrade ? [] : request.custom.pendingSteps(of: model.name, along: path, done: done)
    let listed = model.handledStages(along: path)
    let segments = path.segments(
      of: model, custom: request.custom, rule: options.chain,
      stops: Set(
        pending.map(\.versionName) + listed.flatMap { [$0.currentVersionName, $0.nextVersionName] }),
      isContinuation: isContinuation)
    return CutPath(
      segments: segments, pending: pending, listed: listed,
      stages: listed.filter { $0.isPassed(by: segments) },
      versions: Array(path.prefix(1)) + segments.flatMap { $0.versions.dropFirst() })
  }

  private func survey(of db: StoreDatabase, _ metadata: StoreMetadata, _ way: CutPath) throws -> Survey {
    let begins = way.stages.contains {
      $0.currentVersionName == path.first?.name && $0.willMigrateHandler != nil
    }
    return Survey(
      db: db, physical: try db.readPhysicalSchema(), segments: way.segments, configuration: configuration,
      store: request.store, metadata: metadata, options: options, route: try route(way),
      // What a later version retires is not a word about the downgrade.
      emptyAccount: LossAccount(
        accepted: acceptedLosses, passed: isDowngrade ? [] : path, from: way.first.versions.first,
        stated: way.first.stated),
      countsAllRows: countsAllRows, triesObjects: countsAllRows && !onClone, monitor: request.monitor,
      rowsMayChangeBeforeStep: !isContinuation && begins)
  }

  /// What is kept of the losses needs no further consent, and numbers that are brought back are none.
  private var acceptedLosses: Set<AcceptedLoss> {
    var losses = options.acceptedLosses
    if options.keptLosses != nil { losses.insert(.droppedData) }
    if options.keptLosses != nil || options.restoredLosses != nil { losses.insert(.narrowedNumbers) }
    return losses
  }

  /// Objects that are made or changed one by one, and steps that follow one another, need a private file.
  private func route(_ way: CutPath) throws -> RouteRequest {
    if onClone { return .clone }
    let usesKept = options.keptLosses != nil || options.restoredLosses != nil
    let isOneInferredStep =
      way.segments.count <= 1 && way.first.custom == nil && way.pending.isEmpty && way.stages.isEmpty
    if isOneInferredStep, !usesKept, !options.compacts { return options.route }
    if options.route == .inPlace {
      throw DiagnosticsError(
        .routeCannotServe(
          store: request.store,
          reason: usesKept
            ? "keeping or restoring losses needs a private copy"
            : options.compacts ? "a store is compacted in a copy" : "the path is not a single inferred step"))
    }
    return .clone
  }

  /// What is found without a look at rows.
  private func findings(about way: CutPath, _ findings: Survey.Findings) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if way.segments.allSatisfy({ $0.custom == nil }) {
      found += model.pathFindings(
        path: path, mapping: findings.mappingModel,
        isDirect: way.segments.count == 1 && way.versions.count == 2, isOpen: findings.isInferable)
    }
    found += way.segments.flatMap(\.diagnostics)
    if !isContinuation { found += [path.skippedMapping(of: model, request.custom)].compactMap(\.self) }
    if isDowngrade { found += path.checkReverse(of: model, request.custom) }
    found += keptLossFindings(isInferred: way.segments.allSatisfy { $0.custom == nil })
    found += way.listed.checkHandlers(of: way.segments, among: request.custom.stageHandlers)
    let later = way.segments.dropFirst()
    for place in later.indices {
      let losses = later[place].lossesAsLaterStep(accepted: options.acceptedLosses)
      let isComputed = !way.listed.isEmpty || !way.pending.isEmpty
      found += losses.filter { isComputed || way.segments[..<place].mayHold($0.subject) }
    }
    let inferred = later.filter { $0.custom == nil }
    return found + inferred.flatMap(\.inferenceErrors) + inferred.flatMap(\.conditionsAsLaterStep)
  }

  private func customStep(of segment: SegmentPath) -> CustomStep? {
    guard let custom = segment.custom, let from = segment.versions.first, let to = segment.versions.last
    else { return nil }
    return CustomStep(
      source: from, destination: to, mappingModel: custom.mappingModel, custom: request.custom,
      configuration: configuration, store: request.store)
  }

  private func plan(to target: ModelVersion, _ way: CutPath, _ findings: Survey.Findings) -> MigrationPlan {
    let ends = way.first.versions.first.flatMap { from in way.first.versions.last.map { (from, $0) } }
    return MigrationPlan(
      store: request.store, modelName: model.name, steps: way.steps(route: findings.route.route),
      mappingModel: findings.mappingModel, entities: findings.entities,
      changes: ends.map { compareModels(from: $0, to: $1) } ?? [], losses: findings.losses,
      violations: findings.violations, diagnostics: findings.diagnostics, storeBytes: bytes,
      statementPlan: findings.statements, schema: findings.schema, target: target,
      configuration: configuration, route: findings.route.route, routeReason: findings.route.reason,
      rowsAreBounds: findings.rowsAreBounds, touchesRows: findings.touchesRows,
      journalBytes: minimumJournal + Int64(findings.workedShare * Double(bytes)),
      dropsCloudKit: findings.dropsCloudKit, uriReplacements: findings.uriReplacements,
      formerMaxima: findings.formerMaxima,
      segments: way.segments.planned(first: findings.mappingModel, rows: findings.entities),
      customStep: findings.customStep ?? customStep(of: way.first), versions: way.versions,
      pendingSteps: way.pending, stages: way.stages)
  }
}

/// Room for the pages of the schema and the metadata.
private let minimumJournal: Int64 = 65_536

/// A path, cut into segments that are carried out one by one.
private struct CutPath {
  /// One at least.
  var segments: [SegmentPath]
  let pending: [PostProcessingStep]
  /// Custom stages along the path, and those of them that the segments pass.
  let listed: [CustomMigrationStage]
  let stages: [CustomMigrationStage]
  let versions: [ModelVersion]

  var first: SegmentPath {
    get { segments[0] }
    set { segments[0] = newValue }
  }

  /// - Parameter route: the first segment's, where it is inferred; later ones alter the file that is there.
  func steps(route: MigrationRoute) -> [MigrationPlan.Step] {
    segments.enumerated().flatMap { index, segment in
      zip(segment.versions, segment.versions.dropFirst()).map { from, to in
        .init(
          from: from.name, to: to.name, isInferred: segment.isInferred, route: index == 0 ? route : .clone,
          isFused: segment.versions.count > 2)
      }
    }
  }
}

extension Diagnostic {
  /// Whether it tells of losses or broken rules, which inferred steps count.
  fileprivate var isCounted: Bool {
    [.droppedData, .numericNarrowing, .orderDropped, .danglingReferenceDropped].contains(code)
      || isOfBrokenRules
  }

  /// Whether rows stand in the way of statements; a loss does so whatever carries them over.
  fileprivate var isObstacle: Bool {
    severity == .error && ![.droppedData, .numericNarrowing, .conversionLoss].contains(code)
      && !isOfBrokenRules
  }
}
