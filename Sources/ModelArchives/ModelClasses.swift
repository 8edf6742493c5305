/// The superclasses of Core Data's, Foundation's and the editor's classes, as genuine archives list them, where a
/// name's end does not say them; classes that are not here are below `NSObject`.
private let superclasses = [
  "NSAttributeDescription": "NSPropertyDescription",
  "NSDerivedAttributeDescription": "NSAttributeDescription",
  "NSCompositeAttributeDescription": "NSAttributeDescription",
  "NSRelationshipDescription": "NSPropertyDescription",
  "NSFetchedPropertyDescription": "NSPropertyDescription", "NSFetchRequest": "NSPersistentStoreRequest",
  "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary",
  "NSKnownKeysDictionary1": "NSKnownKeysDictionary", "NSKnownKeysDictionary": "NSMutableDictionary",
  "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
  "NSDecimalNumber": "NSNumber", "NSNumber": "NSValue", "NSKeyPathExpression": "NSFunctionExpression",
  "NSMatchingPredicateOperator": "NSStringPredicateOperator",
  "NSLikePredicateOperator": "NSStringPredicateOperator",
  "NSSubstringPredicateOperator": "NSStringPredicateOperator",
  "XDPMModel": "XDModel", "XDModelPackage": "XDUMLPackageImp", "XDUMLPackageImp": "XDUMLNamespaceImp",
  "XDPMEntity": "XDUMLClassImp", "XDUMLStereotypeImp": "XDUMLClassImp", "XDUMLClassImp": "XDUMLClassifierImp",
  "XDUMLClassifierImp": "XDUMLNamespaceImp", "XDUMLNamespaceImp": "XDUMLNamedElementImp",
  "XDPMAttribute": "XDPMProperty", "XDPMRelationship": "XDPMProperty", "XDPMProperty": "XDUMLPropertyImp",
  "XDUMLPropertyImp": "XDUMLNamedElementImp", "XDUMLGeneralizationImp": "XDUMLNamedElementImp",
  "XDUMLNamedElementImp": "XDUMLElementImp",
]

extension KeyedArchiveBuilder {
  /// A class with its superclasses, as an archive lists them.
  static func classChain(_ name: String) -> [String] {
    Array(
      sequence(first: name) { name in
        let kind = ["PredicateOperator", "Predicate", "Expression"].first {
          name.hasSuffix($0) && name != "NS" + $0
        }
        return superclasses[name] ?? kind.map { "NS" + $0 } ?? (name == "NSObject" ? nil : "NSObject")
      })
  }
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
