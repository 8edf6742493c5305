/// One stored or transient value of an entity, as `NSAttributeDescription` describes it.
///
/// The renaming identifier identifies an attribute in two versions, or else the name; position and type never do.
public struct AttributeDescription: Hashable, Sendable {
  /// Unique among the properties of the entity and of its parents.
  public var name: String
  /// What the attribute holds.
  public var type: AttributeType
  /// Whether an object may be without a value.
  public var isOptional: Bool
  /// A transient attribute is never stored and has no column.
  public var isTransient: Bool
  package var defaultValue: DefaultValue?
  package var validation: AttributeValidation
  /// Whether generated code uses a scalar; nil if the source does not say.
  package var usesScalarValueType: Bool?
  /// Of a transformable: the transformer's name; nil for the default one.
  public var valueTransformerName: String?
  /// For a transformable: the class of its value; nil if the model has none.
  public var attributeValueClassName: String?
  /// Whether Core Data may keep large values in files beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  package var preservesValueInHistoryOnDeletion: Bool
  package var allowsCloudEncryption: Bool
  package var isIndexedBySpotlight: Bool
  /// `storedInTruthFile` of old models.
  package var isStoredInExternalRecord: Bool
  /// `indexed="YES"` of models from before Xcode 9.
  package var isIndexed: Bool
  /// How a derived attribute is computed, as the model editor writes it: `pages.@count`, `canonical:(name)`.
  public var derivationExpression: String?
  /// The name of the composite, where ``type`` is composite.
  public var compositeName: String?
  /// Of a SwiftData enum with raw values: its type. Core Data has it as a composite of one optional element, which is
  /// named as the attribute; everywhere else it is an attribute of the raw values' type.
  package var enumTypeName: String?
  /// Of a SwiftData property: its type, where ``type`` does not tell it, as `UInt`. No hash and no fingerprint has it.
  package var swiftTypeName: String?
  /// The name this attribute had in the version before, when it was renamed; nil stands for ``name``.
  public var renamingIdentifier: String?
  /// A text that distinguishes otherwise equal versions; nil if absent.
  public var versionHashModifier: String?
  /// The model's own notes.
  public var userInfo: [String: String]

  package init(
    name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: DefaultValue? = nil, validation: AttributeValidation = AttributeValidation(),
    usesScalarValueType: Bool? = nil, valueTransformerName: String? = nil,
    attributeValueClassName: String? = nil, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, allowsCloudEncryption: Bool = false,
    isIndexedBySpotlight: Bool = false, isStoredInExternalRecord: Bool = false, isIndexed: Bool = false,
    derivationExpression: String? = nil, compositeName: String? = nil, enumTypeName: String? = nil,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.usesScalarValueType = usesScalarValueType
    self.valueTransformerName = valueTransformerName
    self.attributeValueClassName = attributeValueClassName
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.allowsCloudEncryption = allowsCloudEncryption
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isStoredInExternalRecord = isStoredInExternalRecord
    self.isIndexed = isIndexed
    self.derivationExpression = derivationExpression
    self.compositeName = compositeName
    self.enumTypeName = enumTypeName
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether the store computes the value.
  public var isDerived: Bool { derivationExpression != nil }

  /// The default as a value of ``type``; nil if absent, or where its text is not a value of the type
  /// (which the checks report).
  public var typedDefaultValue: AttributeValue? {
    switch defaultValue {
    case .text(let text): AttributeValue(parsing: text, as: type)
    case .evaluated(let value): value.value
    case .archived, nil: nil
    }
  }

  /// The default as a new object holds it.
  package var heldDefaultValue: AttributeValue? { typedDefaultValue?.held(by: type) }
}

/// What a value must satisfy before a save, in the textual form of the attribute's own type.
///
/// A nil optional value skips all of them. The bounds are inclusive.
package struct AttributeValidation: Hashable, Sendable {
  /// Least number or earliest date.
  package var minimum: String?
  /// Greatest number or latest date.
  package var maximum: String?
  /// In characters, as `NSString.length` counts them (UTF-16 units).
  package var minimumLength: Int?
  package var maximumLength: Int?
  /// An ICU regular expression that must match the whole string.
  package var regularExpression: String?
  /// Other validation predicates, each with the warning Core Data shows when it fails; possible through API only.
  package var predicates: [ValidationPredicate]

  package init(
    minimum: String? = nil, maximum: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    regularExpression: String? = nil, predicates: [ValidationPredicate] = []
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.regularExpression = regularExpression
    self.predicates = predicates
  }

  /// The bounds as values of the type; nil if there are none, or where a text is not a value of it.
  package func bounds(of type: AttributeType) -> (minimum: AttributeValue?, maximum: AttributeValue?) {
    func value(_ text: String?) -> AttributeValue? {
      text.flatMap { AttributeValue(parsing: $0, as: type) }?.held(by: type)
    }
    return (value(minimum), value(maximum))
  }

  package var isEmpty: Bool { self == AttributeValidation() }
}

/// A validation rule that is a predicate of its own.
package struct ValidationPredicate: Hashable, Sendable {
  package var predicate: String
  package var warning: String

  package init(predicate: String, warning: String) { (self.predicate, self.warning) = (predicate, warning) }
}
