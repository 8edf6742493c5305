package import ManagedModel
import ModelFormats
package import ModelMapping

/// Puts beside every refusal of a step the mapping model that would do it, as a file to paste.
///
/// - Parameters:
///   - path: the versions on the way; a finding belongs to the step into the version that it names.
///   - modelName: tells the folder under `Migrations/`.
package func proposingMappings(
  _ findings: [Diagnostic], path: [ModelVersion], modelName: String
) -> [Diagnostic] {
  findings.map { finding in
    guard finding.severity == .error,
      let step = zip(path, path.dropFirst()).first(where: { $1.name == finding.subject?.version })
    else { return finding }
    let stated = finding.code == .mappingWanted
    guard
      let mapping = stated
        ? CustomMappingModel(sourceVersionName: step.0.name, destinationVersionName: step.1.name)
        : suggestMapping(for: [finding], from: step.0, to: step.1)
    else { return finding }
    var proposed = finding
    let file = "Migrations/\(modelName)/\(mapping.fileName)"
    proposed.proposal = Diagnostic.Proposal(
      stated ? "if inference does it right, say so in '\(file)':" : "or map it, in '\(file)':",
      text: writeMappingFile([mapping]))
    return proposed
  }
}

extension CustomMappingModel {
  /// `V2-V3.yaml`.
  package var fileName: String { "\(sourceVersionName)-\(destinationVersionName).yaml" }
}
