import Foundation

/// Writes the values of a table as bytes, into one buffer of the right length.
struct BinaryPropertyListWriter {
  private let table: PropertyListTable
  private let items: [PropertyListTable.Value]
  private let links: [Int32]
  private let referenceSize: Int

  init(_ table: PropertyListTable, top: PropertyListTable.Value) {
    self.table = table
    let items = BinaryPropertyListItems(table, top: top)
    (self.items, links) = (items.all, items.links)
    referenceSize = byteCount(of: UInt64(max(items.all.count - 1, 0)))
  }

  func data() -> Data {
    let header: StaticString = "bplist00"
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
      header.withUTF8Buffer { unsafe out.append(UnsafeRawBufferPointer($0)) }
      for item in items { unsafe append(item, to: &out) }
      unsafe out.append(offsets, size: offsetSize)
      unsafe out.append(0, size: 6)
      unsafe out.append(UInt64(offsetSize), size: 1)
      unsafe out.append(UInt64(referenceSize), size: 1)
      // The top is the first item.
      for number in [items.count, 0, tableOffset] { unsafe out.append(UInt64(number), size: 8) }
    }
    return data
  }

  private func size(of item: PropertyListTable.Value) -> Int {
    let number = item.number
    switch item.kind {
    case .text:
      let text = table.texts.text(number)
      let units = text.utf16.count
      if units == text.utf8.count { return markerSize(units) + units }
      return markerSize(units) + units * 2
    case .reference: return 1 + byteCount(of: UInt64(number))
    case .collection:
      let collection = table.collections[number]
      let count = Int(collection.count)
      return markerSize(count) + (collection.isDictionary ? 2 : 1) * count * referenceSize
    case .literal:
      switch table.literals[number] {
      case .boolean: return 1
      case .integer(let value): return 1 + integerSize(value)
      case .unsignedInteger: return 17
      case .real, .date: return 9
      case .data(let data): return markerSize(data.count) + data.count
      }
    }
  }

  private func append(_ item: PropertyListTable.Value, to out: inout Output) {
    let number = item.number
    switch item.kind {
    case .text: unsafe append(text: number, to: &out)
    case .reference:
      let size = byteCount(of: UInt64(number))
      unsafe out.append(UInt64(0x80 | (size - 1)), size: 1)
      unsafe out.append(UInt64(number), size: size)
    case .collection:
      let collection = table.collections[number]
      let (start, count) = (Int(collection.start), Int(collection.count))
      unsafe out.append(marker: collection.isDictionary ? 0xD0 : 0xA0, count: count)
      let end = start + (collection.isDictionary ? 2 : 1) * count
      unsafe links.withUnsafeBufferPointer {
        unsafe out.append(links: UnsafeBufferPointer(rebasing: $0[start..<end]), size: referenceSize)
      }
    case .literal: unsafe append(table.literals[number], to: &out)
    }
  }

  private func append(_ literal: PropertyListTable.Literal, to out: inout Output) {
    switch literal {
    case .boolean(let value): unsafe out.append(value ? 0x09 : 0x08, size: 1)
    case .integer(let value): unsafe out.append(integer: value)
    // Eight bytes would be a negative number.
    case .unsignedInteger(let value):
      unsafe out.append(0x14, size: 1)
      unsafe out.append(0, size: 8)
      unsafe out.append(value, size: 8)
    case .real(let value):
      unsafe out.append(0x23, size: 1)
      unsafe out.append(value.bitPattern, size: 8)
    case .date(let seconds):
      unsafe out.append(0x33, size: 1)
      unsafe out.append(seconds.bitPattern, size: 8)
    case .data(let data):
      unsafe out.append(marker: 0x40, count: data.count)
      unsafe data.withUnsafeBytes { unsafe out.append($0) }
    }
  }

  private func append(text number: Int, to out: inout Output) {
    var text = table.texts.text(number)
    if text.utf8.count == text.utf16.count {
      // ASCII.
      unsafe out.append(marker: 0x50, count: text.utf8.count)
      text.withUTF8 { unsafe out.append(UnsafeRawBufferPointer($0)) }
    } else {
      unsafe out.append(marker: 0x60, count: text.utf16.count)
      for unit in text.utf16 { unsafe out.append(UInt64(unit), size: 2) }
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

  /// Two bytes each in nearly all models.
  mutating func append(links: UnsafeBufferPointer<Int32>, size: Int) {
    guard size == 2 else {
      for index in 0..<links.count { unsafe append(UInt64(links[index]), size: size) }
      return
    }
    let place = unsafe end
    for index in 0..<links.count {
      let link = UInt16(truncatingIfNeeded: unsafe links[index])
      unsafe buffer.storeBytes(of: link.bigEndian, toByteOffset: place + index * 2, as: UInt16.self)
    }
    unsafe end += links.count * 2
  }

  /// Four bytes each in nearly all models.
  mutating func append(_ offsets: [Int], size: Int) {
    guard size == 4 else {
      for offset in offsets { unsafe append(UInt64(offset), size: size) }
      return
    }
    let place = unsafe end
    for index in offsets.indices {
      let offset = UInt32(truncatingIfNeeded: offsets[index])
      unsafe buffer.storeBytes(of: offset.bigEndian, toByteOffset: place + index * 4, as: UInt32.self)
    }
    unsafe end += offsets.count * 4
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let space = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count])
    unsafe space.copyMemory(from: bytes)
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
