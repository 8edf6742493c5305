/// Core Data's and Foundation's classes in a model archive, with the superclasses that genuine archives list.
extension ArchivedClass {
  static let model = ArchivedClass("NSManagedObjectModel", "NSObject")
  static let entity = ArchivedClass("NSEntityDescription", "NSObject")
  static let attribute = ArchivedClass("NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let derivedAttribute = ArchivedClass(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let compositeAttribute = ArchivedClass(
    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let relationship = ArchivedClass("NSRelationshipDescription", "NSPropertyDescription", "NSObject")
  static let fetchedProperty = ArchivedClass(
    "NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject")
  static let fetchIndex = ArchivedClass("NSFetchIndexDescription", "NSObject")
  static let fetchIndexElement = ArchivedClass("NSFetchIndexElementDescription", "NSObject")
  static let fetchRequest = ArchivedClass("NSFetchRequest", "NSPersistentStoreRequest", "NSObject")
  static let sortDescriptor = ArchivedClass("NSSortDescriptor", "NSObject")

  static let knownKeysDictionary = ArchivedClass(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject")
  static let knownKeysMapping = ArchivedClass(
    "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject")

  static let date = ArchivedClass("NSDate", "NSObject")
  static let uuid = ArchivedClass("NSUUID", "NSObject")
  static let url = ArchivedClass("NSURL", "NSObject")
  static let decimalNumber = ArchivedClass("NSDecimalNumber", "NSNumber", "NSValue", "NSObject")

  static let truePredicate = ArchivedClass("NSTruePredicate", "NSPredicate", "NSObject")
  static let falsePredicate = ArchivedClass("NSFalsePredicate", "NSPredicate", "NSObject")
  static let compoundPredicate = ArchivedClass("NSCompoundPredicate", "NSPredicate", "NSObject")
  static let comparisonPredicate = ArchivedClass("NSComparisonPredicate", "NSPredicate", "NSObject")

  static let comparisonOperator = ArchivedClass(
    "NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject")
  static let equalityOperator = ArchivedClass(
    "NSEqualityPredicateOperator", "NSPredicateOperator", "NSObject")
  static let inOperator = ArchivedClass("NSInPredicateOperator", "NSPredicateOperator", "NSObject")
  static let betweenOperator = ArchivedClass("NSBetweenPredicateOperator", "NSPredicateOperator", "NSObject")
  static let customOperator = ArchivedClass("NSCustomPredicateOperator", "NSPredicateOperator", "NSObject")
  static let matchingOperator = ArchivedClass(
    "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject")
  static let likeOperator = ArchivedClass(
    "NSLikePredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject")
  static let substringOperator = ArchivedClass(
    "NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject")

  static let selfExpression = ArchivedClass("NSSelfExpression", "NSExpression", "NSObject")
  static let anyKeyExpression = ArchivedClass("NSAnyKeyExpression", "NSExpression", "NSObject")
  static let constantExpression = ArchivedClass("NSConstantValueExpression", "NSExpression", "NSObject")
  static let variableExpression = ArchivedClass("NSVariableExpression", "NSExpression", "NSObject")
  static let functionExpression = ArchivedClass("NSFunctionExpression", "NSExpression", "NSObject")
  static let keyPathExpression = ArchivedClass(
    "NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject")
  static let keyPathSpecifier = ArchivedClass("NSKeyPathSpecifierExpression", "NSExpression", "NSObject")
  static let symbolicExpression = ArchivedClass("NSSymbolicExpression", "NSExpression", "NSObject")
  static let aggregateExpression = ArchivedClass("NSAggregateExpression", "NSExpression", "NSObject")
  static let setExpression = ArchivedClass("NSSetExpression", "NSExpression", "NSObject")
  static let subqueryExpression = ArchivedClass("NSSubqueryExpression", "NSExpression", "NSObject")
  static let ternaryExpression = ArchivedClass("NSTernaryExpression", "NSExpression", "NSObject")
  static let fetchExpression = ArchivedClass("NSFetchRequestExpression", "NSExpression", "NSObject")
  static let assignmentExpression = ArchivedClass(
    "NSVariableAssignmentExpression", "NSExpression", "NSObject")
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
