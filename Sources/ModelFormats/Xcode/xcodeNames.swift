import ManagedModel

/// Xcode's words for attribute types, for the reader and the writer.
let typesByXcodeName = Dictionary(
  uniqueKeysWithValues: AttributeType.allCases.map { ($0.xcodeName ?? "Undefined", $0) })

extension AttributeType {
  /// Nil for the undefined type, which Xcode leaves out.
  var xcodeName: String? {
    switch self {
    case .undefined: nil
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    }
  }
}

extension DeleteRule {
  var xcodeName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }

  init?(xcodeName: String) {
    guard let rule = Self.allCases.first(where: { $0.xcodeName == xcodeName }) else { return nil }
    self = rule
  }
}
