public import ManagedModel

/// Everything that makes no sense in a model, in the order of the model; each finding with its subject.
///
/// Every check runs over every model, whatever the others found. Findings stop a compile and a migration into the
/// version, nothing else: genuine models break some of the rules.
///
/// - Parameter minimum: remarks are many; where nobody asks for them they are not made.
public func checkModel(
  _ model: ManagedObjectModel, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  findings(in: ModelIndex(model), minimum)
}

/// The findings of a version that was read from text, with their places, in the order of the file.
public func checkModel(
  of version: ModelVersion, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  checkModel(of: version, after: nil, minimum: minimum)
}

/// The findings of several versions, one version after the other.
package func checkModels(
  of versions: [ModelVersion], minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  let checked = concurrentMap(versions) {
    version, before -> (version: ModelVersion, findings: [Diagnostic]) in
    let sound = before.flatMap { $0.findings.isEmpty ? $0.version : nil }
    return (version, checkModel(of: version, after: sound, minimum: minimum))
  }
  return checked.flatMap(\.findings)
}

/// - Parameter sound: a version in which nothing was found: what the other one repeats of it is not looked at again.
func checkModel(
  of version: ModelVersion, after sound: ModelVersion?, minimum: Diagnostic.Severity
) -> [Diagnostic] {
  let repeated = version.repeatedEntities.flatMap { repeated in
    sound.flatMap { repeated.areRepeated(from: $0) ? repeated : nil }
  }
  let index = ModelIndex(version.model, sourceMap: version.sourceMap)
  let found = findings(in: index, minimum, repeated)
  guard !found.isEmpty else { return [] }
  return found.map { finding in
    var located = version.sourceMap.map(finding.located) ?? finding
    located.subject?.version = version.name
    return located
  }.ordered
}

private func findings(
  in index: ModelIndex, _ minimum: Diagnostic.Severity, _ repeated: RepeatedEntities? = nil
) -> [Diagnostic] {
  var findings = FindingList(minimum: minimum)
  for check in modelChecks where !findings.isFull { findings += check(index) }
  let isSettled = repeated.map { settledEntities(index, $0) }
  for place in index.model.entities.indices where !findings.isFull {
    if let isSettled, isSettled[place] { continue }
    let entity = index.model.entities[place]
    check(entity, index, &findings)
    for place in entity.attributes.indices where !findings.isFull {
      let checked = CheckedAttribute(attribute: entity.attributes[place], owner: entity.name)
      check(checked, index, &findings)
    }
    for relationship in entity.relationships where !findings.isFull {
      check(relationship, entity, index, &findings)
    }
  }
  for composite in index.model.composites {
    for element in composite.elements where !findings.isFull {
      let subject = ModelSubject(key: "composites").part(composite.name).part(element.name)
      let checked = CheckedAttribute(attribute: element, owner: composite.name, place: subject)
      check(checked, index, &findings)
    }
  }
  return findings.all.limited.map(\.onOneLine)
}

/// Findings as they come in: errors up to the limit of all that is looked at, others up to one of their own.
private struct FindingList {
  let minimum: Diagnostic.Severity
  private(set) var all: [Diagnostic] = []
  private var errorCount = 0

  init(minimum: Diagnostic.Severity) { self.minimum = minimum }

  /// Whether so much is wrong that looking further is of no use.
  var isFull: Bool { errorCount > ModelLimits.findings }

  static func += (list: inout Self, findings: [Diagnostic]) {
    if !findings.isEmpty { list.add(findings) }
  }

  private mutating func add(_ findings: [Diagnostic]) {
    for finding in findings where finding.severity >= minimum {
      if finding.severity == .error {
        errorCount += 1
      } else if all.count - errorCount >= ModelLimits.remarks {
        continue
      }
      all.append(finding)
    }
  }
}

/// An attribute of an entity or an element of a composite.
struct CheckedAttribute {
  var attribute: AttributeDescription
  /// The entity's or composite's name.
  var owner: String
  /// Where it is an element.
  var place: ModelSubject?

  var subject: ModelSubject { place ?? ModelSubject(entity: owner, property: attribute.name) }

  /// `'Hut.beds'`, for messages.
  var quotedName: String { "'\(owner).\(attribute.name)'" }
}

private let modelChecks: [@Sendable (ModelIndex) -> [Diagnostic]] = [
  checkDuplicateEntities, checkParentCycles, checkSharedTables, checkComposites, checkConfigurations,
  checkConfigurationBorders, checkFetchRequests, checkCascadeCycles, checkLocalization, checkCloudKitProfile,
]

// Calls, not lists of functions: there are hundreds of thousands of them in a large model.

private func check(_ entity: EntityDescription, _ index: ModelIndex, _ findings: inout FindingList) {
  findings += checkNames(entity, index)
  findings += checkReservedNames(entity, index)
  findings += checkParent(entity, index)
  findings += checkDuplicateProperties(entity, index)
  findings += checkUniquenessConstraints(entity, index)
  findings += checkConstraintScope(entity, index)
  findings += checkIndexes(entity, index)
  findings += checkRedundantIndexes(entity, index)
  findings += checkPartialIndexes(entity, index)
  findings += checkExternalStorageUse(entity, index)
  findings += checkRequiredReferences(entity, index)
}

private func check(_ attribute: CheckedAttribute, _ index: ModelIndex, _ findings: inout FindingList) {
  findings += checkAttributeType(attribute, index)
  findings += checkAttributeFlags(attribute, index)
  findings += checkScalar(attribute, index)
  findings += checkTransformer(attribute, index)
  findings += checkDerivedAttribute(attribute, index)
  findings += checkDerivation(attribute, index)
  findings += checkCompositeOptionality(attribute, index)
  findings += checkValidation(attribute, index)
  findings += checkValidationPredicates(attribute, index)
  findings += checkDefaultValue(attribute, index)
  // Nothing but remarks.
  if findings.minimum == .information { findings += checkRequiredValue(attribute, index) }
}

private func check(
  _ relationship: RelationshipDescription, _ entity: EntityDescription, _ index: ModelIndex,
  _ findings: inout FindingList
) {
  findings += checkDestination(relationship, entity, index)
  findings += checkInverse(relationship, entity, index)
  findings += checkOwnInverse(relationship, entity, index)
  findings += checkRequiredPair(relationship, entity, index)
  findings += checkDeleteRule(relationship, entity, index)
  findings += checkDeleteRulePair(relationship, entity, index)
  findings += checkCounts(relationship, entity, index)
}
