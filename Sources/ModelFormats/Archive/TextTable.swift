import Foundation

/// The texts of an archive, each once, by number; two are one text only byte for byte.
///
/// Keys of objects, strings that are objects, and what stands in a property list beside them are the same texts again
/// and again: each is looked up once, everything after that goes by number. Their bytes stand one after the other, as
/// the writer wants them.
struct TextTable {
  private struct Entry {
    var start: Int
    var count: Int
    var hash: UInt64
    var isASCII: Bool
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// A hash table with open addressing: numbers by hash, -1 where none is; its length is a power of two.
  private var slots: [Int32]

  /// - Parameter capacity: how many texts there may be before the table grows.
  init(capacity: Int = 32) {
    var length = 64
    while length < capacity * 2 { length *= 2 }
    slots = Array(repeating: -1, count: length)
    entries.reserveCapacity(capacity)
    bytes.reserveCapacity(capacity * 16)
  }

  var count: Int { entries.count }

  mutating func number(of text: String) -> Int {
    var text = text
    return text.withUTF8 { utf8 in unsafe number(of: utf8) }
  }

  /// Bytes that are no text.
  mutating func number(of data: Data) -> Int {
    unsafe data.withUnsafeBytes { unsafe number(of: $0.bindMemory(to: UInt8.self)) }
  }

  mutating func number(of text: StaticString) -> Int {
    unsafe number(of: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let (hash, isASCII) = unsafe mixed(text)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if entries[number].hash == hash, unsafe equals(entries[number], text) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = entries.count
    entries.append(Entry(start: bytes.count, count: text.count, hash: hash, isASCII: isASCII))
    unsafe bytes.append(contentsOf: text)
    slots[slot] = Int32(number)
    if entries.count * 2 > slots.count { grow() }
    return number
  }

  private func equals(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.count == text.count else { return false }
    guard let start = text.baseAddress, entry.count > 0 else { return true }
    return unsafe bytes.withUnsafeBytes { all in
      guard let first = all.baseAddress else { return false }
      return unsafe memcmp(first + entry.start, start, entry.count) == 0
    }
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (number, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }

  func isASCII(_ number: Int) -> Bool { entries[number].isASCII }

  /// In bytes of UTF-8.
  func length(of number: Int) -> Int { entries[number].count }

  func text(_ number: Int) -> String {
    let entry = entries[number]
    return String(decoding: bytes[entry.start..<entry.start + entry.count], as: UTF8.self)
  }

  /// The bytes of a text, in UTF-8.
  func withBytes(of number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let entry = entries[number]
    unsafe bytes.withUnsafeBufferPointer { all in
      unsafe body(UnsafeBufferPointer(rebasing: all[entry.start..<entry.start + entry.count]))
    }
  }
}

/// Another one in every run, so that nobody can choose names that all fall into one place.
private let seed = UInt64.random(in: .min ... .max)

/// The bytes mixed into one number, eight at a time.
private func mixed(_ text: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, isASCII: Bool) {
  let raw = UnsafeRawBufferPointer(text)
  var hash = seed ^ UInt64(raw.count)
  var all: UInt64 = 0
  var offset = 0
  while offset + 8 <= raw.count {
    let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    all |= word
    hash = stirred(hash, word)
    offset += 8
  }
  if offset < raw.count {
    var word: UInt64 = 0
    while offset < raw.count {
      word = word << 8 | UInt64(unsafe raw[offset])
      offset += 1
    }
    all |= word
    hash = stirred(hash, word)
  }
  return (hash ^ hash >> 29, all & 0x8080_8080_8080_8080 == 0)
}

@inline(__always)
private func stirred(_ hash: UInt64, _ word: UInt64) -> UInt64 {
  let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
  return product.high ^ product.low
}
