import Foundation

extension Evaluator {
  mutating func holds(_ predicate: Predicate) throws -> Bool {
    try descend()
    defer { ascend() }
    switch predicate {
    case .constant(let value): return value
    case .not(let operand): return try !holds(operand)
    case .and(let operands):
      for operand in operands where try !holds(operand) { return false }
      return true
    case .or(let operands):
      for operand in operands where try holds(operand) { return true }
      return false
    case .comparison(let comparison):
      do {
        return try holds(comparison)
      } catch var error as EvaluationError where error.expression == nil {
        error.expression = comparison.predicateFormat
        throw error
      }
    }
  }

  private mutating func holds(_ comparison: ComparisonPredicate) throws -> Bool {
    let left = try value(of: comparison.left)
    if comparison.modifier == .direct {
      return try compare(left, comparison, try value(of: comparison.right))
    }
    // A single value is any and all of itself. Nil has no values, and nothing to compare with.
    let values = left.elements.flattened
    if values.isEmpty { return comparison.modifier != .any }
    let right = try value(of: comparison.right)
    switch comparison.modifier {
    case .any: return try values.contains { value throws in try compare(value, comparison, right) }
    case .all: return try values.allSatisfy { value throws in try compare(value, comparison, right) }
    default: return try !values.contains { value throws in try compare(value, comparison, right) }
    }
  }

  private func compare(
    _ left: ExpressionValue, _ comparison: ComparisonPredicate, _ right: ExpressionValue
  ) throws -> Bool {
    if comparison.options.contains(.localeSensitive) { throw EvaluationError.localeSensitive }
    return try left.satisfies(
      comparison.operator, right, options: comparison.options, patterns: context.patterns)
  }
}

extension ExpressionValue {
  /// One comparison of two values. With nil, all but `==` and `!=` are false.
  ///
  /// - Parameter options: case, diacritics and normalization; not the locale.
  package func satisfies(
    _ comparison: ComparisonPredicate.Operator, _ right: ExpressionValue,
    options: ComparisonPredicate.Options, patterns: PatternCache
  ) throws -> Bool {
    let name = comparison.rawValue
    switch comparison {
    case .equalTo: return areEqual(folded(options), right.folded(options))
    case .notEqualTo: return !areEqual(folded(options), right.folded(options))
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      guard let order = try order(folded(options), right.folded(options), operation: name) else {
        return false
      }
      return switch comparison {
      case .lessThan: order < 0
      case .lessThanOrEqualTo: order <= 0
      case .greaterThan: order > 0
      default: order >= 0
      }
    case .between:
      guard let (least, greatest) = try bounds(right) else { return false }
      guard let low = try order(folded(options), least.folded(options), operation: name),
        let high = try order(folded(options), greatest.folded(options), operation: name)
      else { return false }
      return low >= 0 && high <= 0
    case .in: return try contains(right, self, name, options)
    case .contains: return try contains(self, right, name, options)
    case .matches, .like, .beginsWith, .endsWith, .utiEquals:
      guard let (text, part) = try texts(self, right, name) else { return false }
      return try text.satisfies(comparison, part, options: options, patterns: patterns)
    case .utiConformsTo:
      throw EvaluationError(
        "'\(name)' needs the system's table of types, so its result would differ by machine")
    }
  }

  /// Text without what the options ignore; anything else as it is.
  fileprivate func folded(_ options: ComparisonPredicate.Options) -> ExpressionValue {
    guard !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) else { return self }
    return characters.map { .string($0.folded(options)) } ?? self
  }
}

private func bounds(_ value: ExpressionValue) throws -> (ExpressionValue, ExpressionValue)? {
  if value.isNull { return nil }
  guard case .collection(let collection) = value, collection.elements.count == 2 else {
    throw EvaluationError.wrongType("BETWEEN", takes: "two bounds", value)
  }
  return (collection.elements[0], collection.elements[1])
}

/// Whether a collection has an element, or a text a part.
private func contains(
  _ whole: ExpressionValue, _ part: ExpressionValue, _ name: String, _ options: ComparisonPredicate.Options
) throws -> Bool {
  switch whole {
  case .null: return false
  case .collection(let collection):
    let sought = part.folded(options)
    return collection.elements.contains { areEqual($0.folded(options), sought) }
  case .dictionary(let entries): return entries.values.contains { areEqual($0.folded(options), part) }
  default:
    guard let (text, part) = try texts(whole, part, name) else { return false }
    return text.folded(options).containsText(part.folded(options))
  }
}

/// - Returns: nil if either is nil.
private func texts(
  _ left: ExpressionValue, _ right: ExpressionValue, _ name: String
) throws -> (String, String)? {
  if left.isNull || right.isNull { return nil }
  guard let l = left.spelling else { throw EvaluationError.wrongType(name, takes: "strings", left) }
  guard let r = right.spelling else { throw EvaluationError.wrongType(name, takes: "strings", right) }
  return (l, r)
}

extension EvaluationError {
  fileprivate static let localeSensitive = EvaluationError(
    "a comparison by locale would differ by machine", help: ["leave out the 'l' in brackets"])
}
