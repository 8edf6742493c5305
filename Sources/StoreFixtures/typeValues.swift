import Foundation
import ManagedModel
import ModelArchives
import PersistentStore

extension AttributeDescription {
  /// A value as it is in most rows of most stores, within the attribute's bounds and lengths.
  func everydayValue(_ random: inout SeededRandom) -> AttributeValue? {
    let bounds = ValueBounds(self)
    switch type {
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
    case .string: return .string(words(&random).fitted(bounds, &random))
    case .uri: return .uri("https://example.org/\(word(&random))/\(random.number(below: 100_000))")
    case .uuid: return .uuid(random.uuid())
    case .binary: return .binary(Data(random.bytes(random.number(below: 48))))
    case .transformable:
      // What a transformer of the app's own makes, only the app knows; the model's default is such a value.
      if case .archived(let data)? = defaultValue { return .binary(data) }
      guard let element = elementType(of: self) else {
        return .binary(archivedObject([], className: attributeValueClassName))
      }
      let wanted = hasGenericClass ? random.number(below: 4) : 1
      let values = (0..<wanted).compactMap { _ in
        AttributeDescription(name: "", type: element).everydayValue(&random)
      }
      return .binary(archivedObject(values, className: attributeValueClassName))
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// Whether its values are collections of Swift's.
  var hasGenericClass: Bool { attributeValueClassName?.hasSuffix(">") ?? false }

  /// How many different values ``uniqueValue(_:of:among:)`` can make of an attribute; `Int.max` for as many as anyone
  /// wants.
  func uniqueCapacity() -> Int {
    if let cases = validation.listedValues { return cases.count }
    let bounds = ValueBounds(self)
    switch type {
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
      return type == .float ? 1 << 20 : 1 << 40
    case .uuid, .uri, .binary, .transformable: return .max
    case .undefined, .objectID, .composite: return 0
    }
  }
}

extension AttributeType {
  /// The values at which programs break, by type.
  func edges(_ attribute: AttributeDescription) -> [AttributeValue] {
    switch self {
    case .integer16: integers([0, 1, -1, Int64(Int16.max), Int64(Int16.min), 255, 256])
    case .integer32: integers([0, 1, -1, Int64(Int32.max), Int64(Int32.min), 65_536])
    case .integer64: integers([0, 1, -1, .max, .min, 9_007_199_254_740_993, 4_294_967_296])
    case .boolean: [.boolean(true), .boolean(false)]
    case .double:
      [0, 0.1, -0.5, 1e15, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 3]
        .map { .double($0) }
    case .float:
      [0, Double(Float(0.1)), -0.5, 16_777_216, Double(Float.greatestFiniteMagnitude), 3].map { .double($0) }
    // No more than 15 digits: the column is a double (store-format.md 3).
    case .decimal:
      ["0", "10.11", "-0.01", "3.33333333333333", "999999999999999", "0.000001", "1"].compactMap {
        Decimal(string: $0).map { .decimal($0) }
      }
    // The reference date, before it, before 1970, before the Gregorian calendar, distant past and future.
    case .date:
      [
        0, -1, 0.25, -978_307_200, -978_307_201.5, -1_000_000_000, 737_057_651.669581, -13_197_600_000,
        -63_114_076_800, 64_092_211_200,
      ]
      .map { .date($0) }
    case .string: edgeTexts.map { .string($0) }
    case .uri:
      [
        "https://example.org/a%20b?q=%C3%BC#f", "file:///tmp/%E2%98%83", "mailto:a@example.org",
        "x-coredata://0F5E3C1A-7C0B-4D57-9E43-3B1D0A9C5E11/Place/p1", "urn:isbn:0451450523",
      ].map { .uri($0) }
    case .uuid:
      [UInt8.min, .max].map { .uuid(UUID(bytes: Array(repeating: $0, count: 16))) }
    case .binary: [Data(), Data([0]), Data([1, 2, 3]), Data(repeating: 0xFF, count: 64)].map { .binary($0) }
    case .transformable where attribute.defaultValue.map { $0.text == nil } == true: []
    case .transformable:
      (elementType(of: attribute).map { $0.edges(attribute) } ?? []).prefix(6).map {
        .binary(archivedObject([$0], className: attribute.attributeValueClassName))
      }
    case .undefined, .objectID, .composite: []
    }
  }

  /// The type whose values Swift has as that one; nil for types of the app's own.
  init?(swiftName: String) {
    let named = Self.allCases.first { $0.traits.swiftType == swiftName }
    guard let type = swiftName == "Int" ? .integer64 : named else { return nil }
    self = type
  }

  /// Of several attributes whose values cannot repeat, the one with the highest rank counts: its values say least
  /// elsewhere.
  var uniquenessRank: Int {
    switch self {
    case .uuid: 5
    case .string: 4
    case .integer64, .integer32: 3
    case .uri: 2
    default: 1
    }
  }
}

/// The type of the values that a transformable attribute's are made of; nil if they are the app's own.
private func elementType(of attribute: AttributeDescription) -> AttributeType? {
  guard attribute.hasGenericClass, let name = attribute.attributeValueClassName,
    let words = Optional(name.split { "<>, ".contains($0) }.filter { $0 != "Optional" }),
    let last = words.last
  else { return .string }
  // Of a list of lists the inner ones could be anything.
  guard words.count == (words.first == "Dictionary" ? 3 : 2) else { return nil }
  if words.first == "Dictionary", words[1] != "String" { return nil }
  return AttributeType(swiftName: String(last))
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
    let value = ValueBounds.place(bounds.doubles.low, bounds.doubles.high, beyond: plain) { $0 * part }
    if attribute.type == .date { return .date(value) }
    return .double(attribute.type == .float ? Double(Float(value)) : value)
  case .decimal:
    let plain = Decimal(number) + Decimal(25) / 100
    return .decimal(
      ValueBounds.place(bounds.decimals.low, bounds.decimals.high, beyond: plain) {
        product($0, Decimal(number)) / Decimal(max(1, count))
      })
  case .string: return .string(bounds.uniqueText(number))
  case .uri: return .uri("https://example.org/\(attribute.name)/\(number)")
  case .uuid:
    var random = SeededRandom(stableHash(attribute.name))
    var bytes = Array(random.uuid().bytes)
    for index in 0..<6 { bytes[15 - index] = UInt8(truncatingIfNeeded: number >> (index * 8)) }
    return .uuid(UUID(bytes: bytes))
  case .binary: return .binary(Data((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }))
  case .transformable:
    let type = elementType(of: attribute) ?? .string
    let element = AttributeDescription(name: attribute.name, type: type)
    let value: AttributeValue? =
      type == .string
      ? .string("\(attribute.name) \(number)") : uniqueValue(number, of: element, among: count)
    return .binary(archivedObject([value].compactMap(\.self), className: attribute.attributeValueClassName))
  case .undefined, .objectID, .composite: return nil
  }
}
