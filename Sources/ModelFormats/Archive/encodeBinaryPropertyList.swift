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
  private enum Item {
    case scalar(PropertyListValue)
    /// Where its elements are in ``links``.
    case array(Range<Int>)
    /// Where its keys, then its values are in ``links``.
    case dictionary(Range<Int>)
  }

  private var items: [Item] = []
  /// The numbers of elements, keys and values of all collections.
  private var links: [Int] = []
  /// The numbers of scalars that exist already; small and frequent kinds have tables of their own.
  private var strings: [ExactText: Int] = [:]
  private var references: [Int?]
  private var others: [PropertyListValue: Int] = [:]

  /// - Parameter referenceCount: how many objects references can be to, where that is known.
  init(referenceCount: Int = 0) {
    references = Array(repeating: nil, count: referenceCount)
    items.reserveCapacity(referenceCount * 3)
    links.reserveCapacity(referenceCount * 8)
  }

  mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements):
      let index = addArray(count: elements.count)
      for (place, element) in elements.enumerated() { setElement(place, of: index, add(element)) }
      return index
    case .dictionary(let entries):
      let index = addDictionary(count: entries.count)
      for (place, entry) in entries.enumerated() { setEntry(place, of: index, entry.key, entry.value) }
      return index
    case .string(let text): return add(text)
    case .reference(let place) where references.indices.contains(place):
      if let known = references[place] { return known }
      references[place] = append(.scalar(value))
      return items.count - 1
    case .real:
      // Not shared: 0.0 and -0.0 are equal, yet other bytes.
      return append(.scalar(value))
    case .boolean, .integer, .data, .reference:
      if let known = others[value] { return known }
      others[value] = items.count
      return append(.scalar(value))
    }
  }

  private mutating func add(_ text: String) -> Int {
    if let known = strings[ExactText(text)] { return known }
    strings[ExactText(text)] = items.count
    return append(.scalar(.string(text)))
  }

  private mutating func append(_ item: Item) -> Int {
    items.append(item)
    return items.count - 1
  }

  mutating func addArray(count: Int) -> Int { append(.array(addLinks(count))) }

  mutating func addDictionary(count: Int) -> Int { append(.dictionary(addLinks(count * 2))) }

  private mutating func addLinks(_ count: Int) -> Range<Int> {
    let start = links.count
    for _ in 0..<count { links.append(0) }
    return start..<links.count
  }

  mutating func setElement(_ place: Int, of array: Int, _ item: Int) {
    guard case .array(let range) = items[array] else { return }
    links[range.lowerBound + place] = item
  }

  mutating func setEntry(_ place: Int, of dictionary: Int, _ key: String, _ value: PropertyListValue) {
    setKey(place, of: dictionary, key)
    setValue(place, of: dictionary, add(value))
  }

  mutating func setKey(_ place: Int, of dictionary: Int, _ key: String) {
    guard case .dictionary(let range) = items[dictionary] else { return }
    links[range.lowerBound + place] = add(key)
  }

  mutating func setValue(_ place: Int, of dictionary: Int, _ item: Int) {
    guard case .dictionary(let range) = items[dictionary] else { return }
    links[range.lowerBound + range.count / 2 + place] = item
  }

  func data(top: Int) -> Data {
    let referenceSize = byteCount(of: UInt64(max(items.count - 1, 0)))
    var bytes = Array("bplist00".utf8)
    bytes.reserveCapacity(items.count * 12 + links.count * referenceSize)
    var offsets: [Int] = []
    offsets.reserveCapacity(items.count)
    for item in items {
      offsets.append(bytes.count)
      switch item {
      case .scalar(let value): append(value, to: &bytes)
      case .array(let range):
        appendMarker(0xA0, count: range.count, to: &bytes)
        appendLinks(range, size: referenceSize, to: &bytes)
      case .dictionary(let range):
        appendMarker(0xD0, count: range.count / 2, to: &bytes)
        appendLinks(range, size: referenceSize, to: &bytes)
      }
    }
    let tableOffset = bytes.count
    let offsetSize = byteCount(of: UInt64(tableOffset))
    for offset in offsets { appendBigEndian(UInt64(offset), size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [items.count, top, tableOffset] { appendBigEndian(UInt64(number), size: 8, to: &bytes) }
    return Data(bytes)
  }

  private func appendLinks(_ range: Range<Int>, size: Int, to bytes: inout [UInt8]) {
    for index in range { appendBigEndian(UInt64(links[index]), size: size, to: &bytes) }
  }

  private func append(_ scalar: PropertyListValue, to bytes: inout [UInt8]) {
    switch scalar {
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): appendInteger(value, to: &bytes)
    case .real(let value):
      bytes.append(0x23)
      appendBigEndian(value.bitPattern, size: 8, to: &bytes)
    case .data(let data):
      appendMarker(0x40, count: data.count, to: &bytes)
      bytes += data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        appendMarker(0x50, count: text.utf8.count, to: &bytes)
        bytes += text.utf8
      } else {
        appendMarker(0x60, count: text.utf16.count, to: &bytes)
        for unit in text.utf16 { appendBigEndian(UInt64(unit), size: 2, to: &bytes) }
      }
    case .reference(let place):
      let size = byteCount(of: UInt64(max(place, 0)))
      bytes.append(0x80 | UInt8(size - 1))
      appendBigEndian(UInt64(max(place, 0)), size: size, to: &bytes)
    case .array, .dictionary: break
    }
  }
}

private func appendMarker(_ kind: UInt8, count: Int, to bytes: inout [UInt8]) {
  if count < 15 {
    bytes.append(kind | UInt8(count))
  } else {
    bytes.append(kind | 0x0F)
    appendInteger(Int64(count), to: &bytes)
  }
}

private func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
  // Only integers of eight bytes have a sign.
  let size = value < 0 ? 8 : byteCount(of: UInt64(value))
  bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
  appendBigEndian(UInt64(bitPattern: value), size: size, to: &bytes)
}

private func byteCount(of value: UInt64) -> Int {
  switch value {
  case 0...0xFF: 1
  case 0...0xFFFF: 2
  case 0...0xFFFF_FFFF: 4
  default: 8
  }
}

private func appendBigEndian(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
  var shift = (size - 1) * 8
  while shift >= 0 {
    bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    shift -= 8
  }
}
