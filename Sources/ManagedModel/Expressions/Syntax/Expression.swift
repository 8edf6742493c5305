/// A value in a predicate, a derivation or a mapping, as `NSExpression` holds it.
package indirect enum Expression: Hashable, Sendable {
  case constant(ConstantValue)
  /// `SELF`: the object that the expression is evaluated for.
  case evaluatedObject
  /// `ANYKEY`, which only Spotlight's stores know.
  case anyKey
  /// `$name`, without the dollar sign.
  case variable(String)
  /// Keys followed one after another, from `of`, or from the evaluated object where that is nil.
  ///
  /// A key with an at sign is a ``CollectionOperator``; it takes the rest of the path. A base that is itself a
  /// key path without an operator never occurs: the two are one path.
  case keyPath([String], of: Expression?)
  case index(of: Expression, Subscript)
  case function(FunctionCall)
  case arithmetic(ArithmeticOperator, Expression, Expression)
  case negation(Expression)
  case set(SetOperator, Expression, Expression)
  /// `$name := value`
  case assignment(variable: String, Expression)
  /// `TERNARY(condition, value, otherwise)`
  case conditional(Predicate, Expression, Expression)
  case cast(Expression, to: CastType)
  /// `SUBQUERY(collection, $variable, condition)`: the elements that satisfy the condition.
  case subquery(Expression, variable: String, Predicate)
  /// `FETCH(request, context, countOnly)`
  case fetch(request: Expression, context: Expression, countOnly: Bool)
  /// `{a, b, c}`
  case aggregate([Expression])

  /// A key path from the evaluated object.
  package static func keyPath(_ keys: String...) -> Self { .keyPath(keys, of: nil) }

  /// What stands in the brackets of `collection[…]`.
  package enum Subscript: Hashable, Sendable {
    case first, last, size
    /// A position, counted from 0, or a dictionary's key.
    case expression(Expression)
  }

  package enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    /// Binds to the left, as all the others do.
    case power = "**"

    var precedence: Precedence {
      switch self {
      case .add, .subtract: .additive
      case .multiply, .divide: .multiplicative
      case .power: .power
      }
    }
  }

  package enum SetOperator: String, Hashable, Sendable, CaseIterable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
  }

  /// What a `CAST` makes of a value. Raw values are the classes named in the text.
  package enum CastType: String, Hashable, Sendable, CaseIterable {
    /// From seconds since 2001-01-01 00:00 UTC.
    case date = "NSDate"
    case number = "NSNumber"
    case decimalNumber = "NSDecimalNumber"
    case string = "NSString"
  }
}

/// What an operator or an operand binds; a higher one binds closer, and may stand unenclosed in more places.
enum Precedence: Int, Comparable {
  case or, and, comparison, assignment, set, additive, multiplicative, power, operand, receiver

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// What the right side of an operator that binds to the left must bind closer than.
  var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .receiver }
}

/// A literal.
package enum ConstantValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number with a fraction or an exponent, or one beyond 64 bits.
  case decimal(DecimalText)
  case string(String)
}

/// The text of a decimal number, kept so that `1.10` stays the decimal 1.10 and no digit is lost.
package struct DecimalText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Parameter text: digits with an optional sign, fraction and exponent (`-1.10`, `2e9`); nil for any other
  ///   text, and for one that ``ConstantValue/integer(_:)`` holds.
  package init?(_ text: String) {
    guard text.wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil, Int64(text) == nil else {
      return nil
    }
    self.description = text
  }

  /// The nearest double; infinite where the number is beyond its range.
  package var doubleValue: Double { Double(description) ?? .nan }
}

/// A call of a predefined function, or of a method of an object: `FUNCTION(receiver, "selector:", argument)`.
package struct FunctionCall: Hashable, Sendable {
  /// The object whose method it is; nil for a ``PredefinedFunction``.
  package var receiver: Expression?
  /// With its colons: `add:to:`, `now`.
  package var selector: String
  package var arguments: [Expression]

  package init(receiver: Expression? = nil, _ selector: String, _ arguments: [Expression] = []) {
    (self.receiver, self.selector, self.arguments) = (receiver, selector, arguments)
  }
}
