extension ModelIndex {
  /// What the checks of an entity and of its properties find.
  func checkEntity(at place: Int, _ findings: inout FindingList) {
    let entity = model.entities[place]
    addFindings(about: entity, to: &findings)
    for place in entity.attributes.indices where !findings.isFull {
      let checked = CheckedAttribute(attribute: entity.attributes[place], owner: entity.name)
      addFindings(about: checked, to: &findings)
    }
    for relationship in entity.relationships where !findings.isFull {
      addFindings(about: relationship, of: entity, to: &findings)
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

extension ModelIndex {
  // Direct calls instead of lists of functions: a large model makes hundreds of thousands.

  fileprivate func addFindings(about entity: EntityDescription, to findings: inout FindingList) {
    findings += checkNames(entity)
    findings += checkReservedNames(entity)
    findings += checkParent(entity)
    findings += checkDuplicateProperties(entity)
    findings += checkUniquenessConstraints(entity)
    findings += checkConstraintScope(entity)
    findings += checkIndexes(entity)
    findings += checkRedundantIndexes(entity)
    findings += checkPartialIndexes(entity)
    findings += checkExternalStorageUse(entity)
    findings += checkRequiredReferences(entity)
  }

  func addFindings(about attribute: CheckedAttribute, to findings: inout FindingList) {
    findings += checkAttributeType(attribute)
    findings += checkAttributeFlags(attribute)
    findings += checkScalar(attribute)
    findings += checkTransformer(attribute)
    findings += checkDerivedAttribute(attribute)
    findings += checkDerivation(attribute, self)
    findings += checkCompositeOptionality(attribute)
    findings += checkValidation(attribute)
    findings += checkValidationPredicates(attribute)
    findings += checkDefaultValue(attribute)
    // Nothing but remarks.
    if findings.minimum == .information { findings += checkRequiredValue(attribute) }
  }

  fileprivate func addFindings(
    about relationship: RelationshipDescription, of entity: EntityDescription,
    to findings: inout FindingList
  ) {
    findings += checkDestination(relationship, entity)
    findings += checkInverse(relationship, entity)
    findings += checkOwnInverse(relationship, entity)
    findings += checkRequiredPair(relationship, entity)
    findings += checkDeleteRule(relationship, entity)
    findings += checkDeleteRulePair(relationship, entity)
    findings += checkCounts(relationship, entity)
  }
}
