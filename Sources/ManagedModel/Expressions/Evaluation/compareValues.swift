import Foundation

/// A value as the element of a set or the key of a table: equal where ``areEqual(_:_:)`` says so.
struct ValueKey: Hashable {
  let value: ExpressionValue

  init(_ value: ExpressionValue) { self.value = value }

  static func == (left: Self, right: Self) -> Bool { areEqual(left.value, right.value) }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    // Numbers of different types may be equal, so all are hashed as one type.
    case .boolean(let value): hasher.combine(value ? 1.0 : 0.0)
    case .integer(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value.nearestDouble)
    // A UUID or URI equals the string that spells it.
    case .string, .uri:
      let text = value.characters ?? ""
      hasher.combine(UUID(uuidString: text)?.uuidString ?? text)
    case .uuid(let value): hasher.combine(value.uuidString)
    case .date(let seconds): hasher.combine(seconds)
    case .binary(let data): hasher.combine(data)
    case .object(let object): hasher.combine(object.expressionIdentity)
    case .collection(let collection): hasher.combine(collection.elements.count)
    case .dictionary(let entries): hasher.combine(entries.count)
    }
  }
}

/// Whether two values are equal: numbers by value whatever their types, strings byte by byte, objects by identity,
/// sets whatever their order; nil equals nil only.
///
/// A Boolean is the number 0 or 1. A UUID or URI equals the string that spells it: a literal can say them as
/// strings only. Values of other different kinds are not equal.
package func areEqual(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool {
  switch (left, right) {
  case (.null, .null): return true
  case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)),
    (.string(let left), .uri(let right)), (.uri(let left), .string(let right)):
    return left.hasBytes(of: right)
  case (.uuid(let left), .uuid(let right)): return left == right
  case (.uuid(let value), .string(let text)), (.string(let text), .uuid(let value)):
    return UUID(uuidString: text) == value
  case (.date(let left), .date(let right)): return left == right
  case (.binary(let left), .binary(let right)): return left == right
  case (.object(let left), .object(let right)): return left.expressionIdentity == right.expressionIdentity
  case (.collection(let left), .collection(let right)): return areEqual(left, right)
  case (.dictionary(let left), .dictionary(let right)):
    return left.count == right.count
      && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
  default: return Number.order(left, right) == 0
  }
}

private func areEqual(_ left: ValueCollection, _ right: ValueCollection) -> Bool {
  guard left.elements.count == right.elements.count else { return false }
  if left.kind == .set || right.kind == .set {
    return Set(left.elements.map(ValueKey.init)) == Set(right.elements.map(ValueKey.init))
  }
  return zip(left.elements, right.elements).allSatisfy { areEqual($0, $1) }
}

/// Negative, zero or positive as the left value comes before, with or after the right one. Nil if one of them is nil
/// or NaN, which have no place in the order.
///
/// - Throws: where the two are of kinds that have no common order.
package func order(_ left: ExpressionValue, _ right: ExpressionValue, operation: String) throws -> Int? {
  switch (left, right) {
  case (.null, _), (_, .null): return nil
  case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)),
    (.string(let left), .uri(let right)), (.uri(let left), .string(let right)):
    return left.precedesInCodePointOrder(right) ? -1 : left.hasBytes(of: right) ? 0 : 1
  case (.date(let left), .date(let right)):
    return left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  case (.uuid, .uuid), (.uuid, .string), (.string, .uuid):
    guard let l = left.spelling.flatMap(UUID.init(uuidString:))?.uuidString,
      let r = right.spelling.flatMap(UUID.init(uuidString:))?.uuidString
    else { break }
    // Both of hexadecimal digits, which are in the order of the bytes that they stand for.
    return l < r ? -1 : l == r ? 0 : 1
  case (.binary(let left), .binary(let right)):
    return left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
  default:
    if Number(left) != nil, Number(right) != nil { return Number.order(left, right) }
  }
  var help: [String] = []
  if case .collection = left { help = ["ask for any of them with 'ANY', or for all with 'ALL'"] }
  if case .date = left { help = ["a date is written 'CAST(seconds, \"NSDate\")', from 2001-01-01 00:00 UTC"] }
  throw EvaluationError("'\(operation)' cannot compare \(left.label) with \(right.label)", help: help)
}
