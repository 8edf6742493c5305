import Foundation

/// Writes a binary property list (`bplist00`); equal values give equal bytes.
///
/// The layout is that of CoreFoundation's writer: a table of objects, each scalar once, big-endian integers of
/// 1, 2, 4 or 8 bytes, strings in ASCII or UTF-16, then the offsets and a trailer of 32 bytes.
func encodeBinaryPropertyList(_ value: PropertyListValue) -> Data {
  var encoder = BinaryPropertyListEncoder()
  let top = encoder.add(value)
  return encoder.data(top: top)
}

/// The table of objects of a binary property list, built value by value.
///
/// The order of calls decides the numbers and so the bytes. A collection is added with its length and filled
/// afterwards, because it comes before its elements.
struct BinaryPropertyListEncoder {
  /// One object, without a reference count: an archive has a hundred thousand.
  enum Item {
    /// Its number in ``texts``.
    case text(Int)
    case reference(Int)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Its place in ``blobs``.
    case data(Int)
    /// Where its elements are in ``links``.
    case array(Range<Int>)
    /// Where its keys, then its values are in ``links``.
    case dictionary(Range<Int>)
  }

  private(set) var items: [Item] = []
  /// The numbers of elements, keys and values of all collections.
  private(set) var links: [Int] = []
  private(set) var texts: TextTable
  private(set) var blobs: [Data] = []
  /// The numbers of scalars that exist already; -1 for those that do not.
  private var itemsOfTexts: [Int]
  private var itemsOfReferences: [Int]
  private var itemsOfBooleans = [-1, -1]
  /// For the small ones, which nearly all are.
  private var itemsOfIntegers = Array(repeating: -1, count: 2048)
  private var others: [PropertyListValue: Int] = [:]

  /// - Parameters:
  ///   - texts: those that are numbered already; ``addText(_:)`` takes their numbers.
  ///   - referenceCount: how many objects references can be to, where that is known.
  init(texts: TextTable = TextTable(), referenceCount: Int = 0) {
    self.texts = texts
    itemsOfTexts = Array(repeating: -1, count: texts.texts.count)
    itemsOfReferences = Array(repeating: -1, count: referenceCount)
    items.reserveCapacity(referenceCount * 3)
    links.reserveCapacity(referenceCount * 16)
  }

  mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements):
      let index = addArray(count: elements.count)
      for (place, element) in elements.enumerated() { setElement(place, of: index, add(element)) }
      return index
    case .dictionary(let entries):
      let index = addDictionary(count: entries.count)
      for (place, entry) in entries.enumerated() {
        setKey(place, of: index, addText(texts.number(of: entry.key)))
        setValue(place, of: index, add(entry.value))
      }
      return index
    case .string(let text): return addText(texts.number(of: text))
    case .reference(let place) where itemsOfReferences.indices.contains(place):
      if itemsOfReferences[place] < 0 { itemsOfReferences[place] = append(.reference(place)) }
      return itemsOfReferences[place]
    case .boolean(let flag):
      if itemsOfBooleans[flag ? 1 : 0] < 0 { itemsOfBooleans[flag ? 1 : 0] = append(.boolean(flag)) }
      return itemsOfBooleans[flag ? 1 : 0]
    // Not shared: 0.0 and -0.0 are equal, yet other bytes.
    case .real(let number): return append(.real(number))
    case .integer(let number) where number >= 0 && number < 2048:
      if itemsOfIntegers[Int(number)] < 0 { itemsOfIntegers[Int(number)] = append(.integer(number)) }
      return itemsOfIntegers[Int(number)]
    case .integer(let number): return addOther(value, .integer(number))
    case .reference(let place): return addOther(value, .reference(max(place, 0)))
    case .data(let data):
      blobs.append(data)
      return addOther(value, .data(blobs.count - 1))
    }
  }

  mutating func addText(_ number: Int) -> Int {
    while itemsOfTexts.count <= number { itemsOfTexts.append(-1) }
    if itemsOfTexts[number] < 0 { itemsOfTexts[number] = append(.text(number)) }
    return itemsOfTexts[number]
  }

  private mutating func addOther(_ value: PropertyListValue, _ item: Item) -> Int {
    if let known = others[value] { return known }
    let number = append(item)
    others[value] = number
    return number
  }

  private mutating func append(_ item: Item) -> Int {
    items.append(item)
    return items.count - 1
  }

  mutating func addArray(count: Int) -> Int { append(.array(addLinks(count))) }

  mutating func addDictionary(count: Int) -> Int { append(.dictionary(addLinks(count * 2))) }

  private mutating func addLinks(_ count: Int) -> Range<Int> {
    let start = links.count
    links.append(contentsOf: repeatElement(0, count: count))
    return start..<links.count
  }

  mutating func setElement(_ place: Int, of array: Int, _ item: Int) {
    guard case .array(let range) = items[array] else { return }
    links[range.lowerBound + place] = item
  }

  mutating func setKey(_ place: Int, of dictionary: Int, _ item: Int) {
    guard case .dictionary(let range) = items[dictionary] else { return }
    links[range.lowerBound + place] = item
  }

  mutating func setValue(_ place: Int, of dictionary: Int, _ item: Int) {
    guard case .dictionary(let range) = items[dictionary] else { return }
    links[range.lowerBound + range.count / 2 + place] = item
  }

  func data(top: Int) -> Data {
    var writer = BinaryPropertyListWriter(self)
    return writer.data(top: top)
  }
}
