import Foundation
import ManagedModel
import PersistentStore

extension AttributeDescription {
  /// The values at which programs break, by type: bounds, zero, early dates, texts of every script.
  ///
  /// Those that an attribute's own rules forbid are sorted out later, and its own bounds are added.
  func edgeValues() -> [AttributeValue] {
    let bounds = validation.bounds(of: type)
    return [bounds.minimum, bounds.maximum].compactMap(\.self) + type.edges(self)
  }

  /// Values that occur once each, because of their size.
  func rareValues() -> [AttributeValue] {
    switch type {
    case .string:
      let length = max(0, min(validation.maximumLength ?? 70_000, 70_000))
      let words =
        "The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor quer über den Deich. "
      let text = String(repeating: words, count: length / words.utf16.count + 1)
      return [.string(String(text.utf16.prefix(length)) ?? "")]
    case .binary:
      // Beyond the limit a value lies in a file of its own, where the attribute allows that.
      return [bytes(externalDataThreshold + 1), bytes(externalDataThreshold), bytes(300_000)]
    default: return []
    }
  }
}

func integers(_ numbers: [Int64]) -> [AttributeValue] { numbers.map { .integer($0) } }

/// Composed and decomposed letters, joined emoji, both directions of writing, quotes, line ends, words that other
/// languages take for something else.
let edgeTexts = [
  "", " ", "a", "Étoile", "E\u{301}toile", "👩‍👩‍👧‍👦 🏔️", "שלום עולם", "مرحبا بالعالم", "日本語の文章", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  "ﬁ ß İ ı",
  "it's \"quoted\" \\ 100 %_", "two\nlines\r\nand\ta tab", "NULL", "0", "'; DROP TABLE ZPLACE; --",
  "\u{FEFF}mark",
]

private func bytes(_ count: Int) -> AttributeValue {
  var random = SeededRandom(UInt64(count))
  return .binary(Data(random.bytes(count)))
}
