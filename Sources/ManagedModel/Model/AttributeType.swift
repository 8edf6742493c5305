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
  public var name: String { traits.name }

  /// The type of that name in a model file, or nil.
  public init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Integer, decimal and floating-point types: lightweight migration converts between any two of them.
  public var isNumeric: Bool { traits.isNumeric }

  public var isInteger: Bool { traits.integerRange != nil }

  /// Whether its values are texts as they are.
  package var isText: Bool { traits.columnType == "VARCHAR" }

  /// Whether an expression's literal can say a value as a string only, and a string that spells one is one.
  package var isSpelled: Bool { isText || traits.isSpelledBytes }

  /// Whether lightweight migration converts values of this type into values of the other: numbers among each other,
  /// and Booleans, which are stored as 0 and 1, into integers and back.
  public func converts(to other: AttributeType) -> Bool {
    (isNumeric && other.isNumeric) || (self == .boolean && other.isInteger)
      || (isInteger && other == .boolean)
  }

  /// Whether an integer type has room for the number; true for every other type.
  package func holds(_ number: Int64) -> Bool { traits.integerRange?.contains(number) ?? true }
}
