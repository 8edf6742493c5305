import Foundation
import GRDB
import ManagedModel

/// The kind of an expression's value, known before any row is read. SQLite's cells say less than expressions mean.
///
/// Raw values are what calls of registered functions say of their arguments.
enum ValueKind: Character, CaseIterable {
  case null = "z"
  case boolean = "b"
  case integer = "i"
  case double = "d"
  /// As text where a number of the cell would not be exact.
  case decimal = "m"
  /// A number of any of the three kinds: the cell says which, and a decimal is text.
  case number = "n"
  case string = "s"
  case date = "t"
  case binary = "x"
  case uuid = "u"
  case uri = "r"
  /// The key of an object.
  case object = "o"

  init?(_ type: AttributeType) {
    let stored: AttributeType =
      type.isInteger ? .integer64 : type == .float ? .double : type == .transformable ? .binary : type
    guard let kind = Self.allCases.first(where: { $0.attributeType == stored }) else { return nil }
    self = kind
  }

  init(_ type: ManagedModel.Expression.CastType) {
    switch type {
    case .date: self = .date
    case .number: self = .number
    case .decimalNumber: self = .decimal
    case .string: self = .string
    }
  }

  /// The attribute type that values of it compare as in a fetch; nil where nothing depends on it.
  var attributeType: AttributeType? {
    switch self {
    case .boolean: .boolean
    case .integer: .integer64
    case .double, .number: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .null, .object: nil
    }
  }

  var isNumber: Bool { [.boolean, .integer, .double, .decimal, .number].contains(self) }

  var isText: Bool { self == .string || self == .uri }

  /// Whether a literal can say a value of it as a string only.
  var isSpelled: Bool { isText || self == .uuid }

  /// Whether cells of it compare as their values do, with each other alone.
  var isOpaque: Bool { self == .date || self == .uuid }
}

/// A value in SQL with its kind, as the in-memory meaning needs it.
struct TypedSQL: CompiledValue {
  var sql: String
  var kind: ValueKind
  /// Whether it is a cell as the store holds it, or a literal: decimals and dates are then numbers.
  var isPlain = false
  /// Whether it is the result of a registered function, which takes care of zero bytes itself.
  var isCall = false
  /// How many bits an integer needs at most, sign apart.
  var bits = 64
  /// The entity of an object.
  var entity: String?
  var constant: ConstantValue?

  /// Whether a registered function may refuse a row's values.
  var mayFail: Bool { sql.contains("modelc_") }

  static let rowCount = TypedSQL(sql: "COUNT(*)", kind: .integer, bits: 40)
  static let null = TypedSQL(sql: "NULL", kind: .null, isPlain: true, constant: .null)

  /// How a registered function takes it. SQLite's C interface would end text at a zero byte, so texts go as bytes.
  var argument: String {
    guard kind.isText, constant == nil else { return sql }
    return isCall
      ? String(sql.dropFirst(Self.castStart.count).dropLast(Self.castEnd.count)) : "CAST(\(sql) AS BLOB)"
  }

  static func call(_ name: String, _ arguments: [String], _ kind: ValueKind, bits: Int = 64) -> TypedSQL {
    let sql = "\(name)(\(arguments.joined(separator: ", ")))"
    return TypedSQL(sql: kind.isText ? castStart + sql + castEnd : sql, kind: kind, isCall: true, bits: bits)
  }

  private static let castStart = "CAST("
  private static let castEnd = " AS TEXT)"
}

extension [TypedSQL] {
  /// The kinds as one literal: what a registered function is told.
  var kinds: String { "'" + String(map(\.kind.rawValue)) + "'" }

  /// What a value is that is one of these.
  ///
  /// - Throws: where they have nothing in common, so that only a row could tell.
  func joinedKind(_ place: String) throws(NotExpressibleInSQL) -> ValueKind {
    var joined = ValueKind.null
    for kind in map(\.kind) where kind != .null && kind != joined {
      if joined == .null {
        joined = kind
      } else if joined.isNumber, kind.isNumber {
        joined = .number
      } else {
        throw NotExpressibleInSQL("'\(place)' has values of different types")
      }
    }
    return joined
  }
}

/// A cell as the kind that the compiler knows; nil if it is not a value of it.
func expressionValue(_ cell: DatabaseValue, _ kind: ValueKind) -> ExpressionValue? {
  let cell = StoredCell(cell)
  return switch (kind, cell) {
  case (.null, _): .null
  case (.boolean, .integer(let value)): .boolean(value != 0)
  case (.integer, _): cell.integer.map { .integer($0) }
  case (.double, _), (.number, .real): cell.double.map { .double($0) }
  case (.number, .integer(let value)): .integer(value)
  case (.decimal, .text(let text)), (.number, .text(let text)): Decimal(string: text).map { .decimal($0) }
  case (.decimal, _): cell.decimal.map { .decimal($0) }
  case (.string, .text(let text)): .string(text)
  case (.string, .blob(let bytes)): .string(String(decoding: bytes, as: UTF8.self))
  case (.uri, .text(let text)): .uri(text)
  case (.uri, .blob(let bytes)): .uri(String(decoding: bytes, as: UTF8.self))
  case (.date, _): cell.double.map { .date($0) }
  case (.binary, .blob(let bytes)): .binary(bytes)
  case (.uuid, .blob(let bytes)) where bytes.count == 16: .uuid(UUID(bytes: Array(bytes)))
  default: nil
  }
}

/// A result as the next function, or SQL, takes it. Decimals go as text, which loses nothing.
func cell(of value: ExpressionValue) throws -> DatabaseValue {
  switch value {
  case .null: return .null
  case .boolean(let value): return (value ? 1 : 0).databaseValue
  case .integer(let value): return value.databaseValue
  case .double(let value), .date(let value): return value.databaseValue
  case .decimal(let value): return "\(value)".databaseValue
  // GRDB would end text at a zero byte; the compiled call is cast to text.
  case .string(let text), .uri(let text):
    return text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
  case .binary(let data): return data.databaseValue
  case .uuid(let value): return value.bytes.databaseValue
  case .object, .collection, .dictionary: throw EvaluationError("\(value.label) is not a value of a column")
  }
}
