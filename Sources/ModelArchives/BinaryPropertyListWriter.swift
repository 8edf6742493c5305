import Foundation

/// Writes the values of a table as bytes.
///
/// A collection comes before its elements, a key before its value, and a scalar where it is met first: the order of
/// CoreFoundation's writer.
struct BinaryPropertyListWriter {
  private let table: PropertyListTable
  /// The objects of the list in the order in which they stand in it.
  private var items: [PropertyListTable.Value] = []
  /// The numbers of elements, keys and values: for each of ``PropertyListTable/elements`` the item that it is.
  private var links: [Int32]
  /// The items that texts, references and literals are, one after the other; -1 for those that were not met yet.
  private var known: [Int32]
  private var referenceSize = 1
  private var bytes = Array("bplist00".utf8)

  init(_ table: PropertyListTable, top: PropertyListTable.Value) {
    self.table = table
    links = [Int32](repeating: 0, count: table.elements.count)
    known = [Int32](repeating: -1, count: table.texts.count + table.referenceLimit + table.literals.count)
    items.reserveCapacity(known.count + table.collections.count)
    _ = item(top)
    referenceSize = byteCount(of: UInt64(max(items.count - 1, 0)))
  }

  private mutating func item(_ value: PropertyListTable.Value) -> Int32 {
    switch value.kind {
    case .text: scalar(value, at: value.number)
    case .reference: scalar(value, at: table.texts.count + value.number)
    case .literal: scalar(value, at: table.texts.count + table.referenceLimit + value.number)
    case .collection: collection(value)
    }
  }

  private mutating func scalar(_ value: PropertyListTable.Value, at place: Int) -> Int32 {
    if known[place] < 0 { known[place] = add(value) }
    return known[place]
  }

  private mutating func collection(_ value: PropertyListTable.Value) -> Int32 {
    let item = add(value)
    let collection = table.collections[value.number]
    let (start, count) = (Int(collection.start), Int(collection.count))
    for place in start..<start + count {
      links[place] = self.item(table.elements[place])
      if collection.isDictionary { links[place + count] = self.item(table.elements[place + count]) }
    }
    return item
  }

  private mutating func add(_ value: PropertyListTable.Value) -> Int32 {
    items.append(value)
    return Int32(items.count - 1)
  }

  consuming func data() -> Data {
    var offsets: [Int] = []
    offsets.reserveCapacity(items.count)
    for item in items {
      offsets.append(bytes.count)
      append(item)
    }
    let tableOffset = bytes.count
    let offsetSize = byteCount(of: UInt64(tableOffset))
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    append(0, size: 6)
    append(UInt64(offsetSize), size: 1)
    append(UInt64(referenceSize), size: 1)
    // The top is the first item.
    for number in [items.count, 0, tableOffset] { append(UInt64(number), size: 8) }
    return Data(bytes)
  }

  private mutating func append(_ item: PropertyListTable.Value) {
    let number = item.number
    switch item.kind {
    case .text: append(text: table.texts.text(number))
    case .reference:
      let size = byteCount(of: UInt64(number))
      append(UInt64(0x80 | (size - 1)), size: 1)
      append(UInt64(number), size: size)
    case .collection:
      let collection = table.collections[number]
      let (start, count) = (Int(collection.start), Int(collection.count))
      append(marker: collection.isDictionary ? 0xD0 : 0xA0, count: count)
      let end = start + (collection.isDictionary ? 2 : 1) * count
      for link in links[start..<end] { append(UInt64(link), size: referenceSize) }
    case .literal: append(table.literals[number])
    }
  }

  private mutating func append(_ literal: PropertyListValue) {
    switch literal {
    case .boolean(let value): append(value ? 0x09 : 0x08, size: 1)
    case .integer(let value): append(integer: value)
    // Eight bytes would be a negative number.
    case .unsignedInteger(let value):
      append(0x14, size: 1)
      append(0, size: 8)
      append(value, size: 8)
    case .real(let value):
      append(0x23, size: 1)
      append(value.bitPattern, size: 8)
    case .date(let date):
      append(0x33, size: 1)
      append(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
    case .data(let data):
      append(marker: 0x40, count: data.count)
      bytes += data
    case .string, .array, .dictionary, .entries, .reference: break
    }
  }

  private mutating func append(text: String) {
    if text.utf8.count == text.utf16.count {
      // ASCII.
      append(marker: 0x50, count: text.utf8.count)
      bytes += text.utf8
    } else {
      append(marker: 0x60, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  /// Big endian.
  private mutating func append(_ value: UInt64, size: Int) {
    var shift = (size - 1) * 8
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      shift -= 8
    }
  }

  private mutating func append(marker kind: UInt8, count: Int) {
    if count < 15 {
      append(UInt64(kind | UInt8(count)), size: 1)
    } else {
      append(UInt64(kind | 0x0F), size: 1)
      append(integer: Int64(count))
    }
  }

  /// Only integers of eight bytes have a sign.
  private mutating func append(integer value: Int64) {
    let size = value < 0 ? 8 : byteCount(of: UInt64(value))
    append(UInt64(0x10 | size.trailingZeroBitCount), size: 1)
    append(UInt64(bitPattern: value), size: size)
  }
}

private func byteCount(of value: UInt64) -> Int {
  switch value {
  case 0...0xFF: 1
  case 0...0xFFFF: 2
  case 0...0xFFFF_FFFF: 4
  default: 8
  }
}
