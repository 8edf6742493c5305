import Foundation

/// Writes the table of an encoder as bytes, into one buffer of the right length.
struct BinaryPropertyListWriter {
  private let encoder: BinaryPropertyListEncoder
  private let referenceSize: Int

  init(_ encoder: BinaryPropertyListEncoder) {
    self.encoder = encoder
    referenceSize = byteCount(of: UInt64(max(encoder.items.count - 1, 0)))
  }

  func data(top: Int) -> Data {
    let header: StaticString = "bplist00"
    let items = encoder.items
    var offsets: [Int] = []
    offsets.reserveCapacity(items.count)
    var length = header.utf8CodeUnitCount
    for item in items {
      offsets.append(length)
      length += size(of: item)
    }
    let tableOffset = length
    let offsetSize = byteCount(of: UInt64(tableOffset))
    let total = tableOffset + offsets.count * offsetSize + 32
    var data = Data(count: total)
    unsafe data.withUnsafeMutableBytes { buffer in
      var out = unsafe Output(buffer)
      header.withUTF8Buffer { unsafe out.append($0) }
      for item in items { unsafe append(item, to: &out) }
      for offset in offsets { unsafe out.append(UInt64(offset), size: offsetSize) }
      unsafe out.append(0, size: 6)
      unsafe out.append(UInt64(offsetSize), size: 1)
      unsafe out.append(UInt64(referenceSize), size: 1)
      for number in [items.count, top, tableOffset] { unsafe out.append(UInt64(number), size: 8) }
    }
    return data
  }

  private func size(of item: BinaryPropertyListEncoder.Item) -> Int {
    switch item {
    case .text(let number):
      let number = Int(number)
      guard !encoder.texts.isASCII(number) else {
        let count = encoder.texts.length(of: number)
        return markerSize(count) + count
      }
      let units = encoder.texts.text(number).utf16.count
      return markerSize(units) + units * 2
    case .reference(let place): return 1 + byteCount(of: UInt64(place))
    case .boolean: return 1
    case .integer(let value): return 1 + integerSize(value)
    case .real: return 9
    case .data(let place):
      let count = encoder.blobs.length(of: Int(place))
      return markerSize(count) + count
    case .array(_, let count): return markerSize(Int(count)) + Int(count) * referenceSize
    case .dictionary(_, let count): return markerSize(Int(count)) + Int(count) * 2 * referenceSize
    }
  }

  private func append(_ item: BinaryPropertyListEncoder.Item, to out: inout Output) {
    switch item {
    case .text(let number): unsafe append(text: Int(number), to: &out)
    case .reference(let place):
      let size = byteCount(of: UInt64(place))
      unsafe out.append(UInt64(0x80 | (size - 1)), size: 1)
      unsafe out.append(UInt64(place), size: size)
    case .boolean(let value): unsafe out.append(value ? 0x09 : 0x08, size: 1)
    case .integer(let value): unsafe out.append(integer: value)
    case .real(let value):
      unsafe out.append(0x23, size: 1)
      unsafe out.append(value.bitPattern, size: 8)
    case .data(let place):
      unsafe out.append(marker: 0x40, count: encoder.blobs.length(of: Int(place)))
      unsafe encoder.blobs.withBytes(of: Int(place)) { unsafe out.append($0) }
    case .array(let start, let count):
      unsafe out.append(marker: 0xA0, count: Int(count))
      unsafe append(links: Int(start), count: Int(count), to: &out)
    case .dictionary(let start, let count):
      unsafe out.append(marker: 0xD0, count: Int(count))
      unsafe append(links: Int(start), count: Int(count) * 2, to: &out)
    }
  }

  private func append(text number: Int, to out: inout Output) {
    let texts = encoder.texts
    if texts.isASCII(number) {
      let count = texts.length(of: number)
      unsafe out.append(marker: 0x50, count: count)
      unsafe texts.withBytes(of: number) { unsafe out.append($0) }
    } else {
      let text = texts.text(number)
      unsafe out.append(marker: 0x60, count: text.utf16.count)
      for unit in text.utf16 { unsafe out.append(UInt64(unit), size: 2) }
    }
  }

  private func append(links start: Int, count: Int, to out: inout Output) {
    unsafe encoder.links.withUnsafeBufferPointer { links in
      // Two bytes each in nearly all models.
      if referenceSize == 2 {
        for index in start..<start + count { unsafe out.append(UInt16(truncatingIfNeeded: links[index])) }
      } else {
        for index in start..<start + count { unsafe out.append(UInt64(links[index]), size: referenceSize) }
      }
    }
  }
}

/// A buffer that is filled from its beginning; the sizes were counted before.
@unsafe private struct Output {
  private let buffer: UnsafeMutableRawBufferPointer
  private var end = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { unsafe self.buffer = unsafe buffer }

  /// Big endian.
  mutating func append(_ value: UInt64, size: Int) {
    var shift = (size - 1) * 8
    while shift >= 0 {
      unsafe buffer[end] = UInt8(truncatingIfNeeded: value >> UInt64(shift))
      unsafe end += 1
      shift -= 8
    }
  }

  @inline(__always)
  mutating func append(_ value: UInt16) {
    unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: end, as: UInt16.self)
    unsafe end += 2
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    let space = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count])
    unsafe space.copyMemory(from: UnsafeRawBufferPointer(bytes))
    unsafe end += bytes.count
  }

  mutating func append(marker kind: UInt8, count: Int) {
    if count < 15 {
      unsafe append(UInt64(kind | UInt8(count)), size: 1)
    } else {
      unsafe append(UInt64(kind | 0x0F), size: 1)
      unsafe append(integer: Int64(count))
    }
  }

  mutating func append(integer value: Int64) {
    let size = integerSize(value)
    unsafe append(UInt64(0x10 | size.trailingZeroBitCount), size: 1)
    unsafe append(UInt64(bitPattern: value), size: size)
  }
}

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
