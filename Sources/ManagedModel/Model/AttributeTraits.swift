/// What formats, languages and stores say of an attribute type: one row per type.
package final class AttributeTraits: Sendable {
  /// In a model file.
  package let name: String
  /// Xcode's word; nil for the undefined type, which Xcode leaves out.
  package let xcodeName: String?
  /// What it is called in Swift, SQL and other schema languages, in lower case.
  package let otherNames: [String]
  /// The class of values that a compiled model names.
  package let className: String?
  /// The type in a column's definition.
  package let columnType: String
  package let columnGroup: ColumnGroup
  package let isNumeric: Bool
  /// Of an integer type.
  package let integerRange: ClosedRange<Int64>?
  /// Whether its values are stored as bytes and said as strings.
  let isSpelledBytes: Bool
  /// Whether generated code can use a plain number or Boolean; a date's is a time interval.
  package let hasScalar: Bool
  /// The type of values in Swift; nil for those of the app's own classes.
  package let swiftType: String?
  /// Whether the Swift type is Foundation's.
  package let isFoundationType: Bool
  /// The label of the initializer that makes a value from its text in Swift; nil if values have literals, and of dates.
  package let swiftTextLabel: String?
  /// What a required value reads as in Swift where an object has none.
  package let swiftZero: String?
  /// What a default looks like, in words; nil if the type can have none.
  package let valuesInWords: String?
  /// The form of a default's text as a regular expression, nil if no text is a default. It is never narrower than
  /// ``AttributeValue/init(parsing:as:)``, and wider where the form of a value takes more than a line to say.
  package let literalForm: String?
  /// An expression for a value that says nothing, the same in every run.
  package let emptyExpression: String?

  private init(
    _ name: String, xcode: String?, otherNames: [String] = [], className: String? = nil,
    column: String = "BLOB", _ columnGroup: ColumnGroup = .other, isNumeric: Bool = false,
    integers: ClosedRange<Int64>? = nil, isSpelledBytes: Bool = false, hasScalar: Bool = false,
    swift: String? = nil, foundation: String? = nil, swiftText: String? = nil, swiftZero: String? = nil,
    inWords: String? = nil, literal: String? = nil, empty: String? = nil
  ) {
    self.name = name
    xcodeName = xcode
    self.otherNames = otherNames
    self.className = className
    columnType = column
    self.columnGroup = columnGroup
    self.isNumeric = isNumeric
    integerRange = integers
    self.isSpelledBytes = isSpelledBytes
    self.hasScalar = hasScalar
    swiftType = swift ?? foundation
    isFoundationType = foundation != nil
    swiftTextLabel = swiftText
    self.swiftZero = swiftZero
    valuesInWords = inWords
    literalForm = literal
    emptyExpression = empty
  }

  /// The kinds of values after which Core Data orders the columns of a new table.
  package enum ColumnGroup: Int, CaseIterable, Sendable {
    case integer, timeAndFloat, decimal, string, uri, uuid, transformable, binary, other
  }

  /// Any text that is not empty.
  package static let anyLiteral = #"[\s\S]+"#
  private static let numberLiteral = #"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?"#
  private static let booleanLiteral = "[Yy][Ee][Ss]|[Nn][Oo]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01]"
  private static let uuidLiteral = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

  fileprivate static let undefined = AttributeTraits("undefined", xcode: nil, hasScalar: true)
  fileprivate static let integer16 = integer(
    "integer16", xcode: "Integer 16", otherNames: ["int16", "short", "smallint"], swift: "Int16",
    range: Int64(Int16.min)...Int64(Int16.max), inWords: "a whole number from -32768 to 32767")
  fileprivate static let integer32 = integer(
    "integer32", xcode: "Integer 32", otherNames: ["int32"], swift: "Int32",
    range: Int64(Int32.min)...Int64(Int32.max), inWords: "a whole number of 32 bits")
  fileprivate static let integer64 = integer(
    "integer64", xcode: "Integer 64", otherNames: ["int", "int64", "integer", "long", "bigint"],
    swift: "Int64", range: .min ... .max, inWords: "a whole number of 64 bits")
  fileprivate static let decimal = AttributeTraits(
    "decimal", xcode: "Decimal", otherNames: ["number", "nsdecimalnumber"], className: "NSDecimalNumber",
    column: "DECIMAL", .decimal, isNumeric: true, foundation: "Decimal", swiftText: "string",
    inWords: "a number of type decimal", literal: numberLiteral, empty: "0")
  fileprivate static let double = real("double", xcode: "Double", otherNames: ["real"], swift: "Double")
  fileprivate static let float = real("float", xcode: "Float", swift: "Float")
  fileprivate static let string = AttributeTraits(
    "string", xcode: "String", otherNames: ["text", "varchar", "str"], className: "NSString",
    column: "VARCHAR", .string, swift: "String", inWords: "a text", literal: anyLiteral, empty: "''")
  fileprivate static let boolean = AttributeTraits(
    "boolean", xcode: "Boolean", otherNames: ["bool"], className: "NSNumber", column: "INTEGER", .integer,
    hasScalar: true, swift: "Bool", swiftZero: "false", inWords: "true or false", literal: booleanLiteral,
    empty: "FALSE")
  fileprivate static let date = AttributeTraits(
    "date", xcode: "Date", otherNames: ["datetime", "timestamp"], className: "NSDate", column: "TIMESTAMP",
    .timeAndFloat, hasScalar: true, foundation: "Date",
    inWords: "a date such as 2024-05-01T00:00:00Z, or seconds since 2001", literal: anyLiteral,
    empty: "CAST(0, \"NSDate\")")
  fileprivate static let binary = AttributeTraits(
    "binary", xcode: "Binary", otherNames: ["data", "binarydata", "blob"], className: "NSData",
    column: "BLOB", .binary, foundation: "Data", swiftText: "base64Encoded", inWords: "Base64",
    literal: anyLiteral)
  fileprivate static let uuid = AttributeTraits(
    "uuid", xcode: "UUID", otherNames: ["guid"], className: "NSUUID", column: "BLOB", .uuid,
    isSpelledBytes: true, foundation: "UUID", swiftText: "uuidString", inWords: "a UUID",
    literal: uuidLiteral, empty: "uuid()")
  fileprivate static let uri = AttributeTraits(
    "uri", xcode: "URI", otherNames: ["url"], className: "NSURL", column: "VARCHAR", .uri,
    foundation: "URL", swiftText: "string", inWords: "a URI", literal: anyLiteral)
  fileprivate static let transformable = AttributeTraits(
    "transformable", xcode: "Transformable", column: "BLOB", .transformable, inWords: "Base64",
    literal: anyLiteral)
  fileprivate static let objectID = AttributeTraits("objectID", xcode: "ObjectID")
  fileprivate static let composite = AttributeTraits(
    "composite", xcode: "Composite", className: "NSDictionary")

  private static func integer(
    _ name: String, xcode: String, otherNames: [String], swift: String, range: ClosedRange<Int64>,
    inWords: String
  ) -> AttributeTraits {
    AttributeTraits(
      name, xcode: xcode, otherNames: otherNames, className: "NSNumber", column: "INTEGER", .integer,
      isNumeric: true, integers: range, hasScalar: true, swift: swift, swiftZero: "0", inWords: inWords,
      literal: numberLiteral, empty: "0")
  }

  private static func real(
    _ name: String, xcode: String, otherNames: [String] = [], swift: String
  ) -> AttributeTraits {
    AttributeTraits(
      name, xcode: xcode, otherNames: otherNames, className: "NSNumber", column: "FLOAT", .timeAndFloat,
      isNumeric: true, hasScalar: true, swift: swift, swiftZero: "0", inWords: "a number of type \(name)",
      literal: numberLiteral, empty: "0")
  }
}

extension AttributeType {
  package var traits: AttributeTraits {
    switch self {
    case .undefined: .undefined
    case .integer16: .integer16
    case .integer32: .integer32
    case .integer64: .integer64
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .string: .string
    case .boolean: .boolean
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .transformable: .transformable
    case .objectID: .objectID
    case .composite: .composite
    }
  }
}
