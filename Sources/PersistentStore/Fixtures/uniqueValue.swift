import Foundation
import ManagedModel
import ModelFormats

/// How many different values ``uniqueValue(_:of:among:)`` can make of an attribute; `Int.max` for as many as anyone
/// wants.
func uniqueCapacity(of attribute: AttributeDescription) -> Int {
  let bounds = ValueBounds(attribute)
  switch attribute.type {
  case .boolean: return 2
  case .integer16, .integer32, .integer64:
    let range = bounds.integers
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    return overflow || width == .max ? .max : Int(width) + 1
  case .string:
    guard bounds.mostLength < 13 else { return .max }
    return (0..<bounds.mostLength).reduce(1) { count, _ in count * 36 }
  case .float, .double, .date, .decimal:
    let isBounded = bounds.minimum != nil || bounds.maximum != nil
    if isBounded, bounds.minimum == bounds.maximum { return 1 }
    return attribute.type == .float ? 1 << 20 : 1 << 40
  case .uuid, .uri, .binary, .transformable: return .max
  case .undefined, .objectID, .composite: return 0
  }
}

/// The value of a number, another for every number below the capacity.
///
/// - Parameter count: how many are wanted in all: types with bounds spread them.
func uniqueValue(_ number: Int, of attribute: AttributeDescription, among count: Int) -> AttributeValue? {
  let bounds = ValueBounds(attribute)
  // Between the bounds, none of them twice.
  let part = (Double(number) + 0.5) / Double(max(1, count))
  switch attribute.type {
  case .boolean: return .boolean(number != 0)
  case .integer16, .integer32, .integer64:
    return uniqueInteger(number, bounds.integers, count).map { .integer($0) }
  case .double, .date, .float:
    let plain = Double(number) + (attribute.type == .float ? 0 : 0.5)
    let value: Double =
      switch bounds.doubles {
      case (let low?, let high?): low + (high - low) * part
      case (let low?, nil): low + plain
      case (nil, let high?): high - plain
      case (nil, nil): plain
      }
    if attribute.type == .date { return .date(value) }
    return .double(attribute.type == .float ? Double(Float(value)) : value)
  case .decimal:
    let plain = Decimal(number) + Decimal(25) / 100
    guard case .decimal(let low)? = bounds.minimum else {
      if case .decimal(let high)? = bounds.maximum { return .decimal(high - plain) }
      return .decimal(plain)
    }
    guard case .decimal(let high)? = bounds.maximum else { return .decimal(low + plain) }
    return .decimal(low + product(high - low, Decimal(number)) / Decimal(max(1, count)))
  case .string: return .string(uniqueText(number, bounds))
  case .uri: return .uri("https://example.org/\(attribute.name)/\(number)")
  case .uuid:
    var bytes = SeededRandom(stableHash(attribute.name)).wholeUUID
    for index in 0..<6 { bytes[15 - index] = UInt8(truncatingIfNeeded: number >> (index * 8)) }
    return .uuid(UUID(bytes: bytes))
  case .binary: return .binary(Data((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }))
  case .transformable:
    return .binary(
      archivedObject(.string("\(attribute.name) \(number)"), className: attribute.attributeValueClassName))
  case .undefined, .objectID, .composite: return nil
  }
}

extension SeededRandom {
  fileprivate var wholeUUID: [UInt8] {
    var copy = self
    var bytes = copy.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}

/// Both bounds first, where there is room; then small numbers, or those from the lower bound on. Nil beyond the upper
/// one.
private func uniqueInteger(_ number: Int, _ range: ClosedRange<Int64>, _ count: Int) -> Int64? {
  let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
  guard overflow || width > Int64(count) + 4 else { return sum(range.lowerBound, number) }
  switch number {
  case 0: return range.upperBound
  case 1: return range.lowerBound
  default:
    let base = range.lowerBound < 0 && range.upperBound > Int64(count) + 4 ? 0 : range.lowerBound
    return sum(base, number)
  }
}

/// Nil where 64 bits do not hold it.
private func sum(_ left: Int64, _ right: Int) -> Int64? {
  let (sum, overflow) = left.addingReportingOverflow(Int64(right))
  return overflow ? nil : sum
}

/// Long texts end in their number, short ones are nothing but a number of fixed width.
private func uniqueText(_ number: Int, _ bounds: ValueBounds) -> String {
  guard bounds.mostLength >= 13 else {
    let digits = String(number, radix: 36)
    return String(repeating: "0", count: max(0, bounds.mostLength - digits.count)) + digits
  }
  // The part before the number is as long as the rules demand and says nothing.
  let digits = "\(number)"
  let lead = number % 3 == 0 && bounds.mostLength > 40 ? "Nº é " : "n "
  let missing = bounds.leastLength - lead.utf16.count - digits.utf16.count
  return lead + String(repeating: ".", count: max(0, missing)) + digits
}
