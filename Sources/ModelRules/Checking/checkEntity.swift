import ManagedModel

/// What the checks of an entity and of its properties find.
func checkEntity(at place: Int, _ index: ModelIndex, _ findings: inout FindingList) {
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

// Direct calls instead of lists of functions: a large model makes hundreds of thousands.

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

func check(_ attribute: CheckedAttribute, _ index: ModelIndex, _ findings: inout FindingList) {
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
