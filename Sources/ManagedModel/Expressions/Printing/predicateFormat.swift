extension Predicate: CustomStringConvertible {
  /// The canonical text: keywords in capitals, strings in double quotation marks, parentheses where needed.
  /// Reading it gives an equal predicate.
  package var predicateFormat: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.predicateFormat
    case .not(let operand): "NOT \(operand.enclosedFormat)"
    case .and(let operands): joined(operands, " AND ", none: "TRUEPREDICATE")
    case .or(let operands): joined(operands, " OR ", none: "FALSEPREDICATE")
    }
  }

  package var description: String { predicateFormat }

  private func joined(_ operands: [Predicate], _ separator: String, none: String) -> String {
    switch operands.count {
    case 0: none
    case 1: operands[0].predicateFormat
    default: operands.map(\.enclosedFormat).joined(separator: separator)
    }
  }

  /// In parentheses, unless it binds closer than anything around it.
  private var enclosedFormat: String {
    switch self {
    case .constant, .comparison: predicateFormat
    case .not, .and, .or: "(\(predicateFormat))"
    }
  }
}

extension ComparisonPredicate {
  /// The canonical text; see ``Predicate/predicateFormat``.
  package var predicateFormat: String {
    let sides = (left.format(in: .assignment), right.format(in: .assignment))
    let prefix = modifier == .direct ? "" : modifier.rawValue + " "
    return "\(prefix)\(sides.0) \(`operator`.rawValue)\(options.format) \(sides.1)"
  }
}

extension ComparisonPredicate.Options {
  fileprivate var format: String {
    guard !isEmpty else { return "" }
    return "[" + String(scalars: Self.letters.filter { contains($0.option) }.map(\.letter)) + "]"
  }
}
