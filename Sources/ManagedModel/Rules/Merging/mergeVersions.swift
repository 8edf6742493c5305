/// Versions of several models as one, named by all of them: `V1+L2`.
///
/// - Parameter parts: at least one, each with its model's name.
/// - Returns: nil if absent; findings where two say different things under one name.
package func mergeVersions(
  _ parts: [(modelName: String, version: ModelVersion)]
) -> (version: ModelVersion, diagnostics: [Diagnostic])? {
  guard var merged = parts.first?.version else { return nil }
  var diagnostics: [Diagnostic] = []
  for part in parts.dropFirst() {
    let (next, found) = merged.merged(with: part.version, of: part.modelName)
    merged = next
    diagnostics += found
  }
  merged.name = parts.map(\.version.name).joined(separator: "+")
  merged.predecessorNames = []
  if parts.contains(where: { $0.version.origin == .xcode }) { merged.origin = .xcode }
  return (merged, diagnostics)
}

extension ModelVersion {
  /// This version with the parts of another model's, as Core Data merges models that are opened as one.
  ///
  /// - Parameter modelName: how findings call the other model.
  package func merged(with other: ModelVersion, of modelName: String) -> (ModelVersion, [Diagnostic]) {
    var merger = ModelMerger(model: model, map: sourceMap)
    merger.merge(other.model, map: other.sourceMap, modelName: modelName)
    // Those that Core Data wrote down go before ours, as in the bundle that they come from.
    let recorded = (recordedHashes ?? [:]).merging(other.recordedHashes ?? [:]) { own, _ in own }
    var merged = ModelVersion(
      name: name, model: merger.model, predecessorNames: predecessorNames, origin: origin,
      sourceMap: SourceMap(merging: [sourceMap, other.sourceMap].compactMap(\.self)),
      recordedHashes: recorded.isEmpty
        ? nil : merger.model.entityVersionHashesByName.merging(recorded) { $1 })
    merged.allowsInference = allowsInference
    return (merged, merger.diagnostics.map { finding in finding.with { $0.subject?.version = name } })
  }
}
