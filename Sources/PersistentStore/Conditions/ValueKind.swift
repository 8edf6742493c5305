import Expressions
import ManagedModel

/// What a value of an expression is, known before any row is read: SQLite's cells say less than expressions mean.
///
/// Raw values are what calls of registered functions say of their arguments.
enum ValueKind: Character {
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
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .decimal: self = .decimal
    case .double, .float: self = .double
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary, .transformable: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .undefined, .objectID, .composite: return nil
    }
  }

  init(_ type: Expression.CastType) {
    switch type {
    case .date: self = .date
    case .number: self = .number
    case .decimalNumber: self = .decimal
    case .string: self = .string
    }
  }

  var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal, .number: true
    default: false
    }
  }

  var isText: Bool { self == .string || self == .uri }
}

/// A value in SQL with its kind, as the in-memory meaning needs it.
struct TypedSQL {
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

  static let null = TypedSQL(sql: "NULL", kind: .null, isPlain: true, constant: .null)

  /// How a registered function takes it. SQLite's C interface would end text at a zero byte, so texts go as bytes.
  var argument: String {
    guard kind.isText, constant == nil else { return sql }
    return isCall
      ? String(sql.dropFirst(Self.castStart.count).dropLast(Self.castEnd.count)) : "CAST(\(sql) AS BLOB)"
  }

  /// The result of a registered function.
  static func call(_ name: String, _ arguments: [String], _ kind: ValueKind, bits: Int = 64) -> TypedSQL {
    let sql = "\(name)(\(arguments.joined(separator: ", ")))"
    return TypedSQL(
      sql: kind.isText ? castStart + sql + castEnd : sql, kind: kind, isCall: true, bits: bits)
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
  func joinedKind(_ place: String) throws(NoSQLForm) -> ValueKind {
    var joined = ValueKind.null
    for kind in map(\.kind) where kind != .null && kind != joined {
      if joined == .null {
        joined = kind
      } else if joined.isNumber, kind.isNumber {
        joined = .number
      } else {
        throw NoSQLForm("'\(place)' has values of different types")
      }
    }
    return joined
  }
}
