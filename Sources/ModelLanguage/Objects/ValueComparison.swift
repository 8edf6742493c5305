import Expressions
import Foundation
import ManagedModel

/// Judges predicates over one value: comparisons of `SELF` or its length with constants, joined in any way.
struct ValueComparison {
  let value: AttributeValue

  init(_ value: AttributeValue) { self.value = value }

  static func canJudge(_ predicate: Expressions.Predicate) -> Bool {
    switch predicate {
    case .constant: true
    case .not(let inner): canJudge(inner)
    case .and(let parts), .or(let parts): parts.allSatisfy(canJudge)
    case .comparison(let comparison):
      comparison.modifier == .direct && comparison.options.isEmpty && isSubject(comparison.left)
        && isConstant(comparison.right) && known.contains(comparison.operator)
    }
  }

  private static let known: Set<ComparisonPredicate.Operator> = [
    .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches,
    .beginsWith, .endsWith, .in, .contains, .between,
  ]

  private static func isSubject(_ expression: Expressions.Expression) -> Bool {
    expression == .evaluatedObject || expression == .keyPath(["length"], of: nil)
      || expression == .keyPath(["length"], of: .evaluatedObject)
  }

  private static func isConstant(_ expression: Expressions.Expression) -> Bool {
    switch expression {
    case .constant: true
    case .aggregate(let elements): elements.allSatisfy(isConstant)
    case .negation(let inner): isConstant(inner)
    default: false
    }
  }

  /// Nil if the two sides do not compare.
  func satisfies(_ predicate: Expressions.Predicate) -> Bool? {
    switch predicate {
    case .constant(let result): return result
    case .not(let inner): return satisfies(inner).map { !$0 }
    case .and(let parts):
      let results = parts.map(satisfies)
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .or(let parts):
      let results = parts.map(satisfies)
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .comparison(let comparison): return satisfies(comparison)
    }
  }

  private func satisfies(_ comparison: ComparisonPredicate) -> Bool? {
    let subject: Operand? =
      comparison.left == .evaluatedObject ? Operand(value) : text.map { .number(Decimal($0.utf16.count)) }
    guard let subject else { return nil }
    switch comparison.operator {
    case .in, .between:
      guard case .aggregate(let elements) = comparison.right else { return nil }
      let operands = elements.compactMap(Operand.init)
      guard operands.count == elements.count else { return nil }
      if comparison.operator == .in { return operands.contains { subject.compared(to: $0) == 0 } }
      guard operands.count == 2, let low = subject.compared(to: operands[0]),
        let high = subject.compared(to: operands[1])
      else { return nil }
      return low >= 0 && high <= 0
    case .matches, .beginsWith, .endsWith, .contains:
      guard case .text(let text) = subject, case .text(let part)? = Operand(comparison.right) else {
        return nil
      }
      return compare(text, comparison.operator, part)
    default:
      guard let other = Operand(comparison.right), let order = subject.compared(to: other) else {
        return nil
      }
      return comparison.operator.admits(order)
    }
  }

  private var text: String? { if case .string(let text) = value { text } else { nil } }

  private func compare(_ text: String, _ operation: ComparisonPredicate.Operator, _ part: String) -> Bool? {
    switch operation {
    case .beginsWith: return text.hasPrefix(part)
    case .endsWith: return text.hasSuffix(part)
    case .contains: return part.isEmpty || text.firstRange(of: part) != nil
    default:
      return try? PatternCache().matches(text, part)
    }
  }
}

/// A side of a comparison.
private enum Operand {
  case number(Decimal)
  case text(String)

  init?(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .number(Decimal(number))
    case .decimal(let number): self = .number(number)
    case .double(let number), .date(let number):
      guard number.isFinite, let exact = number.decimal else { return nil }
      self = .number(exact)
    case .boolean(let flag): self = .number(flag ? 1 : 0)
    case .binary: return nil
    default: self = .text(value.text)
    }
  }

  init?(_ expression: Expressions.Expression) {
    switch expression {
    case .constant(.integer(let number)): self = .number(Decimal(number))
    case .constant(.boolean(let flag)): self = .number(flag ? 1 : 0)
    case .constant(.string(let text)): self = .text(text)
    case .constant(.decimal(let text)):
      guard let number = Decimal(string: text.description) else { return nil }
      self = .number(number)
    case .negation(let inner):
      guard case .number(let number)? = Operand(inner) else { return nil }
      self = .number(-number)
    default: return nil
    }
  }

  /// Less than, equal to or greater than 0; nil if the two are of different kinds.
  func compared(to other: Operand) -> Int? {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.text(let left), .text(let right)):
      left.precedesInCodePointOrder(right) ? -1 : right.precedesInCodePointOrder(left) ? 1 : 0
    default: nil
    }
  }
}

extension ComparisonPredicate.Operator {
  /// - Parameter order: of the two sides, as `compared(to:)` has it.
  fileprivate func admits(_ order: Int) -> Bool? {
    switch self {
    case .lessThan: order < 0
    case .lessThanOrEqualTo: order <= 0
    case .greaterThan: order > 0
    case .greaterThanOrEqualTo: order >= 0
    case .equalTo: order == 0
    case .notEqualTo: order != 0
    default: nil
    }
  }
}
