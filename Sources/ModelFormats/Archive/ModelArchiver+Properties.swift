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
    _ attribute: AttributeDescription, named number: Int, at place: Int, entityReference: PropertyListValue,
    isIndexed: Bool
  ) {
    let parts = parts(of: attribute)
    builder.begin()
    builder.put(
      "_P",
      packedFacts(
        optional: attribute.isOptional, readOnly: attribute.isDerived, transient: attribute.isTransient,
        validated: !parts.validations.isEmpty, userInfo: !attribute.userInfo.isEmpty,
        modifier: attribute.versionHashModifier != nil))
    builder.put("NSAttributeType", .integer(Int64(attribute.type.rawValue)))
    // Core Data's compiler leaves a custom class to Xcode's code generation.
    builder.put("NSAttributeValueClassName", text: attribute.type.archivedValueClassName)
    builder.put("NSEntity", entityReference)
    builder.put("NSDefaultValue", parts.defaultValue)
    builder.put("NSValueTransformerName", text: attribute.valueTransformerName)
    builder.put("NSFlagsKey", .integer(attribute.archivedFlags))
    putCommonFields(
      name: number, canonicalName: attribute.renamingIdentifier, isOptional: attribute.isOptional,
      isTransient: attribute.isTransient, modifier: attribute.versionHashModifier,
      userInfo: attribute.userInfo)
    if isIndexed { builder.put("NSIsIndexed", .boolean(true)) }
    if attribute.isDerived {
      builder.put("NSIsReadOnly", .boolean(true))
      builder.put("NSFilteringPredicate", KeyedArchiveBuilder.null)
    }
    builder.put(parts.validations)
    builder.put(parts.derivation)
    builder.put(compositeFields(of: attribute))
    putOwnFields(of: attribute)
    let archivedClass: ArchivedClass =
      attribute.isDerived
      ? .derivedAttribute : attribute.type == .composite ? .compositeAttribute : .attribute
    builder.end(place, as: archivedClass)
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

  /// What every property has, its name by number; facts that are false or empty are left out, as in genuine archives.
  private mutating func putCommonFields(
    name: Int, canonicalName: String?, isOptional: Bool, isTransient: Bool, modifier: String?,
    userInfo: [String: String]
  ) {
    builder.put("NSPropertyName", textNumbered: name)
    if let canonicalName {
      builder.put("NSRenamingIdentifier", text: canonicalName)
    } else {
      builder.put("NSRenamingIdentifier", textNumbered: name)
    }
    if isOptional { builder.put("NSIsOptional", .boolean(true)) }
    if isTransient { builder.put("NSIsTransient", .boolean(true)) }
    if let modifier { builder.put("NSVersionHashModifier", text: modifier) }
    if !userInfo.isEmpty { builder.put("NSUserInfo", builder.dictionary(of: userInfo)) }
  }

  private mutating func putOwnFields(of attribute: AttributeDescription) {
    if let scalar = attribute.usesScalarValueType {
      builder.put(own: ModelcKey.usesScalarValueType, .boolean(scalar))
    }
    if let name = attribute.attributeValueClassName { builder.put(own: ModelcKey.valueClassName, text: name) }
    if attribute.allowsCloudEncryption { builder.put(own: ModelcKey.allowsCloudEncryption, .boolean(true)) }
    if attribute.isIndexedBySpotlight { builder.put(own: ModelcKey.indexedBySpotlight, .boolean(true)) }
    if attribute.isStoredInExternalRecord {
      builder.put(own: ModelcKey.storedInExternalRecord, .boolean(true))
    }
    switch attribute.defaultValue {
    case .text(let text)? where attribute.typedDefaultValue == nil:
      // No value of the type: the checks say so, and the text is not lost.
      builder.put(own: ModelcKey.defaultText, text: text)
    default: break
    }
    let rules = attribute.validation
    if let minimum = rules.minimum, AttributeValue(parsing: minimum, as: attribute.type)?.isOrdered != true {
      builder.put(own: ModelcKey.minimum, text: minimum)
    }
    if let maximum = rules.maximum, AttributeValue(parsing: maximum, as: attribute.type)?.isOrdered != true {
      builder.put(own: ModelcKey.maximum, text: maximum)
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
    _ relationship: RelationshipDescription, named number: Int, at place: Int,
    entityReference: PropertyListValue
  ) {
    let destination = relationship.destinationEntityName
    builder.begin()
    builder.put(
      "_P",
      packedFacts(
        optional: relationship.isOptional, transient: relationship.isTransient,
        userInfo: !relationship.userInfo.isEmpty, modifier: relationship.versionHashModifier != nil,
        ordered: relationship.isOrdered))
    builder.put("NSDestinationEntity", reference(toEntity: destination))
    builder.put("NSEntity", entityReference)
    builder.put("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue)))
    builder.put("NSMaxCount", .integer(Int64(relationship.maxCount)))
    builder.put("NSMinCount", .integer(Int64(relationship.minCount)))
    builder.put("_NSDestinationEntityName", text: destination)
    if let inverse = relationship.inverseName {
      builder.put("NSInverseRelationship", reference(toRelationship: inverse, of: destination))
      builder.put("_NSInverseRelationshipName", text: inverse)
    }
    putCommonFields(
      name: number, canonicalName: relationship.renamingIdentifier,
      isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      modifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    if relationship.isOrdered { builder.put("NSIsOrdered", .boolean(true)) }
    if relationship.isIndexed { builder.put("NSIsIndexed", .boolean(true)) }
    if relationship.isIndexedBySpotlight { builder.put(own: ModelcKey.indexedBySpotlight, .boolean(true)) }
    if relationship.isStoredInExternalRecord {
      builder.put(own: ModelcKey.storedInExternalRecord, .boolean(true))
    }
    builder.end(place, as: .relationship)
  }

  mutating func fill(
    _ property: FetchedPropertyDescription, named number: Int, at place: Int,
    entityReference: PropertyListValue
  ) {
    builder.begin()
    builder.put(
      "_P",
      packedFacts(
        optional: property.isOptional, readOnly: true, transient: true, userInfo: !property.userInfo.isEmpty,
        modifier: false))
    builder.put("NSEntity", entityReference)
    builder.put("_NSFetchRequestEntityName", text: property.fetchRequest.entityName)
    builder.put("NSIsReadOnly", .boolean(true))
    builder.put("NSFetchRequest", archived(property.fetchRequest))
    builder.put(own: ModelcKey.requestName, text: property.fetchRequest.name)
    putCommonFields(
      name: number, canonicalName: nil, isOptional: property.isOptional, isTransient: true,
      modifier: nil, userInfo: property.userInfo)
    builder.end(place, as: .fetchedProperty)
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
