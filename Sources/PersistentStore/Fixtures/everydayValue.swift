import Foundation
import ManagedModel
import ModelFormats

/// A value as it stands in most rows of most stores, within the attribute's bounds and lengths.
func everydayValue(of attribute: AttributeDescription, _ random: inout SeededRandom) -> AttributeValue? {
  let bounds = ValueBounds(attribute)
  switch attribute.type {
  case .integer16, .integer32, .integer64:
    return .integer(bounds.integer(near: Int64(random.number(-200...2000)), &random))
  case .boolean: return .boolean(random.chance(50))
  case .double:
    return .double(bounds.double(near: Double(random.number(-100_000...1_000_000)) / 100, &random))
  case .float:
    return .double(Double(Float(bounds.double(near: Double(random.number(-1000...10_000)) / 8, &random))))
  case .decimal:
    return .decimal(bounds.decimal(near: Decimal(random.number(-10_000...1_000_000)) / 100, &random))
  // 1991 to 2037; one in three with fractions of a second.
  case .date:
    let seconds = Double(random.number(-315_000_000...1_136_000_000))
    return .date(bounds.double(near: random.chance(33) ? seconds + 0.125 : seconds, &random))
  case .string: return .string(fitted(words(&random), bounds, &random))
  case .uri: return .uri("https://example.org/\(word(&random))/\(random.number(below: 100_000))")
  case .uuid: return .uuid(random.uuid())
  case .binary: return .binary(Data(random.bytes(random.number(below: 48))))
  case .transformable:
    // What a transformer of the app's own makes, only the app knows; the model's default is such a value.
    if case .archived(let data)? = attribute.defaultValue { return .binary(data) }
    return .binary(
      archivedObject(.string(words(&random)), className: attribute.attributeValueClassName))
  case .undefined, .objectID, .composite: return nil
  }
}

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
    minimum = rules.minimum.flatMap { AttributeValue(parsing: $0, as: attribute.type) }
    maximum = rules.maximum.flatMap { AttributeValue(parsing: $0, as: attribute.type) }
    leastLength = min(max(0, rules.minimumLength ?? 0), Self.longestText)
    mostLength = max(leastLength, rules.maximumLength ?? 1 << 30)
  }

  var integers: ClosedRange<Int64> {
    let (least, most): (Int64, Int64) =
      switch type {
      case .integer16: (Int64(Int16.min), Int64(Int16.max))
      case .integer32: (Int64(Int32.min), Int64(Int32.max))
      default: (.min, .max)
      }
    var (low, high) = (least, most)
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

  func double(near wanted: Double, _ random: inout SeededRandom) -> Double {
    let (low, high) = doubles
    if low.map({ wanted >= $0 }) ?? true, high.map({ wanted <= $0 }) ?? true { return wanted }
    let part = Double(random.number(below: 1024)) / 1024
    switch (low, high) {
    case (let low?, let high?): return min(high, low + (high - low) * part)
    case (let low?, nil): return low + part * 1000
    case (nil, let high?): return high - part * 1000
    case (nil, nil): return wanted
    }
  }

  func decimal(near wanted: Decimal, _ random: inout SeededRandom) -> Decimal {
    let (low, high) = (minimum.flatMap(\.decimalValue), maximum.flatMap(\.decimalValue))
    if low.map({ wanted >= $0 }) ?? true, high.map({ wanted <= $0 }) ?? true { return wanted }
    let part = Decimal(random.number(below: 1024)) / 1024
    switch (low, high) {
    case (let low?, let high?): return min(high, low + product(high - low, part))
    case (let low?, nil): return low + product(part, 1000)
    case (nil, let high?): return high - product(part, 1000)
    case (nil, nil): return wanted
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

/// The text cut or drawn out to a length that the rules allow.
func fitted(_ text: String, _ bounds: ValueBounds, _ random: inout SeededRandom) -> String {
  var text = text
  var units = text.utf16.count
  while units < bounds.leastLength {
    let more = " " + word(&random)
    text += more
    units += more.utf16.count
  }
  guard units > bounds.mostLength else { return text }
  // Whole characters only: half a surrogate is no text.
  var cut = ""
  var length = 0
  for character in text {
    length += character.utf16.count
    guard length <= bounds.mostLength else { break }
    cut.append(character)
  }
  return cut + String(repeating: "x", count: max(0, bounds.leastLength - cut.utf16.count))
}

private func words(_ random: inout SeededRandom) -> String {
  var text = word(&random)
  for _ in 0..<random.number(below: 4) { text += " " + word(&random) }
  return text
}

private func word(_ random: inout SeededRandom) -> String {
  vocabulary[random.number(below: vocabulary.count)]
}

private let vocabulary =
  "ridge valley Hütte sentier ľad brook summit forêt larch glacier Übergang meadow niño scree cairn Gipfel lake moss"
  .split(separator: " ").map(String.init)
