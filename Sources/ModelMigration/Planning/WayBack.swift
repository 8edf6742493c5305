package import ManagedModel
import ModelMapping

/// The way from a version back to one before it, as the models and the mapping models say it.
package struct WayBack: Sendable {
  /// The versions on the way, the later one first.
  package let path: [String]
  /// Whether a mapping model, stated for the way back, carries out a part of it.
  package let isMapped: Bool
  /// What the earlier version has no place for, as `Entity` or `Entity.property`.
  package let dropped: [String]
  /// Errors: what inference refuses, or what is wrong in a mapping model; and steps that a mapping model leads through in
  /// one direction only (MC3410).
  package let diagnostics: [Diagnostic]
}

/// The way back from one version to another.
///
/// - Returns: nil where the second does not stand before the first.
package func wayBack(
  from source: ModelVersion, to target: ModelVersion, of model: VersionedModel,
  custom: CustomMigrations = CustomMigrations()
) -> WayBack? {
  guard let path = model.wayBack(fromAnyOf: [source.name], to: target), path.count > 1 else { return nil }
  let segments = cutSegments(
    path, of: model, custom: custom, rule: .auto, stops: [], isBegun: false)
  let losses = segments.filter { $0.custom == nil && $0.stated == nil }.flatMap {
    findPossibleLosses($0.inferred, path: [$0.versions.first, $0.versions.last].compactMap(\.self))
  }
  let names = losses.compactMap(\.subject).map { subject in
    [subject.entity, subject.property].compactMap(\.self).joined(separator: ".")
  }
  return WayBack(
    path: segments.first.map { first in
      first.versions.map(\.name) + segments.dropFirst().flatMap { $0.versions.dropFirst().map(\.name) }
    } ?? path.map(\.name),
    isMapped: segments.contains { $0.custom != nil || $0.stated != nil }, dropped: names,
    diagnostics: segments.flatMap { ($0.diagnostics + $0.inferenceErrors).filter { $0.severity == .error } }
      + checkReverse(path, of: model, custom))
}

/// What a way back leaves as it is: a mapping model leads there, and none back (MC3410).
///
/// - Parameter path: the versions, the later one first.
func checkReverse(
  _ path: [ModelVersion], of model: VersionedModel, _ custom: CustomMigrations
) -> [Diagnostic] {
  func isMapped(_ from: ModelVersion?, _ to: ModelVersion?) -> Bool {
    guard let from, let to else { return false }
    return !custom.mappingModels(of: model.name, from: from.name, to: to.name).isEmpty
  }
  if isMapped(path.first, path.last) { return [] }
  return zip(path, path.dropFirst()).filter { isMapped($1, $0) && !isMapped($0, $1) }
    .map { .wayBackIsInferred(from: $0.name, to: $1.name) }
}

extension Diagnostic.Code {
  package static let wayBackInferred = Self("MC3410")
}

extension Diagnostic {
  fileprivate static func wayBackIsInferred(from: String, to: String) -> Self {
    Self(
      .wayBackInferred, .warning,
      "the way from '\(from)' back to '\(to)' is inferred, though a mapping model leads from '\(to)' to '\(from)'",
      subject: ModelSubject(version: to),
      notes: ["what the mapping model computes is not undone: properties without a counterpart begin anew"],
      help: ["say under `reverse:` in the mapping model what the old properties are made of"])
  }

  /// The same where the target is an earlier version, which users have and nobody changes any more: other things help.
  var onWayBack: Diagnostic {
    guard !help.isEmpty else { return self }
    var finding = self
    switch code {
    case .droppedData, .numericNarrowing:
      finding.help = [
        "`--keep-lost FILE` keeps in a file what goes, for the way forward; `--allow-loss \(code)` lets it go"
      ]
    case .missingAttributeValues:
      finding.help = ["say under `reverse:` in a mapping model what its value is made of"]
    default: break
    }
    return finding
  }
}
