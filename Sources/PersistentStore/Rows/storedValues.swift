import Foundation
package import GRDB
package import ManagedModel

/// How a value of an attribute stands in its column (store-format.md 3), or nil where it is no value of its type.
package func databaseValue(_ value: AttributeValue, of attribute: AttributeDescription) -> DatabaseValue? {
  switch (attribute.type, value) {
  case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
    (.integer64, .integer(let number)):
    return number.databaseValue
  case (.boolean, .boolean(let flag)): return (flag ? 1 : 0).databaseValue
  // SQLite keeps an integral number as an integer in columns of numeric affinity, as it does for Core Data.
  case (.double, .double(let number)), (.float, .double(let number)), (.date, .date(let number)):
    return number.databaseValue
  case (.decimal, .decimal(let number)): return Double("\(number)")?.databaseValue
  case (.string, .string(let text)), (.uri, .uri(let text)):
    // GRDB hands text over as a C string, which would end at a NUL without a word.
    return text.utf8.contains(0) ? nil : text.databaseValue
  case (.uuid, .uuid(let uuid)): return uuidBytes(of: uuid).databaseValue
  case (.binary, .binary(let data)), (.transformable, .binary(let data)), (.undefined, .binary(let data)):
    return (attribute.allowsExternalBinaryDataStorage ? Data([inlineMarker]) + data : data).databaseValue
  default: return nil
  }
}

/// What a column of an attribute can hold.
package enum StoredValue: Hashable, Sendable {
  case absent
  case value(AttributeValue)
  /// The name of a file in `.<store>_SUPPORT/_EXTERNAL_DATA`, a UUID.
  case external(String)
  /// Nothing that the attribute's type can be.
  case unreadable
}

/// Reads a column's value as the attribute's type has it.
package func storedValue(_ value: DatabaseValue, of attribute: AttributeDescription) -> StoredValue {
  if value.isNull { return .absent }
  switch attribute.type {
  case .integer16, .integer32, .integer64:
    return Int64.fromDatabaseValue(value).map { .value(.integer($0)) } ?? .unreadable
  case .boolean: return Int64.fromDatabaseValue(value).map { .value(.boolean($0 != 0)) } ?? .unreadable
  case .double, .float: return Double.fromDatabaseValue(value).map { .value(.double($0)) } ?? .unreadable
  case .date: return Double.fromDatabaseValue(value).map { .value(.date($0)) } ?? .unreadable
  case .decimal: return decimal(value).map { .value(.decimal($0)) } ?? .unreadable
  case .string: return String.fromDatabaseValue(value).map { .value(.string($0)) } ?? .unreadable
  case .uri: return String.fromDatabaseValue(value).map { .value(.uri($0)) } ?? .unreadable
  case .uuid: return uuid(value).map { .value(.uuid($0)) } ?? .unreadable
  case .binary, .transformable, .undefined, .objectID, .composite:
    guard let data = Data.fromDatabaseValue(value) else { return .unreadable }
    return attribute.allowsExternalBinaryDataStorage ? externalValue(data) : .value(.binary(data))
  }
}

/// First byte of a value that could be stored in a file of its own but is not.
private let inlineMarker: UInt8 = 1
/// First byte of a reference: 36 characters of a UUID and a zero byte follow.
private let referenceMarker: UInt8 = 2

private func externalValue(_ data: Data) -> StoredValue {
  switch data.first {
  case inlineMarker: return .value(.binary(data.dropFirst()))
  case referenceMarker where data.count == 38 && data.last == 0:
    // Only a UUID is taken for a file name, so that no name leads out of the folder.
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? .unreadable : .external(name)
  default: return .unreadable
  }
}

private func decimal(_ value: DatabaseValue) -> Decimal? {
  switch value.storage {
  case .int64(let number): Decimal(number)
  // By way of the shortest text, or 10.11 would come back as 10.109999999999999.
  case .double(let number): number.isFinite ? Decimal(string: "\(number)") : nil
  default: nil
  }
}

private func uuid(_ value: DatabaseValue) -> UUID? {
  guard let bytes = Data.fromDatabaseValue(value), bytes.count == 16 else { return nil }
  let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  let groups = [8, 4, 4, 4, 12]
  var rest = Substring(digits)
  let text = groups.map { length in
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }
  return UUID(uuidString: text.joined(separator: "-"))
}

private func uuidBytes(of uuid: UUID) -> Data {
  let b = uuid.uuid
  return Data([
    b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
  ])
}
