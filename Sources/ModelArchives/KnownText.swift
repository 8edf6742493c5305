/// Texts that every archive of a model holds, most of them keys: each has its number from the beginning, so that
/// nobody looks it up.
enum KnownText: Int {
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

  /// By their numbers.
  fileprivate static let texts = [
    "$null", "$class", "$classname", "$classes", "NS.keys", "NS.objects",
    "_P", "NSAttributeType", "NSAttributeValueClassName", "NSEntity", "NSDefaultValue",
    "NSValueTransformerName", "NSFlagsKey", "NSPropertyName", "NSRenamingIdentifier", "NSIsOptional",
    "NSIsTransient", "NSVersionHashModifier", "NSUserInfo", "NSIsIndexed", "NSIsReadOnly",
    "NSFilteringPredicate", "NSIsOrdered",
    "NSDestinationEntity", "NSDeleteRule", "NSMaxCount", "NSMinCount", "_NSDestinationEntityName",
    "NSInverseRelationship", "_NSInverseRelationshipName", "_NSFetchRequestEntityName", "NSFetchRequest",
    "NSEntityName", "NSClassNameForEntity", "NSIsAbstract", "NSSubentities", "NSProperties",
    "NSManagedObjectModel", "NSSuperentity",
    "NSRightExpression", "NSLeftExpression", "NSPredicateOperator",
  ]
}

extension PropertyListTable {
  /// Gives the known texts their numbers; the table must hold no others yet.
  mutating func addKnownTexts() { for known in KnownText.texts { _ = text(known) } }

  static func text(_ known: KnownText) -> Value { text(known.rawValue) }
}
