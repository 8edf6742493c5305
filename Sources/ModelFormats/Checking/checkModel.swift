public import ManagedModel

/// Everything that makes no sense in a model, in the order of the model; each finding with its subject.
///
/// Every check runs over every model, whatever the others found. Findings stop a compile and a migration into the
/// version, nothing else: genuine models break some of the rules.
public func checkModel(_ model: ManagedObjectModel) -> [Diagnostic] {
  let index = ModelIndex(model)
  var findings: [Diagnostic] = []
  for check in modelChecks { findings += check(index) }
  for entity in model.entities {
    for check in entityChecks { findings += check(entity, index) }
    for attribute in entity.attributes {
      let checked = CheckedAttribute(
        attribute: attribute, owner: entity.name,
        subject: ModelSubject(entity: entity.name, property: attribute.name))
      for check in attributeChecks { findings += check(checked, index) }
    }
    for relationship in entity.relationships {
      for check in relationshipChecks { findings += check(relationship, entity, index) }
    }
  }
  for composite in model.composites {
    for element in composite.elements {
      let subject = ModelSubject(key: "composites.\(composite.name).\(element.name)")
      let checked = CheckedAttribute(attribute: element, owner: composite.name, subject: subject)
      for check in attributeChecks { findings += check(checked, index) }
    }
  }
  return findings.map(\.onOneLine)
}

/// The findings of a version that was read from text, with their places, in the order of the file.
public func checkModel(of version: ModelVersion) -> [Diagnostic] {
  checkModel(version.model).map { finding in
    var located = version.sourceMap.map(finding.located) ?? finding
    located.subject?.version = version.name
    return located
  }.ordered
}

/// An attribute of an entity or an element of a composite.
struct CheckedAttribute {
  var attribute: AttributeDescription
  /// The entity's or composite's name.
  var owner: String
  var subject: ModelSubject

  /// `'Hut.beds'`, for messages.
  var quotedName: String { "'\(owner).\(attribute.name)'" }
}

private let modelChecks: [@Sendable (ModelIndex) -> [Diagnostic]] = [
  checkDuplicateEntities, checkParentCycles, checkComposites, checkConfigurations, checkFetchRequests,
]

private let entityChecks: [@Sendable (EntityDescription, ModelIndex) -> [Diagnostic]] = [
  checkNames, checkReservedNames, checkParent, checkDuplicateProperties, checkUniquenessConstraints,
  checkIndexes, checkRequiredReferences,
]

private let attributeChecks: [@Sendable (CheckedAttribute, ModelIndex) -> [Diagnostic]] = [
  checkAttributeType, checkAttributeFlags, checkDerivedAttribute, checkValidation, checkDefaultValue,
]

private let relationshipChecks:
  [@Sendable (RelationshipDescription, EntityDescription, ModelIndex) -> [Diagnostic]] = [
    checkDestination, checkInverse, checkDeleteRule, checkCounts,
  ]
