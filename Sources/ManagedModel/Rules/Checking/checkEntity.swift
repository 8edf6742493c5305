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
      addFindings(about: CheckedRelationship(relationship: relationship, owner: entity.name), to: &findings)
    }
  }

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

  fileprivate func addFindings(about relationship: CheckedRelationship, to findings: inout FindingList) {
    findings += checkDestination(relationship)
    findings += checkInverse(relationship)
    findings += checkOwnInverse(relationship)
    findings += checkRequiredPair(relationship)
    findings += checkDeleteRule(relationship)
    findings += checkDeleteRulePair(relationship)
    findings += checkCounts(relationship)
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

/// A relationship of the entity that declares it.
struct CheckedRelationship {
  var relationship: RelationshipDescription
  var owner: String

  var subject: ModelSubject { ModelSubject(entity: owner, property: relationship.name) }
  /// What says where it leads.
  var destinationSubject: ModelSubject { subject.part(relationship.isToMany ? "toMany" : "to") }
  var quotedName: String { "'\(owner).\(relationship.name)'" }
}
