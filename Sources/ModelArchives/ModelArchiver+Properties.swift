import ManagedModel

/// `_P`, the packed facts of a property, as genuine archives show them: 2 optional, 4 read-only, 8 transient,
/// 16 and 32 no validation, 64 no user info, 128 no hash modifier, 1024 ordered; 1 always.
private func packedFacts(
  optional: Bool, readOnly: Bool = false, transient: Bool, validated: Bool = false, userInfo: Bool,
  modifier: Bool, ordered: Bool = false
) -> Int {
  let facts = [
    (2, optional), (4, readOnly), (8, transient), (16 | 32, !validated), (64, !userInfo), (128, !modifier),
    (1024, ordered),
  ]
  return facts.reduce(1) { $1.1 ? $0 | $1.0 : $0 }
}

/// Each function fills in one property and gives the number of its name's object.
extension ModelArchiver {
  @discardableResult
  mutating func fill(
    _ attribute: AttributeDescription, at place: Int, entityReference: PropertyListValue, isIndexed: Bool
  ) -> Int {
    guard let type = attribute.enumTypeName else {
      var parts = parts(of: attribute)
      parts.elements = attribute.compositeName.flatMap { compositeReferences[$0] } ?? []
      return fill(attribute, parts, at: place, entityReference: entityReference, isIndexed: isIndexed)
    }
    let element = AttributeDescription(
      name: attribute.name, type: attribute.type, isOptional: true, validation: attribute.validation)
    let number = builder.reserve()
    fill(element, at: number, entityReference: KeyedArchiveBuilder.null, isIndexed: false)
    var composite = attribute
    composite.type = .composite
    composite.validation = AttributeValidation()
    composite.userInfo[enumTypeKey] = type
    var parts = parts(of: composite)
    parts.elements = [number]
    if attribute.typedDefaultValue != nil {
      let value = archivedDefault(of: attribute)
      parts.defaultValue = builder.dictionary("NSDictionary", [.init(attribute.name, value)])
    }
    return fill(composite, parts, at: place, entityReference: entityReference, isIndexed: isIndexed)
  }

  private mutating func fill(
    _ attribute: AttributeDescription, _ parts: AttributeParts, at place: Int,
    entityReference: PropertyListValue, isIndexed: Bool
  ) -> Int {
    builder.begin()
    builder.put(
      .packedFacts,
      integer: packedFacts(
        optional: attribute.isOptional, readOnly: attribute.isDerived, transient: attribute.isTransient,
        validated: !parts.validations.isEmpty, userInfo: !attribute.userInfo.isEmpty,
        modifier: attribute.versionHashModifier != nil))
    builder.put(.attributeType, integer: Int(attribute.type.rawValue))
    // Core Data's compiler leaves a custom class to Xcode's code generation; SwiftData names it.
    let ownClass = isSwiftData && attribute.type == .transformable ? attribute.attributeValueClassName : nil
    builder.put(.attributeValueClassName, text: attribute.type.traits.className ?? ownClass)
    builder.put(.entity, entityReference)
    builder.put(.defaultValue, parts.defaultValue)
    builder.put(.valueTransformerName, text: attribute.valueTransformerName)
    // Bits that genuine archives confirm.
    builder.put(
      .flags,
      integer: (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
        | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
    let name = putCommonFields(of: attribute)
    if isIndexed { builder.put(.isIndexed, flag: true) }
    if attribute.isDerived {
      builder.put(.isReadOnly, flag: true)
      builder.put(.filteringPredicate, KeyedArchiveBuilder.null)
    }
    builder.put(parts.validations)
    builder.put(parts.derivation)
    // `NSElements` is a guess after the public API (`NSCompositeAttributeDescription.elements`): no genuine archive at
    // hand holds a composite.
    if attribute.type == .composite {
      let elements = parts.elements.map { PropertyListValue.reference($0) }
      builder.put(own: "NSElements", builder.collection("NSArray", elements))
      builder.put(own: ModelcKey.compositeName, ifAny: attribute.compositeName)
    }
    putOwnFields(of: attribute)
    let className =
      attribute.isDerived
      ? "NSDerivedAttributeDescription"
      : attribute.type == .composite ? "NSCompositeAttributeDescription" : "NSAttributeDescription"
    builder.end(place, as: className)
    return name
  }

  /// In a cache, the copies of an inherited attribute share these, as in genuine ones.
  private mutating func parts(of attribute: AttributeDescription) -> AttributeParts {
    if isCache, let known = sharedParts[attribute] { return known }
    // A store of SwiftData's does not say what cases an enum has.
    let parts = AttributeParts(
      defaultValue: archivedDefault(of: attribute),
      validations: isSwiftData && isCache && attribute.validation.listedValues != nil
        ? [] : archivedValidations(of: attribute),
      derivation: derivationFields(of: attribute))
    if isCache { sharedParts[attribute] = parts }
    return parts
  }

  /// Facts that are false or empty are left out, as in genuine archives.
  private mutating func putCommonFields(of property: some PropertyDescription) -> Int {
    let name = builder.reference(toText: property.name)
    builder.put(.propertyName, reference: name)
    let canonical = property.renamingIdentifier.map { builder.reference(toText: $0) }
    builder.put(.renamingIdentifier, reference: canonical ?? name)
    if property.isOptional { builder.put(.isOptional, flag: true) }
    if property.isTransient { builder.put(.isTransient, flag: true) }
    if let modifier = property.versionHashModifier { builder.put(.versionHashModifier, text: modifier) }
    if !property.userInfo.isEmpty { builder.put(.userInfo, builder.dictionary(of: property.userInfo)) }
    return name
  }

  private mutating func putOwnFields(of attribute: AttributeDescription) {
    if let scalar = attribute.usesScalarValueType {
      builder.put(own: ModelcKey.usesScalarValueType, .boolean(scalar))
    }
    builder.put(own: ModelcKey.valueClassName, ifAny: attribute.attributeValueClassName)
    builder.put(own: ModelcKey.allowsCloudEncryption, ifTrue: attribute.allowsCloudEncryption)
    builder.put(own: ModelcKey.indexedBySpotlight, ifTrue: attribute.isIndexedBySpotlight)
    builder.put(own: ModelcKey.storedInExternalRecord, ifTrue: attribute.isStoredInExternalRecord)
    if case .text(let text)? = attribute.defaultValue,
      AttributeValue(parsing: text, as: attribute.type) == nil
    {
      // No value of the type: the checks say so, and the text is not lost.
      builder.put(own: ModelcKey.defaultText, ifAny: text)
    }
    let rules = attribute.validation
    for (key, bound) in [(ModelcKey.minimum, rules.minimum), (ModelcKey.maximum, rules.maximum)]
    where bound.flatMap({ AttributeValue(parsing: $0, as: attribute.type) })?.isOrdered != true {
      builder.put(own: key, ifAny: bound)
    }
  }

  private var isSwiftData: Bool { model.editorSettings.usedWithSwiftData }

  mutating func fill(
    _ relationship: RelationshipDescription, at place: Int, entityReference: PropertyListValue
  ) -> Int {
    let destination = relationship.destinationEntityName
    builder.begin()
    builder.put(
      .packedFacts,
      integer: packedFacts(
        optional: relationship.isOptional, transient: relationship.isTransient,
        userInfo: !relationship.userInfo.isEmpty, modifier: relationship.versionHashModifier != nil,
        ordered: relationship.isOrdered))
    builder.put(.destinationEntity, reference(toEntity: destination))
    builder.put(.entity, entityReference)
    builder.put(.deleteRule, integer: relationship.deleteRule.rawValue)
    builder.put(.maxCount, integer: relationship.maxCount)
    builder.put(.minCount, integer: relationship.minCount)
    builder.put(.destinationEntityName, text: destination)
    if let inverse = relationship.inverseName {
      builder.put(.inverseRelationship, reference(toRelationship: inverse, of: destination))
      builder.put(.inverseRelationshipName, text: inverse)
    }
    let name = putCommonFields(of: relationship)
    if relationship.isOrdered { builder.put(.isOrdered, flag: true) }
    if relationship.isIndexed { builder.put(.isIndexed, flag: true) }
    builder.put(own: ModelcKey.indexedBySpotlight, ifTrue: relationship.isIndexedBySpotlight)
    builder.put(own: ModelcKey.storedInExternalRecord, ifTrue: relationship.isStoredInExternalRecord)
    builder.end(place, as: "NSRelationshipDescription")
    return name
  }

  mutating func fill(
    _ property: FetchedPropertyDescription, at place: Int, entityReference: PropertyListValue
  ) -> Int {
    builder.begin()
    builder.put(
      .packedFacts,
      integer: packedFacts(
        optional: property.isOptional, readOnly: true, transient: true, userInfo: !property.userInfo.isEmpty,
        modifier: false))
    builder.put(.entity, entityReference)
    builder.put(.fetchRequestEntityName, text: property.fetchRequest.entityName)
    builder.put(.isReadOnly, flag: true)
    builder.put(.fetchRequest, archived(property.fetchRequest))
    builder.put(own: ModelcKey.requestName, ifAny: property.fetchRequest.name)
    let name = builder.reference(toText: property.name)
    builder.put(.propertyName, reference: name)
    builder.put(.renamingIdentifier, reference: name)
    if property.isOptional { builder.put(.isOptional, flag: true) }
    builder.put(.isTransient, flag: true)
    if !property.userInfo.isEmpty { builder.put(.userInfo, builder.dictionary(of: property.userInfo)) }
    builder.end(place, as: "NSFetchedPropertyDescription")
    return name
  }
}

/// The objects of an attribute that do not depend on the entity that lists it.
struct AttributeParts {
  var defaultValue: PropertyListValue
  var validations: [PropertyListValue.Entry]
  var derivation: [PropertyListValue.Entry]
  /// Of a composite: the numbers of its elements.
  var elements: [Int] = []
}
