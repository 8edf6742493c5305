import Foundation

/// A number in one of the three ways that attributes hold one.
enum Number {
  case integer(Int64)
  case decimal(Decimal)
  case double(Double)

  /// - Returns: nil for what is no number; a Boolean is 0 or 1.
  init?(_ value: ExpressionValue) {
    switch value {
    case .boolean(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .decimal(let value): self = .decimal(value)
    case .double(let value): self = .double(value)
    default: return nil
    }
  }

  var value: ExpressionValue {
    switch self {
    case .integer(let value): .integer(value)
    case .decimal(let value): .decimal(value)
    case .double(let value): .double(value)
    }
  }

  var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let value): value.nearestDouble
    case .double(let value): value
    }
  }

  /// Nil if it is a double.
  var decimalValue: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value
    case .double: nil
    }
  }

  /// The whole number that it is; nil if it has a fraction or is beyond 64 bits.
  var exactInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .decimal(let value): Int64("\(value)")
    case .double(let value): Int64(exactly: value)
    }
  }

  /// The digits that it is: the shortest that give a double again.
  var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .double(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
  }

  /// Exactly, also between integers and doubles; a double stands for its shortest digits beside a decimal. Nil
  /// where one side is not a number.
  static func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int? {
    guard let left = Number(left), let right = Number(right) else { return nil }
    return order(left, right)
  }

  static func order(_ left: Number, _ right: Number) -> Int? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.double(let left), .double(let right)): return order(left, right)
    case (.integer(let left), .double(let right)): return order(left, right)
    case (.double, .integer), (.double, .decimal): return order(right, left).map { -$0 }
    case (.decimal(let left), .double(let right)):
      guard let exact = right.shortestDecimal else { return order(left.nearestDouble, right) }
      return left < exact ? -1 : left == exact ? 0 : 1
    default:
      guard let left = left.decimalValue, let right = right.decimalValue, !left.isNaN, !right.isNaN else {
        return nil
      }
      return left < right ? -1 : left == right ? 0 : 1
    }
  }

  private static func order(_ left: Double, _ right: Double) -> Int? {
    left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  }

  /// A double of more than 53 bits is not a neighbour of every integer, so the integer must not become one.
  private static func order(_ left: Int64, _ right: Double) -> Int? {
    guard !right.isNaN else { return nil }
    guard right > -0x1p63 else { return right == -0x1p63 && left == .min ? 0 : 1 }
    guard right < 0x1p63 else { return -1 }
    let whole = Int64(right.rounded(.down))
    if left != whole { return left < whole ? -1 : 1 }
    return right > Double(whole) ? -1 : 0
  }
}
