import Foundation
import ManagedModel
import PersistentStore

/// What the rules of an attribute leave, for types with bounds or lengths.
struct ValueBounds {
  let minimum: AttributeValue?
  let maximum: AttributeValue?
  /// In UTF-16 units: a text that has to be longer is none that a fixture can have.
  static let longestText = 1 << 20

  /// In UTF-16 units.
  let leastLength: Int
  let mostLength: Int
  private let type: AttributeType

  init(_ attribute: AttributeDescription) {
    let rules = attribute.validation
    type = attribute.type
    (minimum, maximum) = rules.bounds(of: attribute.type)
    leastLength = min(max(0, rules.minimumLength ?? 0), Self.longestText)
    mostLength = max(leastLength, rules.maximumLength ?? 1 << 30)
  }

  var integers: ClosedRange<Int64> {
    let range = type.traits.integerRange ?? .min ... .max
    var (low, high) = (range.lowerBound, range.upperBound)
    if case .integer(let bound)? = minimum { low = max(low, bound) }
    if case .integer(let bound)? = maximum { high = min(high, bound) }
    return low...max(low, high)
  }

  func integer(near wanted: Int64, _ random: inout SeededRandom) -> Int64 {
    let range = integers
    if range.contains(wanted) { return wanted }
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    return range.lowerBound + Int64(random.number(below: overflow ? 1000 : Int(min(width, 1000)) + 1))
  }

  var doubles: (low: Double?, high: Double?) {
    (minimum.flatMap(\.doubleValue), maximum.flatMap(\.doubleValue))
  }

  var decimals: (low: Decimal?, high: Decimal?) {
    (minimum.flatMap(\.decimalValue), maximum.flatMap(\.decimalValue))
  }

  func double(near wanted: Double, _ random: inout SeededRandom) -> Double {
    let (low, high) = doubles
    if low.map({ wanted >= $0 }) ?? true, high.map({ wanted <= $0 }) ?? true { return wanted }
    let part = Double(random.number(below: 1024)) / 1024
    return min(high ?? .infinity, Self.place(low, high, beyond: part * 1000) { $0 * part })
  }

  func decimal(near wanted: Decimal, _ random: inout SeededRandom) -> Decimal {
    let (low, high) = decimals
    if low.map({ wanted >= $0 }) ?? true, high.map({ wanted <= $0 }) ?? true { return wanted }
    let part = Decimal(random.number(below: 1024)) / 1024
    let value = Self.place(low, high, beyond: product(part, 1000)) { product($0, part) }
    return high.map { min($0, value) } ?? value
  }

  /// - Parameters:
  ///   - distance: from the bound, where there is but one, or from nothing.
  ///   - part: how far above the lower bound, of the distance between two.
  static func place<Value: AdditiveArithmetic>(
    _ low: Value?, _ high: Value?, beyond distance: Value, part: (Value) -> Value
  ) -> Value {
    switch (low, high) {
    case (let low?, let high?): low + part(high - low)
    case (let low?, nil): low + distance
    case (nil, let high?): high - distance
    case (nil, nil): distance
    }
  }
}

extension AttributeValue {
  fileprivate var doubleValue: Double? {
    switch self {
    case .double(let number), .date(let number): number
    default: nil
    }
  }

  fileprivate var decimalValue: Decimal? { if case .decimal(let number) = self { number } else { nil } }
}
