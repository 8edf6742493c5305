/// What kind of value an attribute holds. Raw values equal those of Core Data's `NSAttributeType`, which the
/// version hash and the compiled archive contain.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The name in a model file.
  public var name: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .objectID: "objectID"
    case .composite: "composite"
    }
  }

  /// The type of that name in a model file, or nil.
  public init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Integer, decimal and floating-point types: lightweight migration converts between any two of them.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  public var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64: true
    default: false
    }
  }

  /// Whether lightweight migration converts values of this type into values of the other: numbers among each other,
  /// and Booleans, which are stored as 0 and 1, into integers and back.
  public func converts(to other: AttributeType) -> Bool {
    (isNumeric && other.isNumeric) || (self == .boolean && other.isInteger)
      || (isInteger && other == .boolean)
  }

  /// Whether an integer type has room for the number; true for every other type.
  package func holds(_ number: Int64) -> Bool {
    switch self {
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    default: true
    }
  }
}
