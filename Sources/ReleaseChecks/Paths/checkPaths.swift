package import ManagedModel
import ModelMigration

extension [ModelVersion] {
  /// What stops a path, judged by the models: step by step, as modelc goes, and in one step, as Core Data does (MC3401,
  /// MC3402).
  func check(of model: VersionedModel, _ mappings: ProjectMappings, _ inferred: InferredSteps) -> [Diagnostic]
  {
    guard let first, let last, count > 1 else { return [] }
    // A mapping model for the whole way is taken before any for a part of it.
    if mappings.covers(first.name, last.name, in: model) { return [] }
    var findings: [Diagnostic] = []
    var isInferable = true
    var paved: (from: ModelVersion, to: ModelVersion)?
    for (from, to) in zip(self, dropFirst()) {
      if mappings.covers(from.name, to.name, in: model) {
        // Errors of the mapping model itself are reported with it.
        paved = (from, to)
        continue
      }
      let found = inferred.step(from: from, to: to).diagnostics
      // The rules on single steps report these already.
      findings += found.filter { $0.code != .oneDefaultForAll }
    }
    // One inferred step brings stores to the current version, as in Core Data: none goes through the step that cannot be
    // inferred.
    if findings.hasErrors, paved == nil, !model.isStepwise, model.stages.isEmpty,
      allSatisfy(\.allowsInference), !inferred.step(from: first, to: last).diagnostics.hasErrors
    {
      (findings, isInferable) = ([], false)
    }
    guard !findings.hasErrors else { return findings }
    let outcome = model.predictCoreData(from: first, to: last) { mappings.covers($0, $1, in: model) }
    // The list of versions tells of all that no stage names, once.
    let isUnlisted = if case .unknownVersion = outcome { true } else { false }
    var found = isUnlisted ? nil : outcome.warning(from: first.name, to: last.name)
    if found == nil {
      if paved == nil, isInferable, count > 2, !inferred.onlyAdds(along: self) {
        // Custom stages are steps of their own: SwiftData goes in one step before and after them, modelc version by version.
        let parts = zip(self, dropFirst()).reduce(into: [[first]]) { cut, step in
          if model.customStage(from: step.0, to: step.1) != nil { cut.append([]) }
          cut[cut.count - 1].append(step.1)
        }
        let isDirect = !model.isStepwise && (model.isSwiftData || parts.count == 1)
        for part in parts where found == nil {
          found = inferred.composed(along: part[...])
            .flatMap { part.comparePaths(stepwise: $0, canMigrateDirectly: isDirect) }
        }
      }
      // What is lost comes before what is not computed.
      if found?.severity != .error, let skipped = skippedMapping(of: model, mappings.custom) {
        found = skipped
      } else if found == nil, let paved, model.stages.isEmpty {
        let name = "\(first.name) → \(last.name)"
        found = Diagnostic(
          .pathsDiffer, .warning,
          "Core Data would infer \(name) in one step, without the mapping model of "
            + "'\(paved.from.name)' → '\(paved.to.name)'",
          subject: ModelSubject(version: last.name),
          notes: ["modelc goes step by step, so that every store of a version becomes the same"],
          help: ["if the app lets Core Data migrate: write a mapping model for \(name) too"])
      }
    }
    let end = self.last { $0.name == found?.subject?.version } ?? last
    if let found { findings.append(end.sourceMap.map { found.located(by: $0) } ?? found) }
    return findings
  }
}

extension VersionedModel {
  /// The path from a released version to the current one, along the versions that follow each other.
  ///
  /// - Returns: nil if none leads there.
  func pathToCurrent(from version: ModelVersion) -> [ModelVersion]? {
    guard let current = currentVersion else { return nil }
    // Where the order is a guess, every version may have been there before the current one.
    return path(fromAnyOf: [version.name], to: current) ?? (isOrderGuessed ? [version, current] : nil)
  }
}

extension Diagnostic.Code {
  package static let noPathToCurrent = Self("MC7003", level: .path)
}

extension Diagnostic {
  /// A version that users may have, and that the current one does not follow.
  static func noPath(_ version: String, to current: String, _ place: SourceRange) -> Self {
    Self(
      .noPathToCurrent, .error, "there is no migration path from '\(version)' to '\(current)'", place: place,
      notes: ["stores of '\(version)' could no longer be opened"],
      help: [
        "say in the list of versions (`from:`) what '\(current)' follows, so that '\(version)' is on the path"
      ],
      cocoaCode: 134140)
  }
}
