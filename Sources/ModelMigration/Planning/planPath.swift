import ManagedModel

/// What a migration from one version to another would do to any store, as far as the models alone say it.
package struct PathPlan: Sendable {
  package let modelName: String
  /// The versions on the way, that of the stores first.
  package let path: [String]
  /// All steps in one.
  package let mappingModel: MappingModel
  /// What is carried out one after the other: inferred steps as one, each mapped step by itself.
  package let segments: [(versions: [ModelVersion], mappingModel: MappingModel, isInferred: Bool)]
  package let changes: [ModelChange]
  /// Custom stages on the way whose handlers are not looked at.
  package let stages: [CustomMigrationStage]
  /// An error blocks every store; a warning says which stores it blocks, or what they would lose.
  package let diagnostics: [Diagnostic]

  package var from: String { path.first ?? "" }
  package var to: String { path.last ?? "" }
  package var target: ModelVersion? { segments.last?.versions.last }
  package var isBlocked: Bool { diagnostics.hasErrors }
}

/// Plans the path from one version to another without a store.
///
/// - Parameters:
///   - source: the version's name; with its model before it where several models have one of that name (`Trails/V2`).
///   - target: a version of the same model; nil for its current one.
///   - chain: whether it goes past versions, as the options of a migration say.
/// - Throws: ``UnknownVersionError``, and ``DiagnosticsError`` with MC3404 where no way leads there or back.
package func planPath(
  from source: String, to target: String? = nil, models: [VersionedModel],
  custom: CustomMigrations = CustomMigrations(), chain: ChainRule = .auto
) throws -> PathPlan {
  let candidates = models.filter { $0.askedVersion(source) != nil }
  guard !candidates.isEmpty else { throw UnknownVersionError(name: source, models: models) }
  guard
    let model = candidates.first(where: { model in target.map { model.askedVersion($0) != nil } ?? true }),
    let start = model.askedVersion(source),
    let end = target.map({ model.askedVersion($0) }) ?? model.currentVersion
  else { throw UnknownVersionError(name: target ?? "", models: candidates) }
  let passed = try migrationPath(in: model, from: [start.name], to: end)
  let segments = passed.segments(of: model, custom: custom, rule: chain, stops: [], isContinuation: false)
  let path = [start] + segments.flatMap { $0.versions.dropFirst() }
  var diagnostics = segments.flatMap(\.pathFindings)
  var composed = MappingModel(entityMappings: [], isInferred: true)
  for (place, segment) in segments.enumerated() {
    composed = place == 0 ? segment.mappingModel : composed.composed(with: segment.mappingModel)
  }
  if segments.allSatisfy(\.isInferred) {
    diagnostics += model.pathFindings(
      path: passed, mapping: composed, isDirect: segments.count == 1 && path.count == 2,
      isOpen: !diagnostics.hasErrors)
    diagnostics += composed.possibleLosses(path: passed)
  } else {
    let isComputed =
      !model.handledStages(along: passed).isEmpty
      || !custom.pendingSteps(of: model.name, along: passed, done: []).isEmpty
    for (place, segment) in segments.enumerated() {
      let losses =
        segment.isInferred
        ? segment.inferred.possibleLosses(path: segment.versions) : segment.lossesAsLaterStep(accepted: [])
      diagnostics += losses.filter { isComputed || segments[..<place].mayHold($0.subject) }
    }
  }
  diagnostics += [passed.skippedMapping(of: model, custom)].compactMap(\.self)
  if model.isDowngradePath(passed) { diagnostics = diagnostics.map { $0.inDowngrade() } }
  let proposed = (diagnostics.map { located($0, path: path) }).proposingMappings(
    path: path, modelName: model.name, by: custom)
  return PathPlan(
    modelName: model.name, path: path.map(\.name), mappingModel: composed,
    segments: segments.map { ($0.versions, $0.mappingModel, $0.isInferred) },
    changes: path.first.map { compareModels(from: $0, to: end) } ?? [],
    stages: model.handledStages(along: passed), diagnostics: proposed.ordered)
}

extension SegmentPath {
  /// What the models alone say of it, for any store.
  fileprivate var pathFindings: [Diagnostic] {
    if !isInferred { return diagnostics }
    return zip(versions, versions.dropFirst()).flatMap { from, to in
      let (step, found) = inferMappingModel(from: from, to: to)
      return found + step.conditions(from: from, to: to)
    }
  }
}
