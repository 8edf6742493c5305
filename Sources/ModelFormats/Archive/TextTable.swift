/// The texts of an archive, each once, by number.
///
/// Keys of objects, strings that are objects, and what stands in a property list beside them are the same texts again
/// and again: each is looked up once, everything after that goes by number.
struct TextTable {
  private(set) var texts: [String] = []
  private var numbers: [ExactText: Int] = [:]

  init(capacity: Int = 0) {
    texts.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  mutating func number(of text: String) -> Int {
    if let known = numbers[ExactText(text)] { return known }
    let number = texts.count
    numbers[ExactText(text)] = number
    texts.append(text)
    return number
  }
}
