import CustomMigration
import Expressions
import ManagedModel
import ModelMapping
import ModelMigration

/// Takes out of findings what is guessed about policies, and says once that they were not tried.
///
/// Policies are Swift, and a modelc that was built without any has none to run: that is nothing that a change brought,
/// and no reason to stop it; `modelc` itself has the sample's alone. Where the modelc has policies, a name that is not
/// among them stays a mistake. What a policy does to its entity's values is not told by the models, so nothing is said
/// against those.
func withoutGuesses(_ steps: [CheckStep], of subject: CheckedModel) -> [CheckStep] {
  let mapped = policyEntities(of: subject)
  guard !mapped.isEmpty else { return steps }
  let policies = subject.mappings.custom.policies
  let hasAny = policyNames(of: subject).contains { policies.policy(named: $0) != nil }
  let isUnequipped = policies.names.isEmpty || (policies.areOfSample && !hasAny)
  var untried: [Diagnostic] = []
  var kept = steps.map { step in
    var step = step
    step.findings.removeAll { finding in
      if isUnequipped, finding.code == .unknownPolicy {
        untried.append(finding)
        return true
      }
      return finding.isGuessAboutPolicies && mapped.contains(PolicyEntity(finding.subject))
    }
    return step
  }
  if let first = untried.first {
    let names = Set(policyNames(of: subject))
    // Whatever names policies is a mapping model, which has a step of its own.
    let place = kept.firstIndex { $0.kind == .mapping } ?? kept.startIndex
    if kept.indices.contains(place) {
      kept[place].findings.append(.notTried(names.sorted(), at: first.place))
    }
  }
  return kept
}

/// An entity of a version into which a policy migrates.
private struct PolicyEntity: Hashable {
  var version: String?
  var entity: String?

  init(_ subject: ModelSubject?) { (version, entity) = (subject?.version, subject?.entity) }
  init(version: String, entity: String?) { (self.version, self.entity) = (version, entity) }
}

private func policyEntities(of subject: CheckedModel) -> Set<PolicyEntity> {
  var found: Set<PolicyEntity> = []
  for written in subject.mappings.custom.mappingModels[subject.model.name] ?? [] {
    for mapping in written.entityMappings where mapping.policyName != nil {
      let entity = mapping.destinationEntityName ?? mapping.sourceEntityName
      found.insert(PolicyEntity(version: written.destinationVersionName, entity: entity))
    }
  }
  return found
}

private func policyNames(of subject: CheckedModel) -> [String] {
  (subject.mappings.custom.mappingModels[subject.model.name] ?? []).flatMap(\.entityMappings)
    .compactMap(\.policyName)
}

extension Diagnostic {
  /// Values that are missing, types that do not fit: a policy may set them all.
  fileprivate var isGuessAboutPolicies: Bool {
    [.missingRelationshipValues, .incompatibleAttributeTypes, .toManyBecomesToOne, .mappedTypes].contains(
      code)
  }

  fileprivate static func notTried(_ names: [String], at place: SourceRange?) -> Self {
    let list = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    return Self(
      .unknownPolicy, .warning,
      "\(counted(names.count, "policy", "policies")) \(names.count == 1 ? "was" : "were") not tried: \(list)",
      place: place,
      notes: ["this modelc was built without them; what they do to users' data is not checked"],
      help: [
        "check with a modelc of your own that has them: `modelc init --modelc project-modelc` writes one"
      ])
  }
}

private func counted(_ count: Int, _ noun: String, _ plural: String) -> String {
  "\(count) \(count == 1 ? noun : plural)"
}
