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

/// What one file would state to do all that is refused of a step, or what inference does of it, in full.
package func mappingFile(
  of step: (from: ModelVersion, to: ModelVersion), findings: [Diagnostic]
) -> CustomMappingModel {
  let (inferred, own) = inferMappingModel(from: step.from, to: step.to)
  let refusals = (findings + own).filter { $0.severity == .error && $0.subject?.version == step.to.name }
  var file = inferred.stated(from: step.from, to: step.to)
  guard let suggestion = suggestMapping(for: refusals, from: step.from, to: step.to) else { return file }
  // What is suggested replaces what inference would have made of the same two entities.
  for mapping in suggestion.entityMappings {
    let place = file.entityMappings.firstIndex {
      $0.sourceEntityName == mapping.sourceEntityName
        && $0.destinationEntityName == mapping.destinationEntityName
    }
    if let place {
      file.entityMappings[place].overwrite(with: mapping)
    } else {
      file.entityMappings.append(mapping)
    }
  }
  return file
}

extension CustomMappingModel {
  /// `V2-V3.yaml`.
  package var fileName: String { "\(sourceVersionName)-\(destinationVersionName).yaml" }
}

extension CustomEntityMapping {
  fileprivate mutating func overwrite(with other: CustomEntityMapping) {
    filter = other.filter ?? filter
    policyName = other.policyName ?? policyName
    if other.policyName != nil { mappingType = nil }
    for property in other.attributeMappings {
      attributeMappings.removeAll { $0.name == property.name }
      attributeMappings.append(property)
    }
    for property in other.relationshipMappings {
      relationshipMappings.removeAll { $0.name == property.name }
      relationshipMappings.append(property)
    }
  }
}
