import ManagedModel

/// The texts of an archive, each once, by number; two are one text only byte for byte.
///
/// Keys of objects, strings that are objects, and what stands in a property list beside them are the same texts again
/// and again: each is looked up once, everything after that goes by number.
struct TextTable {
  private var texts: [(text: String, isASCII: Bool)] = []
  private var numbers: [ExactText: Int] = [:]

  /// - Parameter capacity: how many texts there may be before the table grows.
  init(capacity: Int) {
    texts.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  var count: Int { texts.count }

  mutating func number(of text: String) -> Int {
    if let known = numbers[ExactText(text)] { return known }
    let number = texts.count
    numbers[ExactText(text)] = number
    texts.append((text, text.utf8.allSatisfy { $0 < 0x80 }))
    return number
  }

  func isASCII(_ number: Int) -> Bool { texts[number].isASCII }

  func text(_ number: Int) -> String { texts[number].text }
}

/// A text that equals another one with the same bytes only.
private struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.hasBytes(of: right.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
