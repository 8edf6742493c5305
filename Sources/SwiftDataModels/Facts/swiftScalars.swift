package import ManagedModel

/// The Swift types whose values SwiftData keeps as they are, and the attribute type of each.
package let attributeTypesBySwiftName: [String: AttributeType] = {
  // Those that no attribute type is written as.
  var types: [String: AttributeType] = [
    "Int": .integer64, "Int8": .integer16, "UInt8": .integer16, "UInt16": .integer32, "UInt32": .integer64,
    "UInt": .integer64, "UInt64": .integer64, "TimeInterval": .double, "CGFloat": .double,
  ]
  for type in AttributeType.allCases { if let name = type.traits.swiftType { types[name] = type } }
  return types
}()
