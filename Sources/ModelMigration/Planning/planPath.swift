import ManagedModel

/// What a migration from one version to another would do to any store, as far as the models alone say it.
package struct PathPlan: Sendable {
  package let modelName: String
  /// The versions on the way, that of the stores first.
  package let path: [String]
  /// All steps in one.
  package let mappingModel: MappingModel
  package let changes: [ModelChange]
  /// An error blocks every store; a warning says which stores it blocks, or what they would lose.
  package let diagnostics: [Diagnostic]

  package var from: String { path.first ?? "" }
  package var to: String { path.last ?? "" }
  package var isBlocked: Bool { diagnostics.hasErrors }
}

/// Plans the path from one version to another without a store.
///
/// - Parameters:
///   - source: the version's name; with its model before it where several models have one of that name (`Trails/V2`).
///   - target: a version of the same model; nil for its current one.
///   - mappingFile: see ``CustomMigrations``.
/// - Throws: ``UnknownVersionError``, and ``DiagnosticsError`` with MC3404 where no way leads there or back.
package func planPath(
  from source: String, to target: String? = nil, models: [VersionedModel],
  mappingFile: (@Sendable ([CustomMappingModel]) -> String)? = nil
) throws -> PathPlan {
  let candidates = models.filter { $0.askedVersion(source) != nil }
  guard !candidates.isEmpty else { throw UnknownVersionError(name: source, models: models) }
  guard
    let model = candidates.first(where: { model in target.map { model.askedVersion($0) != nil } ?? true }),
    let start = model.askedVersion(source),
    let end = target.map({ model.askedVersion($0) }) ?? model.currentVersion
  else { throw UnknownVersionError(name: target ?? "", models: candidates) }
  let passed = try migrationPath(in: model, from: [start.name], to: end)
  let isDirect = canMigrateDirectly(passed, of: model)
  let path = isDirect ? [start, end] : passed
  var diagnostics: [Diagnostic] = []
  var mapping: MappingModel?
  for (from, to) in zip(path, path.dropFirst()) {
    let (step, found) = inferMappingModel(from: from, to: to)
    diagnostics += found
    mapping = mapping.map { $0.composed(with: step) } ?? step
    diagnostics += step.conditions(from: from, to: to)
  }
  let composed = mapping ?? MappingModel(entityMappings: [], isInferred: true)
  diagnostics += model.pathFindings(
    path: passed, mapping: composed, isDirect: isDirect, isOpen: !diagnostics.hasErrors)
  diagnostics += composed.possibleLosses(path: passed)
  if model.leadsBack(passed) { diagnostics = diagnostics.map { $0.inDowngrade() } }
  var custom = CustomMigrations()
  custom.mappingFile = mappingFile
  let proposed = (diagnostics.map { located($0, path: path) }).proposingMappings(
    path: path, modelName: model.name, by: custom)
  return PathPlan(
    modelName: model.name, path: path.map(\.name), mappingModel: composed,
    changes: path.first.map { compareModels(from: $0, to: end) } ?? [],
    diagnostics: proposed.ordered)
}
