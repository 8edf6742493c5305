/// What kind of value an attribute holds. Raw values equal those of Core Data's `NSAttributeType`, which the
/// version hash and the compiled archive contain.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  /// A transient attribute whose class only the app knows.
  case undefined = 0
  /// From -32,768 to 32,767.
  case integer16 = 100
  /// Whole numbers of 32 bits.
  case integer32 = 200
  /// Whole numbers of 64 bits.
  case integer64 = 300
  /// Up to 38 digits.
  case decimal = 400
  /// Floating point of 64 bits.
  case double = 500
  /// Floating point of 32 bits.
  case float = 600
  /// Text.
  case string = 700
  /// True or false.
  case boolean = 800
  /// A moment, in seconds from the reference date.
  case date = 900
  /// Bytes.
  case binary = 1000
  /// A UUID, 16 bytes.
  case uuid = 1100
  /// A URL, kept as its absolute text.
  case uri = 1200
  /// Bytes that a value transformer makes of a value.
  case transformable = 1800
  /// The identity of an object; transient.
  case objectID = 2000
  /// Several attributes under one name.
  case composite = 2100

  /// The name in a model file.
  public var name: String { traits.name }

  /// The type of that name in a model file, or nil.
  package init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Integer, decimal and floating-point types: lightweight migration converts between any two of them.
  package var isNumeric: Bool { traits.isNumeric }

  package var isInteger: Bool { traits.integerRange != nil }

  /// Whether its values are texts as they are.
  package var isText: Bool { traits.columnType == "VARCHAR" }

  /// Whether an expression's literal can say a value as a string only, and a string that spells one is one.
  package var isSpelled: Bool { isText || traits.isSpelledBytes }

  /// Whether lightweight migration converts values of this type into values of the other: numbers among each other,
  /// and Booleans, which are stored as 0 and 1, into integers and back.
  package func converts(to other: AttributeType) -> Bool {
    (isNumeric && other.isNumeric) || (self == .boolean && other.isInteger)
      || (isInteger && other == .boolean)
  }

  /// Whether the other type has no place for some number of this one: too large, a fraction, or with more digits.
  ///
  /// A decimal has digits enough for every other number, and its exponent is nobody's everyday trouble; nor are integers
  /// over 2⁵³ in a double.
  package func narrows(to other: AttributeType) -> Bool {
    guard self != other, self != .boolean, other != .decimal, converts(to: other) else { return false }
    let (own, room) = (traits.integerRange, other.traits.integerRange)
    guard let own, other != .boolean else { return !(self == .float && other == .double) }
    return own.upperBound > (room?.upperBound ?? (other == .float ? 1 << 24 : .max))
  }

  /// Whether an integer type has room for the number; true for every other type.
  package func holds(_ number: Int64) -> Bool { traits.integerRange?.contains(number) ?? true }
}
