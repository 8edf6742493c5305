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

private struct BinaryPropertyListEncoder {
  private enum Item {
    case scalar(PropertyListValue)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var items: [Item] = []
  private var known: [PropertyListValue: Int] = [:]

  mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements):
      let index = append(.array([]))
      var places: [Int] = []
      for element in elements { places.append(add(element)) }
      items[index] = .array(places)
      return index
    case .dictionary(let entries):
      let index = append(.dictionary(keys: [], values: []))
      var keys: [Int] = []
      var values: [Int] = []
      for entry in entries {
        keys.append(add(.string(entry.key)))
        values.append(add(entry.value))
      }
      items[index] = .dictionary(keys: keys, values: values)
      return index
    case .real:
      // Not shared: 0.0 and -0.0 are equal, yet other bytes.
      return append(.scalar(value))
    default:
      if let index = known[value] { return index }
      let index = append(.scalar(value))
      known[value] = index
      return index
    }
  }

  private mutating func append(_ item: Item) -> Int {
    items.append(item)
    return items.count - 1
  }

  func data(top: Int) -> Data {
    let referenceSize = byteCount(of: UInt64(max(items.count - 1, 0)))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for item in items {
      offsets.append(bytes.count)
      append(item, to: &bytes, referenceSize: referenceSize)
    }
    let tableOffset = bytes.count
    let offsetSize = byteCount(of: UInt64(tableOffset))
    for offset in offsets { appendBigEndian(UInt64(offset), size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [items.count, top, tableOffset] { appendBigEndian(UInt64(number), size: 8, to: &bytes) }
    return Data(bytes)
  }

  private func append(_ item: Item, to bytes: inout [UInt8], referenceSize: Int) {
    switch item {
    case .scalar(let value): append(value, to: &bytes)
    case .array(let places):
      appendMarker(0xA0, count: places.count, to: &bytes)
      for place in places { appendBigEndian(UInt64(place), size: referenceSize, to: &bytes) }
    case .dictionary(let keys, let values):
      appendMarker(0xD0, count: keys.count, to: &bytes)
      for place in keys + values { appendBigEndian(UInt64(place), size: referenceSize, to: &bytes) }
    }
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
        bytes += Array(text.utf8)
      } else {
        let units = Array(text.utf16)
        appendMarker(0x60, count: units.count, to: &bytes)
        for unit in units { appendBigEndian(UInt64(unit), size: 2, to: &bytes) }
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
  for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
    bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
  }
}
