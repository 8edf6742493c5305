public import Foundation

/// What an expression gives: a value of an attribute, an object, or several of either.
public enum ExpressionValue {
  /// `nil`: no value.
  case null
  /// Of a Boolean attribute, or a condition.
  case boolean(Bool)
  /// Of an integer attribute of any size.
  case integer(Int64)
  /// Of a double or a float.
  case double(Double)
  /// Of a decimal attribute, up to 38 digits.
  case decimal(Decimal)
  /// A text.
  case string(String)
  /// Seconds since 2001-01-01 00:00 UTC, Core Data's reference date.
  case date(Double)
  /// Binary, and transformable as its transformer left it.
  case binary(Data)
  /// Of a UUID attribute.
  case uuid(UUID)
  /// The absolute string.
  case uri(String)
  /// An object of a store.
  case object(any EvaluatedObject)
  /// Objects of a to-many, or several values.
  case collection(ValueCollection)
  /// A composite, by the names of its elements, or a table of values.
  case dictionary([String: ExpressionValue])

  /// The value of an attribute; nil is ``null``.
  public init(_ value: AttributeValue?) {
    switch value {
    case nil: self = .null
    case .integer(let value)?: self = .integer(value)
    case .decimal(let value)?: self = .decimal(value)
    case .double(let value)?: self = .double(value)
    case .string(let value)?: self = .string(value)
    case .boolean(let value)?: self = .boolean(value)
    case .date(let value)?: self = .date(value)
    case .binary(let value)?: self = .binary(value)
    case .uuid(let value)?: self = .uuid(value)
    case .uri(let value)?: self = .uri(value)
    }
  }

  package init(_ constant: ConstantValue) {
    switch constant {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .decimal(let text): self = text.exactValue.map { .decimal($0) } ?? .double(text.doubleValue)
    case .string(let value): self = .string(value)
    }
  }

  /// Whether it is ``null``.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The elements of a collection; one value is a collection of itself, nil an empty one.
  public var elements: [ExpressionValue] {
    switch self {
    case .collection(let collection): collection.elements
    case .null: []
    default: [self]
    }
  }

  /// The value as it is; nil for nil, and for an object, a collection or a dictionary.
  package var plainAttributeValue: AttributeValue? {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .string(let value): .string(value)
    case .date(let value): .date(value)
    case .binary(let value): .binary(value)
    case .uuid(let value): .uuid(value)
    case .uri(let value): .uri(value)
    case .null, .object, .collection, .dictionary: nil
    }
  }

  /// The characters of a string or a URI.
  var characters: String? {
    switch self {
    case .string(let text), .uri(let text): text
    default: nil
    }
  }

  /// The same, or those that spell a value which literals can say as a string only.
  var spelling: String? { if case .uuid(let value) = self { value.uuidString } else { characters } }

  /// In a message: `a number`. The value itself never stands in one.
  package var label: String {
    switch self {
    case .null: "nil"
    case .boolean: "a Boolean"
    case .integer, .double, .decimal: "a number"
    case .string: "a string"
    case .date: "a date"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object: "an object"
    case .collection: "a collection"
    case .dictionary: "a dictionary"
    }
  }

  /// The value as one of an attribute of `type`; nil if it is nil.
  ///
  /// Numbers convert where nothing is lost, strings that spell a UUID or a URI become one: a literal cannot say
  /// them otherwise. Nothing else is converted, and a fraction is never cut off silently: `trunc:` says so.
  ///
  /// - Throws: ``EvaluationError`` where the value is of another kind or beyond the type's range.
  package func attributeValue(as type: AttributeType) throws -> AttributeValue? {
    if let range = type.traits.integerRange {
      if isNull { return nil }
      guard let value = try number(for: type).exactInteger else {
        throw EvaluationError(
          "the number is not whole or does not fit into 64 bits; the attribute is \(type.name)",
          help: ["'trunc:', 'floor:' and 'ceiling:' round it"])
      }
      guard range.contains(value) else { throw EvaluationError.doesNotFit(type) }
      return .integer(value)
    }
    switch (self, type) {
    case (.null, _): return nil
    case (_, .double), (_, .float): return .double(try number(for: type).doubleValue)
    case (_, .decimal):
      let number = try number(for: type)
      if case .double(let value) = number, let exact = value.shortestDecimal { return .decimal(exact) }
      guard let value = number.decimalValue else { throw EvaluationError.doesNotFit(type) }
      return .decimal(value)
    case (.boolean(let value), .boolean): return .boolean(value)
    case (_, .boolean):
      guard let whole = try number(for: type).exactInteger, (0...1).contains(whole) else {
        throw EvaluationError.doesNotFit(type)
      }
      return .boolean(whole == 1)
    case (.string(let text), _) where type.isSpelled:
      guard let value = AttributeValue(parsing: text, as: type) else {
        throw EvaluationError.doesNotFit(type)
      }
      return value
    default:
      let isOpen = [.undefined, .transformable, .objectID].contains(type)
      if let value = plainAttributeValue, isOpen || value.isValue(of: type) { return value }
    }
    throw EvaluationError.otherType(self, type)
  }

  private func number(for type: AttributeType) throws -> Number {
    guard let number = Number(self) else { throw EvaluationError.otherType(self, type) }
    return number
  }
}

/// Several values in one of Core Data's three kinds of collection.
public struct ValueCollection {
  /// Which of the three collections it is.
  public enum Kind: Hashable, Sendable {
    /// In order; elements may be equal.
    case array
    /// Without order; no two elements are equal.
    case set
    /// In order; no two elements are equal.
    case orderedSet
  }

  /// Sets hold equal elements once; arrays and ordered sets have an order.
  public let kind: Kind
  /// Those of a set in the order in which they were found, so that the same input always gives the same output.
  public let elements: [ExpressionValue]

  /// - Parameters:
  ///   - elements: of a set, the first of equal ones stays.
  ///   - kind: a set, an array or an ordered set.
  public init(_ elements: [ExpressionValue], as kind: Kind = .array) {
    self.kind = kind
    self.elements = kind == .array ? elements : elements.distinct
  }
}

extension DecimalText {
  /// The number itself, where 38 digits and the exponents of a decimal hold it.
  var exactValue: Decimal? {
    guard let value = Decimal(string: description), !value.isNaN else { return nil }
    let digits = description.split { $0 == "e" || $0 == "E" }.first?.count { $0.isNumber } ?? 0
    return digits <= 38 && value.exponent > -128 && abs(value.exponent) < 120 ? value : nil
  }

  /// Whether the shortest digits of the nearest double are this number again.
  package var isExactAsDouble: Bool {
    guard let exactValue else { return false }
    return doubleValue.shortestDecimal == exactValue
  }
}

extension EvaluationError {
  fileprivate static func doesNotFit(_ type: AttributeType) -> EvaluationError {
    EvaluationError("the value does not fit an attribute of type \(type.name)")
  }

  fileprivate static func otherType(_ value: ExpressionValue, _ type: AttributeType) -> EvaluationError {
    var help: [String] = []
    switch (value, type) {
    case (_, .string): help = ["'CAST(value, \"NSString\")' gives its text"]
    case (.string, _) where type.isNumeric: help = ["'parseInt(text)' and 'parseDouble(text)' read it"]
    case (.string, .date): help = ["'parseDate(text, \"iso8601\")' reads it"]
    case (_, .date): help = ["'CAST(seconds, \"NSDate\")' gives the date of seconds since 2001"]
    default: break
    }
    return EvaluationError("\(value.label) is not a value of an attribute of type \(type.name)", help: help)
  }
}
