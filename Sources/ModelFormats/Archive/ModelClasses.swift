/// Core Data's and Foundation's classes in a model archive, with the superclasses that genuine archives list.
extension ArchivedClass {
  static let model = Self("NSManagedObjectModel", "NSObject")
  static let entity = Self("NSEntityDescription", "NSObject")
  static let attribute = Self("NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let derivedAttribute = Self(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let compositeAttribute = Self(
    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject")
  static let relationship = Self("NSRelationshipDescription", "NSPropertyDescription", "NSObject")
  static let fetchedProperty = Self("NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject")
  static let fetchIndex = Self("NSFetchIndexDescription", "NSObject")
  static let fetchIndexElement = Self("NSFetchIndexElementDescription", "NSObject")
  static let fetchRequest = Self("NSFetchRequest", "NSPersistentStoreRequest", "NSObject")
  static let sortDescriptor = Self("NSSortDescriptor", "NSObject")

  static let knownKeysDictionary = Self(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject")
  static let knownKeysMapping = Self("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject")

  static let date = Self("NSDate", "NSObject")
  static let uuid = Self("NSUUID", "NSObject")
  static let url = Self("NSURL", "NSObject")
  static let decimalNumber = Self("NSDecimalNumber", "NSNumber", "NSValue", "NSObject")

  static let comparisonPredicate = Self("NSComparisonPredicate", "NSPredicate", "NSObject")
  static let comparisonOperator = Self("NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject")
  static let matchingOperator = Self(
    "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject")
  static let selfExpression = Self("NSSelfExpression", "NSExpression", "NSObject")
  static let constantExpression = Self("NSConstantValueExpression", "NSExpression", "NSObject")
  static let functionExpression = Self("NSFunctionExpression", "NSExpression", "NSObject")
  static let keyPathExpression = Self(
    "NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject")
  static let keyPathSpecifier = Self("NSKeyPathSpecifierExpression", "NSExpression", "NSObject")
}

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
  static let validationPredicates = "ModelcValidationPredicates"
  static let valueClassName = "ModelcValueClassName"
  static let usesScalarValueType = "ModelcUsesScalarValueType"
  static let allowsCloudEncryption = "ModelcAllowsCloudEncryption"
  static let indexedBySpotlight = "ModelcIsIndexedBySpotlight"
  static let storedInExternalRecord = "ModelcIsStoredInExternalRecord"
  static let derivation = "ModelcDerivation"
  static let compositeName = "ModelcCompositeName"

  static let predicate = "ModelcPredicate"
  static let entityName = "ModelcEntityName"
  static let requestName = "ModelcRequestName"
  /// On a fetch request: the flags that genuine archives pack into a number whose bits are unknown.
  static let fetchFlags = "ModelcFetchFlags"
  static let expression = "ModelcExpression"
}
