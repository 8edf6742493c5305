package import ManagedModel

/// The Swift types whose values SwiftData keeps as they are, and the attribute type of each.
package let attributeTypesBySwiftName: [String: AttributeType] = [
  "String": .string, "Int": .integer64, "Int64": .integer64, "Int32": .integer32, "Int16": .integer16,
  "Int8": .integer16, "UInt8": .integer16, "UInt16": .integer32, "UInt32": .integer64, "UInt": .integer64,
  "UInt64": .integer64, "Double": .double, "TimeInterval": .double, "CGFloat": .double, "Float": .float,
  "Bool": .boolean, "Date": .date, "Data": .binary, "Decimal": .decimal, "UUID": .uuid, "URL": .uri,
]
