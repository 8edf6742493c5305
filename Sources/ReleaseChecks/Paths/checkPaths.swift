public import ManagedModel
import ModelMapping

/// The way of one released version to the current one.
struct ReleasedPath: Sendable {
  /// From the released version to the current one.
  var versions: [ModelVersion]
  var name: String { "\(versions.first?.name ?? "") → \(versions.last?.name ?? "")" }
  var steps: [(from: ModelVersion, to: ModelVersion)] {
    Array(zip(versions, versions.dropFirst())).map { ($0, $1) }
  }
}

/// The path from a released version to the current one, along the versions that follow each other.
///
/// - Returns: nil where none leads there.
func path(from version: ModelVersion, in model: VersionedModel) -> ReleasedPath? {
  guard let current = model.currentVersion else { return nil }
  let names = lineage(of: current, in: model)
  guard let start = names.firstIndex(of: version.name) else { return nil }
  return ReleasedPath(versions: names[...start].reversed().compactMap { model.version(named: $0) })
}

/// What stands against a path, told from the models: step by step, as modelc goes, and in one step, as Core Data does
/// (MC7003, MC3401, MC3402).
///
/// - Parameter isPaved: whether a mapping model leads from one version to another, so that nothing is inferred there.
func checkPath(
  _ path: ReleasedPath, isPaved: (_ from: String, _ to: String) -> Bool
) -> [Diagnostic] {
  guard let first = path.versions.first, let last = path.versions.last, path.versions.count > 1 else {
    return []
  }
  var findings: [Diagnostic] = []
  var composed: MappingModel?
  for step in path.steps {
    let (mapping, found) = inferMappingModel(from: step.from, to: step.to)
    if !isPaved(step.from.name, step.to.name) {
      let errors = found.filter { $0.severity == .error }
      // What the rules on single steps say too is said by them.
      findings += found.filter { $0.code != .oneDefaultForAll }
      if let error = errors.first { findings.append(.brokenPath(path, step, error)) }
    }
    composed = composed.map { composeMappingModels($0, mapping) } ?? mapping
  }
  guard path.versions.count > 2, !findings.hasErrors else { return findings }
  let (_, refused) = inferMappingModel(from: first, to: last)
  if let error = refused.first(where: { $0.severity == .error }) {
    findings.append(.refusedInOneStep(path, error))
  } else if let composed, let difference = comparePaths(path.versions, stepwise: composed) {
    findings.append(last.sourceMap.map { difference.located(by: $0) } ?? difference)
  }
  return findings
}

extension Diagnostic.Code {
  public static let noPathToCurrent = Self("MC7003")
}

extension Diagnostic {
  /// A released version that the current one does not follow.
  static func noPath(_ version: String, to current: String, _ place: SourceRange) -> Self {
    Self(
      .noPathToCurrent, .error, "no path leads from the released '\(version)' to '\(current)'", place: place,
      notes: ["stores of '\(version)' could not be opened any more"],
      help: ["say in versions.yaml what '\(current)' follows, so that '\(version)' is on the way"],
      cocoaCode: 134140)
  }

  fileprivate static func brokenPath(
    _ path: ReleasedPath, _ step: (from: ModelVersion, to: ModelVersion), _ error: Diagnostic
  ) -> Self {
    Self(
      .noPathToCurrent, .error,
      "stores of the released '\(path.versions.first?.name ?? "")' do not get from '\(step.from.name)' to "
        + "'\(step.to.name)'",
      subject: error.subject, place: error.place,
      notes: [Note("\(error.code): \(error.message)", place: nil)],
      help: ["mend that, or write a mapping model from '\(step.from.name)' to '\(step.to.name)'"],
      cocoaCode: 134190)
  }

  fileprivate static func refusedInOneStep(_ path: ReleasedPath, _ error: Diagnostic) -> Self {
    Self(
      .stagedRouteRefused, .warning,
      "modelc migrates \(path.name) version by version; Core Data goes in one step, and refuses",
      subject: error.subject, place: error.place,
      notes: [Note("\(error.code): \(error.message)", place: nil)],
      help: ["list the versions as `stages:`, which Core Data follows since 2023, or add a mapping model"],
      cocoaCode: 134140)
  }
}

extension Diagnostic.Code {
  fileprivate static let stagedRouteRefused = Self("MC3401")
}
