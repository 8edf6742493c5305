package import ManagedModel

/// The way from a version back to one before it, as the models and the mapping models say it.
package struct Downgrade: Sendable {
  /// The versions on the way, the later one first.
  package let path: [String]
  /// Whether a mapping model, stated for the downgrade, carries out a part of it.
  package let isMapped: Bool
  /// What the earlier version has no place for, as `Entity` or `Entity.property`.
  package let dropped: [String]
  /// Errors: what inference refuses, or what is wrong in a mapping model; and steps that a mapping model leads through in
  /// one direction only (MC3410).
  package let diagnostics: [Diagnostic]
}

/// The downgrade from one version to another.
///
/// - Returns: nil if the second does not stand before the first.
package func downgrade(
  from source: ModelVersion, to target: ModelVersion, of model: VersionedModel,
  custom: CustomMigrations = CustomMigrations()
) -> Downgrade? {
  guard let path = model.downgrade(fromAnyOf: [source.name], to: target), path.count > 1 else { return nil }
  let segments = path.segments(of: model, custom: custom, rule: .auto, stops: [], isContinuation: false)
  let losses = segments.indices.filter { segments[$0].isInferred }.flatMap { place -> [Diagnostic] in
    let ends = [segments[place].versions.first, segments[place].versions.last].compactMap(\.self)
    return segments[place].inferred.possibleLosses(path: ends).filter {
      segments[..<place].mayHold($0.subject)
    }
  }
  let names = losses.compactMap { $0.subject?.fullName }
  return Downgrade(
    path: (path.prefix(1) + segments.flatMap { $0.versions.dropFirst() }).map(\.name),
    isMapped: !segments.allSatisfy(\.isInferred), dropped: names,
    diagnostics: segments.flatMap { ($0.diagnostics + $0.inferenceErrors).filter { $0.severity == .error } }
      + path.checkReverse(of: model, custom))
}

extension [ModelVersion] {
  /// What a downgrade leaves as it is: a mapping model leads there, and none back (MC3410).
  func checkReverse(of model: VersionedModel, _ custom: CustomMigrations) -> [Diagnostic] {
    func isMapped(_ from: ModelVersion, _ to: ModelVersion) -> Bool {
      !custom.mappingModels(of: model.name, from: from.name, to: to.name).isEmpty
    }
    guard let first, let last, !isMapped(first, last) else { return [] }
    let ends = indices.flatMap { start in indices.dropFirst(start + 1).map { (start, $0) } }
    let lacking = ends.filter { start, end in
      isMapped(self[end], self[start]) && !isMapped(self[start], self[end])
        && !(start..<end).contains { isMapped(self[$0], self[$0 + 1]) }
    }
    // A mapping model that passes all versions was the way there.
    let steps = lacking.contains { $0 == (0, count - 1) } ? [(0, count - 1)] : lacking
    return steps.map { (self[$0], self[$1]) }.map { from, to in
      Diagnostic(
        .downgradeInferred, .warning,
        "the downgrade from '\(from.name)' to '\(to.name)' is inferred, although a mapping model leads from '\(to.name)' to '\(from.name)'",
        subject: ModelSubject(version: to.name),
        notes: ["computed values are not reversed: properties without a counterpart start without values"],
        help: ["define the old properties under `reverse:` in the mapping model"])
    }
  }
}

extension Diagnostic.Code { package static let downgradeInferred = Self("MC3410") }

extension Diagnostic {
  /// The same where the target is an earlier version, which users have and nobody changes any more: other things help.
  ///
  /// - Parameter keeps: whether what is lost can be kept and brought back.
  func inDowngrade(keeps: Bool = true) -> Diagnostic {
    guard !help.isEmpty else { return self }
    var finding = self
    switch code {
    case .droppedData, .numericNarrowing:
      let keeping = "`MigrationOptions.keptLosses` saves what is lost in a file, for a later upgrade"
      finding.help = (keeps ? [keeping] : []) + [AcceptedLoss.help(code)]
    case .missingAttributeValues:
      finding.help = ["define its value under `reverse:` in a mapping model"]
    default: break
    }
    return finding
  }
}
