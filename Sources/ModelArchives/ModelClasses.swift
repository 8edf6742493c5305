/// Core Data's and Foundation's classes in a model archive, with the superclasses that genuine archives list.
extension ArchivedClass {
  static let model = ArchivedClass("NSManagedObjectModel")
  static let entity = ArchivedClass("NSEntityDescription")
  static let attribute = ArchivedClass("NSAttributeDescription", "NSPropertyDescription")
  static let derivedAttribute = ArchivedClass(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let compositeAttribute = ArchivedClass(
    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let relationship = ArchivedClass("NSRelationshipDescription", "NSPropertyDescription")
  static let fetchedProperty = ArchivedClass("NSFetchedPropertyDescription", "NSPropertyDescription")
  static let fetchIndex = ArchivedClass("NSFetchIndexDescription")
  static let fetchIndexElement = ArchivedClass("NSFetchIndexElementDescription")
  static let fetchRequest = ArchivedClass("NSFetchRequest", "NSPersistentStoreRequest")
  static let sortDescriptor = ArchivedClass("NSSortDescriptor")

  static let knownKeysDictionary = ArchivedClass(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary")
  static let knownKeysMapping = ArchivedClass("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")

  static let date = ArchivedClass("NSDate")
  static let uuid = ArchivedClass("NSUUID")
  static let url = ArchivedClass("NSURL")
  static let decimalNumber = ArchivedClass("NSDecimalNumber", "NSNumber", "NSValue")

  static let truePredicate = ArchivedClass("NSTruePredicate", "NSPredicate")
  static let falsePredicate = ArchivedClass("NSFalsePredicate", "NSPredicate")
  static let compoundPredicate = ArchivedClass("NSCompoundPredicate", "NSPredicate")
  static let comparisonPredicate = ArchivedClass("NSComparisonPredicate", "NSPredicate")

  static let comparisonOperator = ArchivedClass("NSComparisonPredicateOperator", "NSPredicateOperator")
  static let equalityOperator = ArchivedClass("NSEqualityPredicateOperator", "NSPredicateOperator")
  static let inOperator = ArchivedClass("NSInPredicateOperator", "NSPredicateOperator")
  static let betweenOperator = ArchivedClass("NSBetweenPredicateOperator", "NSPredicateOperator")
  static let customOperator = ArchivedClass("NSCustomPredicateOperator", "NSPredicateOperator")
  static let matchingOperator = ArchivedClass(
    "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let likeOperator = ArchivedClass(
    "NSLikePredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let substringOperator = ArchivedClass(
    "NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")

  static let selfExpression = ArchivedClass("NSSelfExpression", "NSExpression")
  static let anyKeyExpression = ArchivedClass("NSAnyKeyExpression", "NSExpression")
  static let constantExpression = ArchivedClass("NSConstantValueExpression", "NSExpression")
  static let variableExpression = ArchivedClass("NSVariableExpression", "NSExpression")
  static let functionExpression = ArchivedClass("NSFunctionExpression", "NSExpression")
  static let keyPathExpression = ArchivedClass("NSKeyPathExpression", "NSFunctionExpression", "NSExpression")
  static let keyPathSpecifier = ArchivedClass("NSKeyPathSpecifierExpression", "NSExpression")
  static let symbolicExpression = ArchivedClass("NSSymbolicExpression", "NSExpression")
  static let aggregateExpression = ArchivedClass("NSAggregateExpression", "NSExpression")
  static let setExpression = ArchivedClass("NSSetExpression", "NSExpression")
  static let subqueryExpression = ArchivedClass("NSSubqueryExpression", "NSExpression")
  static let ternaryExpression = ArchivedClass("NSTernaryExpression", "NSExpression")
  static let fetchExpression = ArchivedClass("NSFetchRequestExpression", "NSExpression")
  static let assignmentExpression = ArchivedClass("NSVariableAssignmentExpression", "NSExpression")
}

/// In the user info of a composite that is an enum with raw values: its type.
let enumTypeKey = "EnumType"

/// Keys of our own in a model archive: facts for which Core Data's archive has no place, or none that a genuine
/// file shows. Core Data's unarchiver does not ask for them.
enum ModelcKey {
  /// On the model; its presence says that dictionaries are in the order of the source.
  static let format = "ModelcFormat"
  static let composites = "ModelcComposites"
  static let retired = "ModelcRetired"
  static let localization = "ModelcLocalizationDictionary"
  static let minimumToolsVersion = "ModelcMinimumToolsVersion"
  static let sourceLanguage = "ModelcSourceLanguage"
  static let usedWithCloudKit = "ModelcUsedWithCloudKit"
  static let usedWithSwiftData = "ModelcUsedWithSwiftData"

  static let className = "ModelcClassName"
  static let moduleName = "ModelcModuleName"
  static let codeGenerationType = "ModelcCodeGenerationType"
  static let spotlightDisplayName = "ModelcCoreSpotlightDisplayName"
  static let superentityName = "ModelcSuperentityName"
  /// On an entity: its `NSIsIndexed` and `NSCompoundIndexes` are its own and no mirror of its fetch indexes.
  static let legacyIndexes = "ModelcLegacyIndexes"

  static let defaultText = "ModelcDefaultText"
  static let minimum = "ModelcMinimum"
  static let maximum = "ModelcMaximum"
  static let validationSpellings = "ModelcValidationSpellings"
  static let valueClassName = "ModelcValueClassName"
  static let usesScalarValueType = "ModelcUsesScalarValueType"
  static let allowsCloudEncryption = "ModelcAllowsCloudEncryption"
  static let indexedBySpotlight = "ModelcIsIndexedBySpotlight"
  static let storedInExternalRecord = "ModelcIsStoredInExternalRecord"
  static let compositeName = "ModelcCompositeName"

  /// Beside a predicate or an expression: its source's text, where the archived one prints otherwise.
  static let spelling = "ModelcSpelling"
  static let entityName = "ModelcEntityName"
  static let requestName = "ModelcRequestName"
  /// On a fetch request: the flags that genuine archives pack into a number whose bits are unknown.
  static let fetchFlags = "ModelcFetchFlags"
}
