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
  let found = findings(in: ModelIndex(version.model, sourceMap: version.sourceMap), minimum)
  guard !found.isEmpty else { return [] }
  return found.map { finding in
    var located = version.sourceMap.map(finding.located) ?? finding
    located.subject?.version = version.name
    return located
  }.ordered
}

private func findings(in index: ModelIndex, _ minimum: Diagnostic.Severity) -> [Diagnostic] {
  var findings = FindingList(minimum: minimum)
  let attributeChecks = attributeChecks + (minimum == .information ? attributeRemarks : [])
  for check in modelChecks where !findings.isFull { findings += check(index) }
  for entity in index.model.entities where !findings.isFull {
    for check in entityChecks { findings += check(entity, index) }
    for place in entity.attributes.indices where !findings.isFull {
      let checked = CheckedAttribute(attribute: entity.attributes[place], owner: entity.name)
      for check in attributeChecks { findings += check(checked, index) }
    }
    for relationship in entity.relationships where !findings.isFull {
      for check in relationshipChecks { findings += check(relationship, entity, index) }
    }
  }
  for composite in index.model.composites {
    for element in composite.elements where !findings.isFull {
      let subject = ModelSubject(key: "composites").part(composite.name).part(element.name)
      let checked = CheckedAttribute(attribute: element, owner: composite.name, place: subject)
      for check in attributeChecks { findings += check(checked, index) }
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
    for finding in findings where finding.severity >= list.minimum {
      if finding.severity == .error {
        list.errorCount += 1
      } else if list.all.count - list.errorCount >= ModelLimits.remarks {
        continue
      }
      list.all.append(finding)
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

private let entityChecks: [@Sendable (EntityDescription, ModelIndex) -> [Diagnostic]] = [
  checkNames, checkReservedNames, checkParent, checkDuplicateProperties, checkUniquenessConstraints,
  checkConstraintScope, checkIndexes, checkRedundantIndexes, checkPartialIndexes, checkExternalStorageUse,
  checkRequiredReferences,
]

private let attributeChecks: [@Sendable (CheckedAttribute, ModelIndex) -> [Diagnostic]] = [
  checkAttributeType, checkAttributeFlags, checkScalar, checkTransformer, checkDerivedAttribute,
  checkDerivation,
  checkCompositeOptionality, checkValidation, checkValidationPredicates, checkDefaultValue,
]

/// Checks that only remark on something.
private let attributeRemarks: [@Sendable (CheckedAttribute, ModelIndex) -> [Diagnostic]] = [
  checkRequiredValue
]

private let relationshipChecks:
  [@Sendable (RelationshipDescription, EntityDescription, ModelIndex) -> [Diagnostic]] = [
    checkDestination, checkInverse, checkOwnInverse, checkRequiredPair, checkDeleteRule, checkDeleteRulePair,
    checkCounts,
  ]
