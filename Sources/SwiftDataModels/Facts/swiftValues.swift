import Foundation
package import ManagedModel

/// The transformer that stands for Core Data's default one.
let defaultTransformer = "NSSecureUnarchiveFromData"

extension AttributeType {
  /// Whether a property of a class can have the type.
  var isExpressible: Bool { self != .undefined && self != .objectID }
  /// A default for every row alike: nil for dates and identifiers, which differ from row to row.
  var plainDefault: String? { isNumeric ? "0" : self == .boolean ? "false" : self == .string ? "" : nil }

  /// The Swift type of an attribute type's values; nil for those of the app's own types.
  var swiftDataType: String? { self == .integer64 ? "Int" : traits.swiftType }
}

/// A value as Swift source.
///
/// - Parameter name: gives the name of a type where that is written.
func swiftLiteral(of value: AttributeValue, as type: AttributeType, _ name: (String) -> String) -> String {
  switch value {
  case .integer(let number): return "\(number)"
  case .double(let number): return "\(number)"
  case .string(let text): return swiftLiteral(text)
  case .boolean(let isTrue): return isTrue ? "true" : "false"
  case .date(let seconds): return "\(name("Date"))(timeIntervalSinceReferenceDate: \(seconds))"
  case .decimal(let number) where Int("\(number)") != nil: return "\(number)"
  case .binary(let data) where data.isEmpty: return "\(name("Data"))()"
  default:
    let (swiftType, label) = (type.traits.swiftType ?? "", type.traits.swiftTextLabel ?? "")
    return "\(name(swiftType))(\(label): \(swiftLiteral(value.text)))!"
  }
}

/// The type of a collection of values, which SwiftData stores by itself; nil for other attributes.
func collectionType(_ attribute: AttributeDescription) -> String? {
  guard attribute.type == .transformable,
    attribute.valueTransformerName ?? defaultTransformer == defaultTransformer
  else { return nil }
  return attribute.attributeValueClassName.flatMap(collectionType)
}

/// `Array<Array<Optional<String>>>` as `[[String?]]`.
func collectionType(named name: String) -> String? {
  func element(_ name: some StringProtocol) -> String {
    if name.hasPrefix("Optional<"), name.hasSuffix(">") { return "\(element(name.dropFirst(9).dropLast()))?" }
    return collectionType(named: String(name)) ?? String(name)
  }
  if name.hasPrefix("Set<"), name.hasSuffix(">") { return name }
  if name.hasPrefix("Array<"), name.hasSuffix(">") { return "[\(element(name.dropFirst(6).dropLast()))]" }
  guard name.hasPrefix("Dictionary<"), name.hasSuffix(">") else { return nil }
  let parts = name.dropFirst(11).dropLast().split(separator: ", ", maxSplits: 1)
  return parts.count == 2 ? "[\(element(parts[0])): \(element(parts[1]))]" : nil
}

extension AttributeDescription {
  /// The options of `@Attribute` that are a fact each, in the order in which they are written.
  static let options: KeyValuePairs<String, any WritableKeyPath<Self, Bool> & Sendable> = [
    "externalStorage": \.allowsExternalBinaryDataStorage, "allowsCloudEncryption": \.allowsCloudEncryption,
    "spotlight": \.isIndexedBySpotlight, "preserveValueOnDeletion": \.preservesValueInHistoryOnDeletion,
    "ephemeral": \.isTransient,
  ]

  func hasExpressibleDefault() -> Bool {
    [.evaluated(.plain), .evaluated(.placeholder)].contains(defaultValue)
      || type != .transformable && typedDefaultValue != nil
  }

  /// The cases of an enum, each with its raw value as text: a text's own name where it can be one.
  func enumCases() -> [(name: String, value: String)] {
    var taken: Set<String> = []
    return (validation.listedValues ?? []).map { value in
      let word = type.isText ? value : "value\(value)"
      var name = word.plainSwiftName(taken: ["self", "init", "Type"])
      while !taken.insert(name).inserted { name += "_" }
      return (name, value)
    }
  }

  /// The empty value of a collection.
  var emptyCollection: String { attributeValueClassName?.hasPrefix("Dictionary<") == true ? "[:]" : "[]" }

  /// What to write at a property that is required and that stored objects have no value for.
  package var requiredPropertyAdvice: String {
    if let member = self.name.split(separator: ".").dropFirst().last {
      let type = attributeValueClassName ?? self.type.swiftDataType ?? "Data"
      return "make it optional, `var \(member): \(type)?`: a default in the struct is not written into rows"
    }
    let name = self.name.swiftIdentifier()
    let collection = attributeValueClassName.flatMap(collectionType(named:))
    let own = enumTypeName ?? compositeName ?? collection ?? attributeValueClassName
    guard let type = own ?? self.type.swiftDataType else {
      return "make it optional: put `?` behind its type"
    }
    let optional = "`var \(name): \(type)?`"
    if enumTypeName != nil {
      guard self.type.isText, let first = enumCases().first?.name else {
        return "make it optional, \(optional), or write one of its cases as the default"
      }
      return
        "write a default, one of its cases, `var \(name): \(type) = \(type).\(first.swiftIdentifier())`, or make it optional: \(optional)"
    }
    let empty = collection.map { _ in emptyCollection }
    let literal = [AttributeType.string: "\"\"", .binary: "Data()"][self.type] ?? self.type.plainDefault
    guard let value = empty ?? (own == nil ? literal : nil) else { return "make it optional: \(optional)" }
    return "write a default, `var \(name): \(type) = \(value)`, or make it optional: \(optional)"
  }
}
