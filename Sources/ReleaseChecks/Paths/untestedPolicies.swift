import ManagedModel
import ModelMigration

extension [CheckStep] {
  /// Removes findings that only guess about policies, and reports once that the policies were not tried.
  ///
  /// Policies are Swift. A modelc that was built without any cannot run them, which is not a fault of a change and does not
  /// stop it; `modelc` itself has only the sample's. Where modelc has policies, an unknown name stays an error. The models
  /// do not say what a policy does to its entity's values, so findings about those values are removed.
  func withoutGuesses(of subject: CheckedModel) -> [CheckStep] {
    let written = subject.mappings.custom.mappingModels[subject.model.name] ?? []
    let names = Set(written.flatMap(\.entityMappings).compactMap(\.policyName))
    guard !names.isEmpty else { return self }
    // The entities of versions into which a policy migrates.
    let mapped = Set(
      written.flatMap { mappingModel in
        mappingModel.entityMappings.filter { $0.policyName != nil }.map {
          ModelSubject(
            version: mappingModel.destinationVersionName,
            entity: $0.destinationEntityName ?? $0.sourceEntityName)
        }
      })
    let policies = subject.mappings.custom.policies
    let hasAny = names.contains { policies.policy(named: $0) != nil }
    let hasNoPolicies = policies.names.isEmpty || (policies.areOfSample && !hasAny)
    // Values that are missing, types that do not fit: a policy may set them all.
    let guesses: [Diagnostic.Code] = [
      .missingRelationshipValues, .incompatibleAttributeTypes, .toManyBecomesToOne, .mappedTypes,
    ]
    var notCheckedByPreflight: [Diagnostic] = []
    var kept = map { step in
      step.mapFindings { finding in
        if hasNoPolicies, finding.code == .unknownPolicy {
          notCheckedByPreflight.append(finding)
          return nil
        }
        let part = ModelSubject(version: finding.subject?.version, entity: finding.subject?.entity)
        return guesses.contains(finding.code) && mapped.contains(part) ? nil : finding
      }
    }
    if let first = notCheckedByPreflight.first {
      // Whatever names policies is a mapping model, which has a step of its own.
      let place = kept.firstIndex { $0.kind == .mapping } ?? kept.startIndex
      if kept.indices.contains(place) {
        let unported = policies.unportedNames.count
        let list = names.sorted().prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
        kept[place].findings.append(
          .unknownPolicy, .warning,
          "\(counted(names.count, "policy", plural: "policies")) \(names.count == 1 ? "was" : "were") not tried: \(list)",
          place: first.place,
          notes: [
            unported > 0
              ? "\(counted(unported, "stub is", plural: "stubs are")) not ported; what they do to users' data is not checked"
              : "this modelc was built without them; what they do to users' data is not checked"
          ],
          help: [
            unported > 0
              ? "put the app's code into each stub, and replace 'UnportedPolicy' with 'EntityMigrationPolicy'"
              : "`modelc init --policies` writes a package that builds your own modelc, with a stub for each"
          ])
      }
    }
    return kept
  }
}
