import Foundation
import ManagedModel
import ModelFormats

/// The values at which programs break, by type: bounds, zero, early dates, texts of every script.
///
/// Those that an attribute's own rules forbid are sorted out later, and its own bounds are added.
func edgeValues(of attribute: AttributeDescription) -> [AttributeValue] {
  let own = [attribute.validation.minimum, attribute.validation.maximum].compactMap {
    $0.flatMap { AttributeValue(parsing: $0, as: attribute.type) }
  }
  return own + typeEdges(attribute.type, attribute)
}

/// Values that occur once each, because of their size.
func rareValues(of attribute: AttributeDescription) -> [AttributeValue] {
  switch attribute.type {
  case .string:
    let most = attribute.validation.maximumLength ?? 70_000
    return [longText(of: max(0, min(most, 70_000)))]
  case .binary:
    // Beyond the limit a value lies in a file of its own, where the attribute allows that.
    return [bytes(externalDataThreshold + 1), bytes(externalDataThreshold), bytes(300_000)]
  default: return []
  }
}

private func typeEdges(_ type: AttributeType, _ attribute: AttributeDescription) -> [AttributeValue] {
  switch type {
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
    [
      .uuid(UUID(bytes: Array(repeating: 0, count: 16))),
      .uuid(UUID(bytes: Array(repeating: 255, count: 16))),
    ]
  case .binary: [Data(), Data([0]), Data([1, 2, 3]), Data(repeating: 0xFF, count: 64)].map { .binary($0) }
  case .transformable where attribute.defaultValue.map { $0.text == nil } == true: []
  case .transformable:
    edgeTexts.prefix(6).map {
      .binary(archivedObject(.string($0), className: attribute.attributeValueClassName))
    }
  case .undefined, .objectID, .composite: []
  }
}

private func integers(_ numbers: [Int64]) -> [AttributeValue] { numbers.map { .integer($0) } }

/// Composed and decomposed letters, joined emoji, both directions of writing, quotes, line ends, words that other
/// languages take for something else.
let edgeTexts = [
  "", " ", "a", "Étoile", "E\u{301}toile", "👩‍👩‍👧‍👦 🏔️", "שלום עולם", "مرحبا بالعالم", "日本語の文章", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  "ﬁ ß İ ı",
  "it's \"quoted\" \\ 100 %_", "two\nlines\r\nand\ta tab", "NULL", "0", "'; DROP TABLE ZPLACE; --",
  "\u{FEFF}mark",
]

private func longText(of length: Int) -> AttributeValue {
  let words =
    "The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor quer über den Deich. "
  let text = String(repeating: words, count: length / words.utf16.count + 1)
  return .string(String(text.utf16.prefix(length)) ?? "")
}

private func bytes(_ count: Int) -> AttributeValue {
  var random = SeededRandom(UInt64(count))
  return .binary(Data(random.bytes(count)))
}
