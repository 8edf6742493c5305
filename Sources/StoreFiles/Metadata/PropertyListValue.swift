package import Foundation
import ModelArchives

/// A value of a property list, kept as exactly as the list says it: an integer never turns into a Boolean or a
/// real on its way in and out.
package enum PropertyListValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  /// Integers above `Int64.max`.
  case unsignedInteger(UInt64)
  case real(Double)
  case boolean(Bool)
  case date(Date)
  case data(Data)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])

  /// Reads a binary or XML property list; nil where the bytes are none, or hold what no plain list can, or are
  /// made to exhaust their reader.
  package init?(propertyList data: Data) {
    guard isBoundedPropertyList(data),
      let value = try? unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    else {
      return nil
    }
    self.init(foundationValue: value)
  }

  init?(foundationValue value: Any) {
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

  /// As Foundation has it in a property list.
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
    }
  }

  /// The value as a binary property list; equal values give equal bytes, unless dates are among them.
  package func binaryPropertyList() throws -> Data {
    if let plain { return plain.binary }
    return try PropertyListSerialization.data(fromPropertyList: foundationValue, format: .binary, options: 0)
  }

  /// Nil where it holds what the plain list has no form for: dates, and integers above `Int64.max`.
  private var plain: PlainPropertyList? {
    switch self {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .boolean(let flag): return .boolean(flag)
    case .data(let data): return .data(data)
    case .date, .unsignedInteger: return nil
    case .array(let values):
      let items = values.compactMap(\.plain)
      return items.count == values.count ? .array(items) : nil
    case .dictionary(let values):
      let items = values.compactMapValues(\.plain)
      return items.count == values.count ? .dictionary(items) : nil
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var array: [PropertyListValue]? { if case .array(let values) = self { values } else { nil } }
  package var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }
}

/// For reports: bytes become Base64 text, a date its ISO 8601 form.
extension PropertyListValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .integer(let value): try container.encode(value)
    case .unsignedInteger(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .date(let date): try container.encode(date.formatted(.iso8601))
    case .data(let data): try container.encode(data.base64EncodedString())
    case .array(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }
}
