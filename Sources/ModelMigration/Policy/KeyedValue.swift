public import Foundation
public import ManagedModel

/// A type that an object's property can be read as and set from: `object["rating"] as Int?`.
public protocol KeyedValue {
  /// - Parameter keyedValue: what ``MigratingObject/value(forKey:)`` gives; nil if it is no such value.
  init?(keyedValue: Any)
  var keyedValue: Any { get }
  /// Nil if the value is of another type.
  init?(attributeValue: AttributeValue)
  /// As a value of an attribute of the type, where that needs no conversion; nil leaves it to ``keyedValue``.
  func attributeValue(as type: AttributeType) -> AttributeValue?
}

extension KeyedValue {
  /// Nil if the value is of another type.
  public init?(keyedValue: Any) {
    guard let value = keyedValue as? Self else { return nil }
    self = value
  }

  /// The value as a policy hands it over.
  public var keyedValue: Any { self }

  /// Nil if the value is of another type.
  public init?(attributeValue: AttributeValue) { self.init(keyedValue: attributeValue.foundationValue) }

  /// Nil if the type has no shorter way than ``keyedValue``.
  public func attributeValue(as type: AttributeType) -> AttributeValue? { nil }
}

extension KeyedValue where Self: FixedWidthInteger {
  /// Nil if the value is of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .integer(let number) = attributeValue else {
      self.init(keyedValue: attributeValue.foundationValue)
      return
    }
    self.init(exactly: number)
  }
}

extension String: KeyedValue {
  /// Nil if the attribute's value is not text.
  public init?(attributeValue: AttributeValue) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }

  /// Nil if the attribute is not text.
  public func attributeValue(as type: AttributeType) -> AttributeValue? {
    type == .string ? .string(self) : nil
  }
}

extension Int: KeyedValue {}
extension Int16: KeyedValue {}
extension Int32: KeyedValue {}
extension Int64: KeyedValue {}
extension Double: KeyedValue {
  /// Nil if the attribute's value is not a number.
  public init?(attributeValue: AttributeValue) {
    guard case .double(let number) = attributeValue else {
      self.init(keyedValue: attributeValue.foundationValue)
      return
    }
    self = number
  }

  /// Nil if the attribute is not a floating-point number.
  public func attributeValue(as type: AttributeType) -> AttributeValue? {
    type == .double ? .double(self) : nil
  }
}
extension Float: KeyedValue {}
extension Decimal: KeyedValue {}
extension Bool: KeyedValue {}
extension Date: KeyedValue {}
extension Data: KeyedValue {}
extension UUID: KeyedValue {}
extension URL: KeyedValue {}
extension MigratingObject: KeyedValue {}
extension Array: KeyedValue where Element == MigratingObject {
  /// Nil if the value is not a collection of such elements.
  public init?(keyedValue: Any) {
    switch keyedValue {
    case let ordered as OrderedObjects: self = ordered.objects
    case let objects as [MigratingObject]: self = objects
    case let objects as Set<MigratingObject>:
      self = objects.sorted { $0.id.primaryKey < $1.id.primaryKey }
    default: return nil
    }
  }
}
extension Set: KeyedValue where Element == MigratingObject {
  /// Nil if the value is not a collection of such elements.
  public init?(keyedValue: Any) {
    guard let objects = [MigratingObject](keyedValue: keyedValue) else { return nil }
    self = Set(objects)
  }
}

extension AttributeValue {
  /// As Core Data hands it to code.
  var foundationValue: Any {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .double(let number): NSNumber(value: number)
    case .string(let text): text
    case .boolean(let flag): NSNumber(value: flag)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .binary(let data): data
    case .uuid(let uuid): uuid
    case .uri(let text): URL(string: text).map { $0 as Any } ?? text
    }
  }

  /// A value of code as one of an attribute; nil if it is none, or where a number would lose something.
  init?(_ value: Any, as type: AttributeType) {
    let made: AttributeValue? =
      switch type {
      case .integer16, .integer32, .integer64:
        wholeNumber(value).flatMap { type.holds($0) ? .integer($0) : nil }
      case .decimal: ((value as? Decimal) ?? (value as? Double).flatMap(\.decimal)).map { .decimal($0) }
      case .double, .float:
        ((value as? Double) ?? (value as? Float).map { Double($0) } ?? wholeNumber(value).map { Double($0) })
          .map { .double($0) }
      case .boolean:
        ((value as? Bool) ?? wholeNumber(value).flatMap { (0...1).contains($0) ? $0 == 1 : nil })
          .map { .boolean($0) }
      case .string: (value as? String).map { .string($0) }
      case .date: (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
      case .uuid: (value as? UUID).map { .uuid($0) }
      case .uri: ((value as? URL)?.absoluteString ?? value as? String).map { .uri($0) }
      case .binary, .transformable, .undefined, .objectID, .composite: (value as? Data).map { .binary($0) }
      }
    guard let made else { return nil }
    self = made
  }
}

/// Numbers of every kind bridge to one class.
private func wholeNumber(_ value: Any) -> Int64? {
  (value as? Int64) ?? (value as? NSNumber).flatMap { Int64(exactly: $0) }
}
