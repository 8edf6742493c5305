import ManagedModel

/// The texts of an archive, each once, by number; two are one text only byte for byte.
///
/// Keys of objects, strings that are objects, and what stands in a property list beside them are the same texts again
/// and again: each is looked up once, everything after that goes by number.
struct TextTable {
  private var texts: [String] = []
  private var numbers: [ExactText: Int] = [:]

  /// - Parameter capacity: how many texts there may be before the table grows.
  init(capacity: Int) {
    texts.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  var count: Int { texts.count }

  mutating func number(of text: String) -> Int {
    let next = texts.count
    let number = Self.value(&numbers[ExactText(text: text), default: next])
    if number == next { texts.append(text) }
    return number
  }

  /// What stands there, or was put there by asking: one look-up for both.
  private static func value(_ place: inout Int) -> Int { place }

  func text(_ number: Int) -> String { texts[number] }
}

/// A text that equals another one with the same bytes only.
private struct ExactText: Hashable {
  let text: String

  static func == (left: Self, right: Self) -> Bool { left.text.hasBytes(of: right.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
