import Foundation
package import ManagedModel

/// How a value of an attribute stands in its column (store-format.md 3), or nil if it is not a value of its type:
/// of another kind, or out of the bounds of an integer type.
package func storedCell(_ value: AttributeValue, of attribute: AttributeDescription) -> StoredCell? {
  switch (attribute.type, value) {
  case (_, .integer(let number)) where attribute.type.isInteger:
    return attribute.type.holds(number) ? .integer(number) : nil
  case (.boolean, .boolean(let flag)): return .integer(flag ? 1 : 0)
  // SQLite keeps an integral number as an integer in columns of numeric affinity, as it does for Core Data. It
  // would keep a number that is none as NULL.
  case (.double, .double(let number)), (.float, .double(let number)), (.date, .date(let number)):
    return number.isNaN ? nil : .real(number)
  case (.decimal, .decimal(let number)): return number.cell
  case (.string, .string(let text)), (.uri, .uri(let text)): return .text(text)
  case (.uuid, .uuid(let uuid)): return .blob(uuid.bytes)
  case (.binary, .binary(let data)), (.transformable, .binary(let data)), (.undefined, .binary(let data)):
    return .blob(attribute.allowsExternalBinaryDataStorage ? Data([inlineMarker]) + data : data)
  default: return nil
  }
}

extension AttributeValue {
  /// The value as Core Data stores it in the column of an attribute (`store-format`, table of attribute types), as a
  /// constant in SQL text.
  ///
  /// - Parameter usesExternalStorage: whether the attribute allows external storage, which puts the byte 1 before
  ///   data that stays inline.
  package func sql(usesExternalStorage: Bool = false) -> String {
    switch self {
    case .integer(let value): "\(value)"
    // Its digits are kept as they are written.
    case .decimal(let value): "\(value)"
    case .double(let value), .date(let value): StoredCell.real(value).sql
    case .string(let value), .uri(let value): StoredCell.text(value).sql
    case .boolean(let value): value ? "1" : "0"
    case .binary(let data): StoredCell.blob(Data(usesExternalStorage ? [inlineMarker] : []) + data).sql
    case .uuid(let value): StoredCell.blob(value.bytes).sql
    }
  }
}

extension String {
  /// The cell of a value that lies in a file of its own.
  package var externalReference: StoredCell { .blob(Data([referenceMarker]) + Data(utf8) + Data([0])) }
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

extension StoredCell {
  /// Reads a cell as the attribute's type has it.
  package func storedValue(of attribute: AttributeDescription) -> StoredValue {
    if self == .null { return .absent }
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      guard let number = integer else { return .unreadable }
      return attribute.type.holds(number) ? .value(.integer(number)) : .outOfBounds
    case .boolean: return integer.map { .value(.boolean($0 != 0)) } ?? .unreadable
    case .double, .float: return double.map { .value(.double($0)) } ?? .unreadable
    case .date: return double.map { .value(.date($0)) } ?? .unreadable
    case .decimal:
      return self == .text("NaN")
        ? .value(.decimal(.nan)) : decimal.map { .value(.decimal($0)) } ?? .unreadable
    case .string: return text.map { .value(.string($0)) } ?? .unreadable
    case .uri: return text.map { .value(.uri($0)) } ?? .unreadable
    case .uuid:
      guard case .blob(let data) = self, data.count == 16 else { return .unreadable }
      return .value(.uuid(UUID(bytes: Array(data))))
    case .binary, .transformable, .undefined, .objectID, .composite:
      guard case .blob(let data) = self else { return .unreadable }
      return attribute.allowsExternalBinaryDataStorage ? externalValue(data) : .value(.binary(data))
    }
  }

  /// The value of an attribute that allows external storage, read from its file where it lies in one; the cell itself where the
  /// file is missing.
  ///
  /// - Parameter paths: where the store lies, and then another one that has kept the files.
  package func readingExternalData(ofStoreAt paths: String...) throws -> StoredCell {
    guard case .blob(let data) = self else { return self }
    switch externalValue(data) {
    case .value(.binary(let data)): return .blob(data)
    case .external(let name):
      for path in paths { if let data = try readExternalData(name, ofStoreAt: path) { return .blob(data) } }
      return self
    default: return self
    }
  }

  /// Whether the cell names a file that two stores share, by a hard link or because they lie in one folder.
  package func isSharedFile(ofStoresAt one: String, _ other: String) throws -> Bool {
    guard case .blob(let data) = self, case .external(let name) = externalValue(data),
      let folder = try dataFolder(ofStoreAt: one), let otherFolder = try dataFolder(ofStoreAt: other),
      let status = try FileStatus(atPath: "\(folder)/\(name)")
    else { return false }
    return try status == FileStatus(atPath: "\(otherFolder)/\(name)")
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

extension AttributeDescription {
  /// SQL that gives a stored value as other programs take it: dates as ISO 8601, UUIDs as text, of external data the name of
  /// the file.
  func plainSQL(in column: String) -> String {
    switch type {
    // Seconds since 2001.
    case .date: return "strftime('%Y-%m-%dT%H:%M:%fZ', \(column) + 978307200, 'unixepoch')"
    case .uuid:
      let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
      let text = parts.map { "substr(hex(\(column)), \($0), \($1))" }.joined(separator: " || '-' || ")
      return "CASE WHEN \(column) IS NOT NULL THEN \(text) END"
    case .binary where allowsExternalBinaryDataStorage,
      .transformable where allowsExternalBinaryDataStorage:
      return "CASE substr(hex(\(column)), 1, 2) WHEN '01' THEN substr(\(column), 2)"
        + " WHEN '02' THEN CAST(substr(\(column), 2, 36) AS TEXT) END"
    default: return column
    }
  }
}
