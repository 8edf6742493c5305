package import Foundation

/// A value of a property list, kept as exactly as the list says it: an integer never turns into a Boolean or a
/// real on its way in and out.
package enum PropertyListValue: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  /// Integers above `Int64.max`.
  case unsignedInteger(UInt64)
  case real(Double)
  case date(Date)
  case data(Data)
  case string(String)
  case array([PropertyListValue])
  /// Written in code-point order of the keys, so that equal values give equal bytes.
  case dictionary([String: PropertyListValue])
  /// A dictionary that is written in this order.
  case entries([Entry])
  /// The place of an object in a keyed archive's `$objects`.
  case reference(Int)

  package struct Entry: Hashable, Sendable {
    var key: String
    var value: PropertyListValue

    package init(_ key: String, _ value: PropertyListValue) { (self.key, self.value) = (key, value) }
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var array: [PropertyListValue]? { if case .array(let values) = self { values } else { nil } }
  package var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }

  /// Writes a binary property list (`bplist00`); equal values give equal bytes.
  ///
  /// The layout is that of CoreFoundation's writer: a table of objects, each scalar once, big-endian integers of
  /// 1, 2, 4 or 8 bytes, strings in ASCII or UTF-16, then the offsets and a trailer of 32 bytes.
  package func encoded() -> Data {
    var table = PropertyListTable()
    let top = table.value(self)
    return table.data(top: top)
  }
}

/// Foundation's types, in both directions.
extension PropertyListValue {
  /// Nil if something in the value is of another type.
  package init?(foundationValue value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let date as Date: self = .date(date)
    case let data as Data: self = .data(data)
    case let number as NSNumber: self.init(number)
    case let values as [Any]:
      let items = values.compactMap(PropertyListValue.init(foundationValue:))
      guard items.count == values.count else { return nil }
      self = .array(items)
    case let values as [String: Any]:
      let items = values.compactMapValues(PropertyListValue.init(foundationValue:))
      guard items.count == values.count else { return nil }
      self = .dictionary(items)
    default: return nil
    }
  }

  /// Only the number's own type tells a Boolean from 1.
  private init(_ number: NSNumber) {
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .boolean(number.boolValue)
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
    case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
      self = .unsignedInteger(number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  package var foundationValue: Any {
    switch self {
    case .string(let text): text
    case .integer(let value): NSNumber(value: value)
    case .unsignedInteger(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .boolean(let value): NSNumber(value: value)
    case .date(let date): date
    case .data(let data): data
    case .array(let values): values.map(\.foundationValue)
    case .dictionary(let values): values.mapValues(\.foundationValue)
    case .entries, .reference: NSNull()
    }
  }
}
