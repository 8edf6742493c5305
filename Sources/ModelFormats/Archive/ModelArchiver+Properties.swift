import ManagedModel

/// `_P`, the packed facts of a property, as genuine archives show them: 2 optional, 4 read-only, 8 transient,
/// 16 and 32 no validation, 64 no user info, 128 no hash modifier, 1024 ordered; 1 always.
private func packedFacts(
  optional: Bool, readOnly: Bool = false, transient: Bool, validated: Bool = false, userInfo: Bool,
  modifier: Bool, ordered: Bool = false
) -> PropertyListValue {
  var facts: Int64 = 1
  if optional { facts |= 2 }
  if readOnly { facts |= 4 }
  if transient { facts |= 8 }
  if !validated { facts |= 16 | 32 }
  if !userInfo { facts |= 64 }
  if !modifier { facts |= 128 }
  if ordered { facts |= 1024 }
  return .integer(facts)
}

extension ModelArchiver {
  mutating func fill(
    _ attribute: AttributeDescription, at place: Int, entityReference: PropertyListValue, isIndexed: Bool
  ) {
    let parts = parts(of: attribute)
    var fields: [PropertyListValue.Entry] = [
      .init(
        "_P",
        packedFacts(
          optional: attribute.isOptional, readOnly: attribute.isDerived, transient: attribute.isTransient,
          validated: !parts.validations.isEmpty, userInfo: !attribute.userInfo.isEmpty,
          modifier: attribute.versionHashModifier != nil)
      ),
      .init("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
      // Core Data's compiler leaves a custom class to Xcode's code generation.
      .init("NSAttributeValueClassName", builder.string(attribute.type.archivedValueClassName)),
      .init("NSEntity", entityReference),
      .init("NSDefaultValue", parts.defaultValue),
      .init("NSValueTransformerName", builder.string(attribute.valueTransformerName)),
      .init("NSFlagsKey", .integer(attribute.archivedFlags)),
    ]
    addCommonFields(
      name: attribute.name, canonicalName: attribute.canonicalName, isOptional: attribute.isOptional,
      isTransient: attribute.isTransient, modifier: attribute.versionHashModifier,
      userInfo: attribute.userInfo, to: &fields)
    if isIndexed { fields.append(.init("NSIsIndexed", .boolean(true))) }
    if attribute.isDerived {
      fields.append(.init("NSIsReadOnly", .boolean(true)))
      fields.append(.init("NSFilteringPredicate", KeyedArchiveBuilder.null))
    }
    fields += parts.validations
    fields += parts.derivation
    fields += compositeFields(of: attribute)
    addOwnFields(of: attribute, to: &fields)
    let archivedClass: ArchivedClass =
      attribute.isDerived
      ? .derivedAttribute : attribute.type == .composite ? .compositeAttribute : .attribute
    builder.fill(place, as: archivedClass, fields)
  }

  /// In a cache, the copies of an inherited attribute share these, as in genuine ones.
  private mutating func parts(of attribute: AttributeDescription) -> AttributeParts {
    if form == .cache, let known = sharedParts[attribute] { return known }
    let parts = AttributeParts(
      defaultValue: archivedDefault(of: attribute), validations: archivedValidations(of: attribute),
      derivation: derivationFields(of: attribute))
    if form == .cache { sharedParts[attribute] = parts }
    return parts
  }

  /// What every property has; facts that are false or empty are left out, as in genuine archives.
  private mutating func addCommonFields(
    name: String, canonicalName: String, isOptional: Bool, isTransient: Bool, modifier: String?,
    userInfo: [String: String], to fields: inout [PropertyListValue.Entry]
  ) {
    let archivedName = builder.string(name)
    fields.append(.init("NSPropertyName", archivedName))
    fields.append(
      .init(
        "NSRenamingIdentifier",
        ExactText(canonicalName) == ExactText(name) ? archivedName : builder.string(canonicalName)))
    if isOptional { fields.append(.init("NSIsOptional", .boolean(true))) }
    if isTransient { fields.append(.init("NSIsTransient", .boolean(true))) }
    if let modifier { fields.append(.init("NSVersionHashModifier", builder.string(modifier))) }
    if !userInfo.isEmpty { fields.append(.init("NSUserInfo", builder.dictionary(of: userInfo))) }
  }

  private mutating func addOwnFields(
    of attribute: AttributeDescription, to fields: inout [PropertyListValue.Entry]
  ) {
    if let scalar = attribute.usesScalarValueType {
      fields.append(.init(ModelcKey.usesScalarValueType, .boolean(scalar)))
    }
    if let name = attribute.attributeValueClassName {
      fields.append(.init(ModelcKey.valueClassName, builder.string(name)))
    }
    if attribute.allowsCloudEncryption {
      fields.append(.init(ModelcKey.allowsCloudEncryption, .boolean(true)))
    }
    if attribute.isIndexedBySpotlight { fields.append(.init(ModelcKey.indexedBySpotlight, .boolean(true))) }
    if attribute.isStoredInExternalRecord {
      fields.append(.init(ModelcKey.storedInExternalRecord, .boolean(true)))
    }
    switch attribute.defaultValue {
    case .text(let text)? where attribute.typedDefaultValue == nil:
      // No value of the type: the checks say so, and the text is not lost.
      fields.append(.init(ModelcKey.defaultText, builder.string(text)))
    default: break
    }
    let rules = attribute.validation
    if let minimum = rules.minimum, AttributeValue(parsing: minimum, as: attribute.type)?.isOrdered != true {
      fields.append(.init(ModelcKey.minimum, builder.string(minimum)))
    }
    if let maximum = rules.maximum, AttributeValue(parsing: maximum, as: attribute.type)?.isOrdered != true {
      fields.append(.init(ModelcKey.maximum, builder.string(maximum)))
    }
  }

  /// `NSElements` is a guess after the public API (`NSCompositeAttributeDescription.elements`): no genuine archive
  /// at hand holds a composite.
  private mutating func compositeFields(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    guard let name = attribute.compositeName else { return [] }
    let elements = (compositeReferences[name] ?? []).map { PropertyListValue.reference($0) }
    return [
      .init("NSElements", builder.collection(.array, elements)),
      .init(ModelcKey.compositeName, builder.string(name)),
    ]
  }

  mutating func fill(
    _ relationship: RelationshipDescription, at place: Int, entityReference: PropertyListValue
  ) {
    let destination = relationship.destinationEntityName
    var fields: [PropertyListValue.Entry] = [
      .init(
        "_P",
        packedFacts(
          optional: relationship.isOptional, transient: relationship.isTransient,
          userInfo: !relationship.userInfo.isEmpty, modifier: relationship.versionHashModifier != nil,
          ordered: relationship.isOrdered)
      ),
      .init("NSDestinationEntity", reference(toEntity: destination)),
      .init("NSEntity", entityReference),
      .init("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
      .init("NSMaxCount", .integer(Int64(relationship.maxCount))),
      .init("NSMinCount", .integer(Int64(relationship.minCount))),
      .init("_NSDestinationEntityName", builder.string(destination)),
    ]
    if let inverse = relationship.inverseName {
      fields.append(.init("NSInverseRelationship", reference(toRelationship: inverse, of: destination)))
      fields.append(.init("_NSInverseRelationshipName", builder.string(inverse)))
    }
    addCommonFields(
      name: relationship.name, canonicalName: relationship.canonicalName,
      isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      modifier: relationship.versionHashModifier, userInfo: relationship.userInfo, to: &fields)
    if relationship.isOrdered { fields.append(.init("NSIsOrdered", .boolean(true))) }
    if relationship.isIndexed { fields.append(.init("NSIsIndexed", .boolean(true))) }
    if relationship.isIndexedBySpotlight {
      fields.append(.init(ModelcKey.indexedBySpotlight, .boolean(true)))
    }
    if relationship.isStoredInExternalRecord {
      fields.append(.init(ModelcKey.storedInExternalRecord, .boolean(true)))
    }
    builder.fill(place, as: .relationship, fields)
  }

  mutating func fill(
    _ property: FetchedPropertyDescription, at place: Int, entityReference: PropertyListValue
  ) {
    var fields: [PropertyListValue.Entry] = [
      .init(
        "_P",
        packedFacts(
          optional: property.isOptional, readOnly: true, transient: true,
          userInfo: !property.userInfo.isEmpty, modifier: false)
      ),
      .init("NSEntity", entityReference),
      .init("_NSFetchRequestEntityName", builder.string(property.fetchRequest.entityName)),
      .init("NSIsReadOnly", .boolean(true)), .init("NSFetchRequest", archived(property.fetchRequest)),
      .init(ModelcKey.requestName, builder.string(property.fetchRequest.name)),
    ]
    addCommonFields(
      name: property.name, canonicalName: property.name, isOptional: property.isOptional, isTransient: true,
      modifier: nil, userInfo: property.userInfo, to: &fields)
    builder.fill(place, as: .fetchedProperty, fields)
  }
}

/// The objects of an attribute that do not depend on the entity that lists it.
struct AttributeParts {
  var defaultValue: PropertyListValue
  var validations: [PropertyListValue.Entry]
  var derivation: [PropertyListValue.Entry]
}

extension AttributeDescription {
  /// Bits that genuine archives confirm: 4 external storage, 16 preserved in history on deletion.
  fileprivate var archivedFlags: Int64 {
    (allowsExternalBinaryDataStorage ? 4 : 0) | (preservesValueInHistoryOnDeletion ? 16 : 0)
  }
}

extension AttributeType {
  /// The class of values that the archive names.
  var archivedValueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}
