extension Expression: CustomStringConvertible {
  /// The canonical text; reading it gives an equal expression.
  package var description: String { format(in: .assignment) }

  /// The text, in parentheses where the place it stands in binds closer than the expression does.
  func format(in place: Precedence) -> String { precedence < place ? "(\(bareFormat))" : bareFormat }

  private var precedence: Precedence {
    switch self {
    case .assignment: .assignment
    case .set: .set
    case .arithmetic(let sign, _, _): sign.precedence
    case .negation: .operand
    // A period after a number or a further key after an operator would be read as part of it.
    case .constant(.integer), .constant(.decimal): .operand
    case .keyPath(let keys, _) where CollectionKeyPath(keys) != nil: .operand
    default: .receiver
    }
  }

  private var bareFormat: String {
    switch self {
    case .constant(let value): value.format
    case .evaluatedObject: "SELF"
    case .anyKey: "ANYKEY"
    case .variable(let name): "$\(name)"
    case .keyPath(let keys, let base):
      (base.map { $0.format(in: .receiver) + "." } ?? "") + keys.map(escapedKey).joined(separator: ".")
    case .index(let base, let position): "\(base.format(in: base.indexPlace))[\(position.format)]"
    case .function(let call): call.format
    case .arithmetic(let sign, let left, let right): infix(sign.rawValue, left, right)
    case .set(let sign, let left, let right): infix(sign.rawValue, left, right)
    case .negation(let operand):
      "-" + (operand.isNegation ? operand.bareFormat : operand.format(in: .receiver))
    case .assignment(let variable, let value): "$\(variable) := \(value)"
    case .conditional(let condition, let value, let otherwise):
      "TERNARY(\(condition), \(value), \(otherwise))"
    case .cast(let value, let type): "CAST(\(value), \"\(type.rawValue)\")"
    case .subquery(let collection, let variable, let condition):
      "SUBQUERY(\(collection), $\(variable), \(condition))"
    case .fetch(let request, let context, let countOnly):
      "FETCH(\(request), \(context), \(countOnly ? "YES" : "NO"))"
    case .aggregate(let elements): "{\(elements.map(\.description).joined(separator: ", "))}"
    }
  }

  /// A row of minus signs needs no parentheses, which would make a tree of few levels a text of many.
  private var isNegation: Bool { if case .negation = self { true } else { false } }

  private func infix(_ sign: String, _ left: Expression, _ right: Expression) -> String {
    "\(left.format(in: precedence)) \(sign) \(right.format(in: precedence.next))"
  }

  /// Brackets may follow a key path that ends in an operator, though no key may.
  private var indexPlace: Precedence { if case .keyPath = self { .operand } else { .receiver } }
}

extension Expression.Subscript {
  fileprivate var format: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .expression(let index): index.description
    }
  }
}

extension FunctionCall {
  fileprivate var format: String {
    guard let receiver else { return "\(selector)(\(arguments.map(\.description).joined(separator: ", ")))" }
    let parts = [receiver.description, selector.expressionLiteral()] + arguments.map(\.description)
    return "FUNCTION(\(parts.joined(separator: ", ")))"
  }
}

extension ConstantValue {
  fileprivate var format: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .integer(let value): "\(value)"
    case .decimal(let text): text.description
    case .string(let text): text.expressionLiteral()
    }
  }
}

private func escapedKey(_ key: String) -> String { ReservedWord(key) == nil ? key : "#\(key)" }
