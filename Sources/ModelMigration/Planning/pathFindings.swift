package import ManagedModel
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

extension PathPlanner {
  /// What stands against keeping what is lost, or bringing it back.
  ///
  /// - Parameter isInferred: whether no mapping model makes objects anew, so that their keys tell which is which.
  func keptLossFindings(isInferred: Bool) -> [Diagnostic] {
    let options = request.options
    var found: [Diagnostic] = []
    if options.keptLosses != nil, !goesBack {
      found.append(.keepsNothing("the way goes forward, and '\(request.store)' stays as its backup"))
    } else if options.keptLosses != nil, !isInferred {
      found.append(.keepsNothing("a mapping model makes the objects anew, so that no key leads back to them"))
    }
    if let kept = options.restoredLosses, !isInferred {
      found.append(
        .restoresNothing(kept, "a mapping model makes the objects anew, so that no key leads to them"))
    } else if let kept = options.restoredLosses, goesBack || path.count < 2 {
      found.append(
        .restoresNothing(kept, "that belongs to the way forward, to the version that it was kept at"))
    }
    return found
  }
}

extension Diagnostic.Code {
  package static let keptLosses = Self("MC6510")
}

extension Diagnostic {
  static func keepsNothing(_ reason: String) -> Self {
    Self(.keptLosses, .error, "`--keep-lost` keeps nothing here: \(reason)", help: ["leave it out"])
  }

  static func restoresNothing(_ file: String, _ reason: String) -> Self {
    Self(
      .keptLosses, .error, "nothing can be restored from '\(file)': \(reason)",
      notes: ["the store is as it was"],
      help: ["`modelc diff` compares the store with it, `modelc export` writes what it holds"])
  }
}
