import Foundation

/// Writes the table of an encoder as bytes, into one buffer of the right length.
struct BinaryPropertyListWriter {
  private let items: [BinaryPropertyListEncoder.Item]
  private let links: [Int]
  private let texts: [String]
  private let blobs: [Data]
  private let referenceSize: Int
  private var bytes: [UInt8] = []
  private var end = 0

  init(_ encoder: BinaryPropertyListEncoder) {
    items = encoder.items
    links = encoder.links
    texts = encoder.texts.texts
    blobs = encoder.blobs
    referenceSize = byteCount(of: UInt64(max(items.count - 1, 0)))
  }

  mutating func data(top: Int) -> Data {
    let header = Array("bplist00".utf8)
    var offsets: [Int] = []
    offsets.reserveCapacity(items.count)
    var length = header.count
    for item in items {
      offsets.append(length)
      length += size(of: item)
    }
    let tableOffset = length
    let offsetSize = byteCount(of: UInt64(tableOffset))
    bytes = Array(repeating: 0, count: tableOffset + offsets.count * offsetSize + 32)
    for byte in header { append(byte) }
    for item in items { append(item) }
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    end += 6
    append(UInt8(offsetSize))
    append(UInt8(referenceSize))
    for number in [items.count, top, tableOffset] { append(UInt64(number), size: 8) }
    return Data(bytes)
  }

  private func size(of item: BinaryPropertyListEncoder.Item) -> Int {
    switch item {
    case .text(let number):
      let units = texts[number].utf16.count
      return markerSize(units) + (isASCII(texts[number]) ? units : units * 2)
    case .reference(let place): return 1 + byteCount(of: UInt64(place))
    case .boolean: return 1
    case .integer(let value): return 1 + integerSize(value)
    case .real: return 9
    case .data(let place): return markerSize(blobs[place].count) + blobs[place].count
    case .array(let range): return markerSize(range.count) + range.count * referenceSize
    case .dictionary(let range): return markerSize(range.count / 2) + range.count * referenceSize
    }
  }

  private mutating func append(_ item: BinaryPropertyListEncoder.Item) {
    switch item {
    case .text(let number): append(texts[number])
    case .reference(let place):
      let size = byteCount(of: UInt64(place))
      append(0x80 | UInt8(size - 1))
      append(UInt64(place), size: size)
    case .boolean(let value): append(value ? 0x09 : 0x08)
    case .integer(let value): appendInteger(value)
    case .real(let value):
      append(0x23)
      append(value.bitPattern, size: 8)
    case .data(let place):
      appendMarker(0x40, count: blobs[place].count)
      for byte in blobs[place] { append(byte) }
    case .array(let range):
      appendMarker(0xA0, count: range.count)
      appendLinks(range)
    case .dictionary(let range):
      appendMarker(0xD0, count: range.count / 2)
      appendLinks(range)
    }
  }

  private mutating func append(_ text: String) {
    if isASCII(text) {
      appendMarker(0x50, count: text.utf8.count)
      for byte in text.utf8 { append(byte) }
    } else {
      appendMarker(0x60, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  private mutating func appendLinks(_ range: Range<Int>) {
    for index in range { append(UInt64(links[index]), size: referenceSize) }
  }

  private mutating func appendMarker(_ kind: UInt8, count: Int) {
    if count < 15 {
      append(kind | UInt8(count))
    } else {
      append(kind | 0x0F)
      appendInteger(Int64(count))
    }
  }

  private mutating func appendInteger(_ value: Int64) {
    let size = integerSize(value)
    append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: value), size: size)
  }

  private mutating func append(_ byte: UInt8) {
    bytes[end] = byte
    end += 1
  }

  /// Big endian.
  private mutating func append(_ value: UInt64, size: Int) {
    var shift = (size - 1) * 8
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      shift -= 8
    }
  }
}

/// Every character beyond ASCII takes more bytes in UTF-8 than units in UTF-16.
private func isASCII(_ text: String) -> Bool { text.utf8.count == text.utf16.count }

private func markerSize(_ count: Int) -> Int { count < 15 ? 1 : 2 + integerSize(Int64(count)) }

/// Only integers of eight bytes have a sign.
private func integerSize(_ value: Int64) -> Int { value < 0 ? 8 : byteCount(of: UInt64(value)) }

private func byteCount(of value: UInt64) -> Int {
  switch value {
  case 0...0xFF: 1
  case 0...0xFFFF: 2
  case 0...0xFFFF_FFFF: 4
  default: 8
  }
}
