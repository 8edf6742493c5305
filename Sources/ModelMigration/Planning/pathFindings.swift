import ManagedModel
import ModelMapping

/// Findings about the path as a whole: names that come back, a result that depends on the path, and whether Core Data
/// itself could migrate. The steps have their own findings.
///
/// - Parameters:
///   - path: the versions on the way, the store's own first.
///   - mapping: all steps in one.
///   - isAtOnce: whether the way goes past the versions between.
///   - isOpen: whether inference, or custom mappings, serve for every step; else the steps' refusals say enough.
func pathFindings(
  _ model: VersionedModel, path: [ModelVersion], mapping: MappingModel, isAtOnce: Bool,
  isOpen: Bool
) -> [Diagnostic] {
  guard path.count > 1, let source = path.first, let target = path.last else { return [] }
  // A way back undoes what the names on the way there say.
  var found =
    model.leadsBack(path)
    ? []
    : checkNameHistory(model.lineage(of: target).reversed(), of: Set(path.dropFirst().map(\.name)))
  guard isOpen else { return found }
  if mapping.isInferred, !onlyGrows(along: path), let stepwise = composed(path),
    let difference = comparePaths(path, stepwise: stepwise, goesAtOnce: isAtOnce)
  {
    found.append(difference)
  }
  let outcome = predictCoreData(model, from: source, to: target)
  if mapping.isInferred, let warning = outcome.warning(from: source.name, to: target.name) {
    found.append(warning)
  }
  return found
}

/// All steps in one; nil where one of them cannot be inferred.
private func composed(_ path: [ModelVersion]) -> MappingModel? {
  guard path.count > 2 else { return nil }
  var mapping: MappingModel?
  for (from, to) in zip(path, path.dropFirst()) {
    let (step, diagnostics) = inferMappingModel(from: from, to: to)
    if diagnostics.hasErrors { return nil }
    mapping = mapping.map { composeMappingModels($0, step) } ?? step
  }
  return mapping
}
