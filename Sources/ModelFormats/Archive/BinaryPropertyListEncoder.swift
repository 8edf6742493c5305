import Foundation

/// The table of objects of a binary property list, built value by value.
///
/// The order of calls decides the numbers and so the bytes. A collection is added with its length and filled
/// afterwards, because it comes before its elements.
struct BinaryPropertyListEncoder {
  /// One object, without a reference count: an archive has a hundred thousand.
  enum Item {
    /// Its number in ``texts``.
    case text(Int32)
    case reference(Int32)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Its number in ``blobs``.
    case data(Int32)
    /// Where its elements begin in ``links``, and how many there are.
    case array(start: Int32, count: Int32)
    /// Where its keys begin in ``links``, and how many there are; as many values follow.
    case dictionary(start: Int32, count: Int32)
  }

  private(set) var items: [Item] = []
  /// The numbers of elements, keys and values of all collections.
  private(set) var links: [Int32] = []
  private(set) var texts: TextTable
  private(set) var blobs = TextTable()
  /// The numbers of scalars that exist already; -1 for those that do not.
  private var itemsOfTexts: [Int32]
  private var itemsOfBlobs: [Int32] = []
  private var itemsOfReferences: [Int32]
  private var itemsOfBooleans: [Int32] = [-1, -1]
  /// For the small ones, which nearly all are.
  private var itemsOfIntegers: [Int32] = Array(repeating: -1, count: 2048)
  private var others: [PropertyListValue: Int32] = [:]

  /// - Parameters:
  ///   - texts: those that are numbered already; ``addText(_:)`` takes their numbers.
  ///   - referenceCount: how many objects references can be to, where that is known.
  ///   - linkCount: how many keys and values there are, where that is known.
  init(texts: TextTable = TextTable(), referenceCount: Int = 0, linkCount: Int = 0) {
    self.texts = texts
    itemsOfTexts = Array(repeating: -1, count: texts.count)
    itemsOfReferences = Array(repeating: -1, count: referenceCount)
    items.reserveCapacity(referenceCount * 3)
    links.reserveCapacity(linkCount)
  }

  mutating func add(_ value: PropertyListValue) -> Int32 {
    switch value {
    case .array(let elements):
      let array = addArray(count: elements.count)
      for (place, element) in elements.enumerated() { setLink(array.start + place, add(element)) }
      return array.item
    case .dictionary(let entries):
      let dictionary = addDictionary(count: entries.count)
      for (place, entry) in entries.enumerated() {
        setLink(dictionary.start + place, addText(texts.number(of: entry.key)))
        setLink(dictionary.start + entries.count + place, add(entry.value))
      }
      return dictionary.item
    case .string(let text): return addText(texts.number(of: text))
    case .reference(let place): return addReference(place)
    case .boolean(let flag): return addBoolean(flag)
    case .real(let number): return addReal(number)
    case .integer(let number): return addInteger(number)
    case .data(let data): return addData(data)
    }
  }

  mutating func addText(_ number: Int) -> Int32 {
    while itemsOfTexts.count <= number { itemsOfTexts.append(-1) }
    if itemsOfTexts[number] < 0 { itemsOfTexts[number] = append(.text(Int32(number))) }
    return itemsOfTexts[number]
  }

  private mutating func addData(_ data: Data) -> Int32 {
    let number = blobs.number(of: data)
    if number == itemsOfBlobs.count { itemsOfBlobs.append(append(.data(Int32(number)))) }
    return itemsOfBlobs[number]
  }

  mutating func addReference(_ place: Int) -> Int32 {
    guard place >= 0, place < itemsOfReferences.count else {
      let place = Int32(clamping: max(place, 0))
      return addOther(.reference(Int(place)), .reference(place))
    }
    if itemsOfReferences[place] < 0 { itemsOfReferences[place] = append(.reference(Int32(place))) }
    return itemsOfReferences[place]
  }

  mutating func addBoolean(_ flag: Bool) -> Int32 {
    if itemsOfBooleans[flag ? 1 : 0] < 0 { itemsOfBooleans[flag ? 1 : 0] = append(.boolean(flag)) }
    return itemsOfBooleans[flag ? 1 : 0]
  }

  mutating func addInteger(_ number: Int64) -> Int32 {
    guard number >= 0, number < 2048 else { return addOther(.integer(number), .integer(number)) }
    if itemsOfIntegers[Int(number)] < 0 { itemsOfIntegers[Int(number)] = append(.integer(number)) }
    return itemsOfIntegers[Int(number)]
  }

  /// Not shared: 0.0 and -0.0 are equal, yet other bytes.
  mutating func addReal(_ number: Double) -> Int32 { append(.real(number)) }

  private mutating func addOther(_ value: PropertyListValue, _ item: Item) -> Int32 {
    if let known = others[value] { return known }
    let number = append(item)
    others[value] = number
    return number
  }

  private mutating func append(_ item: Item) -> Int32 {
    items.append(item)
    return Int32(items.count - 1)
  }

  /// - Returns: the array's number, and where its elements go.
  mutating func addArray(count: Int) -> (item: Int32, start: Int) {
    let start = addLinks(count)
    return (append(.array(start: Int32(start), count: Int32(count))), start)
  }

  /// - Returns: the dictionary's number, and where its keys go; its values follow.
  mutating func addDictionary(count: Int) -> (item: Int32, start: Int) {
    let start = addLinks(count * 2)
    return (append(.dictionary(start: Int32(start), count: Int32(count))), start)
  }

  private mutating func addLinks(_ count: Int) -> Int {
    let start = links.count
    links.append(contentsOf: repeatElement(0, count: count))
    return start
  }

  mutating func setLink(_ place: Int, _ item: Int32) { links[place] = item }

  func data(top: Int32) -> Data { BinaryPropertyListWriter(self).data(top: Int(top)) }
}
