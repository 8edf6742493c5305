/// Texts that every archive of a model holds, most of them keys: each has its number from the beginning, so that
/// nobody looks it up.
enum KnownText: Int, CaseIterable {
  case null, classKey, className, classChain, keys, objects
  // Properties.
  case packedFacts, attributeType, attributeValueClassName, entity, defaultValue, valueTransformerName
  case flags, propertyName, renamingIdentifier, isOptional, isTransient, versionHashModifier, userInfo
  case isIndexed, isReadOnly, filteringPredicate, isOrdered
  case destinationEntity, deleteRule, maxCount, minCount, destinationEntityName, inverseRelationship
  case inverseRelationshipName, fetchRequestEntityName, fetchRequest
  // Entities.
  case entityName, classNameForEntity, isAbstract, subentities, properties, managedObjectModel, superentity
  // Predicates.
  case rightExpression, leftExpression, predicateOperator

  var text: String {
    switch self {
    case .null: "$null"
    case .classKey: "$class"
    case .className: "$classname"
    case .classChain: "$classes"
    case .keys: "NS.keys"
    case .objects: "NS.objects"
    case .packedFacts: "_P"
    case .attributeType: "NSAttributeType"
    case .attributeValueClassName: "NSAttributeValueClassName"
    case .entity: "NSEntity"
    case .defaultValue: "NSDefaultValue"
    case .valueTransformerName: "NSValueTransformerName"
    case .flags: "NSFlagsKey"
    case .propertyName: "NSPropertyName"
    case .renamingIdentifier: "NSRenamingIdentifier"
    case .isOptional: "NSIsOptional"
    case .isTransient: "NSIsTransient"
    case .versionHashModifier: "NSVersionHashModifier"
    case .userInfo: "NSUserInfo"
    case .isIndexed: "NSIsIndexed"
    case .isReadOnly: "NSIsReadOnly"
    case .filteringPredicate: "NSFilteringPredicate"
    case .isOrdered: "NSIsOrdered"
    case .destinationEntity: "NSDestinationEntity"
    case .deleteRule: "NSDeleteRule"
    case .maxCount: "NSMaxCount"
    case .minCount: "NSMinCount"
    case .destinationEntityName: "_NSDestinationEntityName"
    case .inverseRelationship: "NSInverseRelationship"
    case .inverseRelationshipName: "_NSInverseRelationshipName"
    case .fetchRequestEntityName: "_NSFetchRequestEntityName"
    case .fetchRequest: "NSFetchRequest"
    case .entityName: "NSEntityName"
    case .classNameForEntity: "NSClassNameForEntity"
    case .isAbstract: "NSIsAbstract"
    case .subentities: "NSSubentities"
    case .properties: "NSProperties"
    case .managedObjectModel: "NSManagedObjectModel"
    case .superentity: "NSSuperentity"
    case .rightExpression: "NSRightExpression"
    case .leftExpression: "NSLeftExpression"
    case .predicateOperator: "NSPredicateOperator"
    }
  }
}

extension PropertyListTable {
  /// Gives the known texts their numbers; the table must hold no others yet.
  mutating func addKnownTexts() {
    for known in KnownText.allCases { _ = text(known.text) }
  }

  static func text(_ known: KnownText) -> Value { text(known.rawValue) }
}
