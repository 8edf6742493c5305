import Foundation
package import GRDB
package import ManagedModel
package import StoreFiles

/// How a value of an attribute stands in its column (store-format.md 3), or nil where it is no value of its type:
/// of another kind, or out of the bounds of an integer type.
package func databaseValue(_ value: AttributeValue, of attribute: AttributeDescription) -> DatabaseValue? {
  switch (attribute.type, value) {
  case (_, .integer(let number)) where attribute.type.isInteger:
    return attribute.type.holds(number) ? number.databaseValue : nil
  case (.boolean, .boolean(let flag)): return (flag ? 1 : 0).databaseValue
  // SQLite keeps an integral number as an integer in columns of numeric affinity, as it does for Core Data. It
  // would keep a number that is none as NULL.
  case (.double, .double(let number)), (.float, .double(let number)), (.date, .date(let number)):
    return number.isNaN ? nil : number.databaseValue
  // Core Data stores a decimal that is no number as a text.
  case (.decimal, .decimal(let number)):
    return number.isNaN ? "NaN".databaseValue : number.nearestDouble.databaseValue
  case (.string, .string(let text)), (.uri, .uri(let text)): return text.databaseValue
  case (.uuid, .uuid(let uuid)): return uuidBytes(of: uuid).databaseValue
  case (.binary, .binary(let data)), (.transformable, .binary(let data)), (.undefined, .binary(let data)):
    return (attribute.allowsExternalBinaryDataStorage ? Data([inlineMarker]) + data : data).databaseValue
  default: return nil
  }
}

extension SQLLiteral {
  /// A value as Core Data stores it in the column of an attribute (`store-format`, table of attribute types).
  ///
  /// - Parameter usesExternalStorage: whether the attribute allows external storage, which puts the byte 1 before
  ///   data that stays inline.
  package init(_ value: AttributeValue?, usesExternalStorage: Bool = false) {
    switch value {
    case nil: self = .null
    case .integer(let value)?: self = .integer(value)
    case .decimal(let value)?: self = .number("\(value)")
    case .double(let value)?: self = .real(value)
    case .string(let value)?, .uri(let value)?: self = .text(value)
    case .boolean(let value)?: self = .integer(value ? 1 : 0)
    case .date(let seconds)?: self = .real(seconds)
    case .binary(let data)?: self = .blob((usesExternalStorage ? [1] : []) + Array(data))
    case .uuid(let value)?: self = .blob(Array(uuidBytes(of: value)))
    }
  }
}

/// The cell of a value that lies in a file of its own.
package func externalReference(_ file: String) -> DatabaseValue {
  (Data([referenceMarker]) + Data(file.utf8) + Data([0])).databaseValue
}

/// What a column of an attribute can hold.
package enum StoredValue: Hashable, Sendable {
  case absent
  case value(AttributeValue)
  /// The name of a file in `.<store>_SUPPORT/_EXTERNAL_DATA`, a UUID.
  case external(String)
  /// Nothing that the attribute's type can be.
  case unreadable
  /// An integer that the attribute's type has no room for.
  case outOfBounds
}

/// Reads a cell as the attribute's type has it.
package func storedValue(_ cell: StoredCell, of attribute: AttributeDescription) -> StoredValue {
  if cell == .null { return .absent }
  switch attribute.type {
  case .integer16, .integer32, .integer64:
    guard let number = integer(cell) else { return .unreadable }
    return attribute.type.holds(number) ? .value(.integer(number)) : .outOfBounds
  case .boolean: return integer(cell).map { .value(.boolean($0 != 0)) } ?? .unreadable
  case .double, .float: return double(cell).map { .value(.double($0)) } ?? .unreadable
  case .date: return double(cell).map { .value(.date($0)) } ?? .unreadable
  case .decimal: return decimal(cell).map { .value(.decimal($0)) } ?? .unreadable
  case .string: return text(cell).map { .value(.string($0)) } ?? .unreadable
  case .uri: return text(cell).map { .value(.uri($0)) } ?? .unreadable
  case .uuid: return uuid(cell).map { .value(.uuid($0)) } ?? .unreadable
  case .binary, .transformable, .undefined, .objectID, .composite:
    guard case .blob(let data) = cell else { return .unreadable }
    return attribute.allowsExternalBinaryDataStorage ? externalValue(data) : .value(.binary(data))
  }
}

/// First byte of a value that could be stored in a file of its own but is not.
private let inlineMarker: UInt8 = 1
/// First byte of a reference: 36 characters of a UUID and a zero byte follow.
private let referenceMarker: UInt8 = 2

private func externalValue(_ data: Data) -> StoredValue {
  switch data.first {
  case inlineMarker: return .value(.binary(Data(data.dropFirst())))
  case referenceMarker where data.count == 38 && data.last == 0:
    // Only a UUID is taken for a file name, so that no name leads out of the folder.
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? .unreadable : .external(name)
  default: return .unreadable
  }
}

/// A whole number that another writer left as a real is still that number.
private func integer(_ cell: StoredCell) -> Int64? {
  switch cell {
  case .integer(let number): number
  case .real(let number): Int64(exactly: number)
  default: nil
  }
}

private func double(_ cell: StoredCell) -> Double? {
  switch cell {
  case .integer(let number): Double(number)
  case .real(let number): number
  default: nil
  }
}

private func text(_ cell: StoredCell) -> String? {
  if case .text(let text) = cell { text } else { nil }
}

private func decimal(_ cell: StoredCell) -> Decimal? {
  switch cell {
  case .integer(let number): Decimal(number)
  // By way of the shortest text, or 10.11 would come back as 10.109999999999999.
  case .real(let number): number.isFinite ? number.decimal : nil
  case .text("NaN"): .nan
  default: nil
  }
}

private func uuid(_ cell: StoredCell) -> UUID? {
  guard case .blob(let data) = cell, data.count == 16 else { return nil }
  return UUID(bytes: Array(data))
}

func uuidBytes(of uuid: UUID) -> Data {
  let b = uuid.uuid
  return Data([
    b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
  ])
}

/// How a value of an attribute stands in its column, or nil where it is no value of its type.
package func storedCell(_ value: AttributeValue, of attribute: AttributeDescription) -> StoredCell? {
  guard let stored = databaseValue(value, of: attribute) else { return nil }
  switch stored.storage {
  case .null: return .null
  case .int64(let number): return .integer(number)
  case .double(let number): return .real(number)
  case .string(let text): return .text(text)
  case .blob(let data): return .blob(data)
  }
}
