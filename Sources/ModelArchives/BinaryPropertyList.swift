import Foundation

/// Why bytes are not archive of the expected kind; the caller knows the file and makes a diagnostic of it.
package struct ArchiveFlaw: Error, Hashable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A binary property list as it lies in the file: a table of nodes that refer to each other by number.
///
/// It is never unfolded into a tree, so shared and cyclic references cost nothing. Every count and offset is
/// checked, and all nodes together may not claim more bytes than the file has, which bounds the work on
/// hostile input by the size of the input.
struct BinaryPropertyList: Sendable {
  enum Node: Sendable {
    case null
    /// A value without parts: nothing but what ``PropertyListTable/literals`` may be, or a text.
    case scalar(PropertyListValue)
    case reference(Int)
    /// Arrays and sets.
    case array([Int])
    case dictionary(keys: [Int], values: [Int])

    /// About how much a copy of the node takes.
    var byteCount: Int {
      switch self {
      case .scalar(.data(let data)): data.count + 1
      case .scalar(.string(let text)): text.utf8.count + 1
      default: 1
      }
    }

    var text: String? { if case .scalar(.string(let text)) = self { text } else { nil } }
  }

  let nodes: [Node]
  let top: Int
  /// Whether it holds nothing but what a property list in XML has a form for, too: no sets, references and nulls, and
  /// no key that is not a string.
  let isPlain: Bool

  /// The most nodes that a list may hold; a model of ten thousand entities has about a million.
  private static let nodeLimit = 4_000_000

  init(_ data: Data) throws(ArchiveFlaw) {
    let bytes = [UInt8](data)
    guard bytes.starts(with: Array("bplist".utf8)) else {
      throw ArchiveFlaw("it is not a binary property list")
    }
    guard bytes.count >= 40 else { throw ArchiveFlaw("it is cut off") }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    guard let count = number(in: bytes, at: trailer + 8), let top = number(in: bytes, at: trailer + 16),
      let tableOffset = number(in: bytes, at: trailer + 24), (1...8).contains(offsetSize),
      (1...8).contains(referenceSize), top < count, tableOffset >= 8, count <= Self.nodeLimit,
      tableOffset <= trailer, count <= (trailer - tableOffset) / offsetSize
    else { throw ArchiveFlaw("its trailer is damaged or cut off") }
    var reader = NodeReader(bytes: bytes, end: tableOffset, referenceSize: referenceSize, nodeCount: count)
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    for index in 0..<count {
      let start = tableOffset + index * offsetSize
      guard let offset = bigEndian(bytes[start..<(start + offsetSize)]), offset < UInt64(tableOffset) else {
        throw ArchiveFlaw("its offset table is damaged")
      }
      nodes.append(try reader.node(at: Int(offset)))
      guard reader.claimed <= bytes.count else { throw ArchiveFlaw("its objects overlap") }
    }
    self.nodes = nodes
    self.top = top
    isPlain =
      reader.isPlain
      && nodes.allSatisfy { node in
        guard case .dictionary(let keys, _) = node else { return true }
        return keys.allSatisfy { nodes[$0].text != nil }
      }
  }

  /// The node of that number, or null if there is none.
  subscript(index: Int) -> Node { nodes.indices.contains(index) ? nodes[index] : .null }

  /// The value of a dictionary's key; nil if the node is not a dictionary or has no such key.
  func value(of key: String, in index: Int) -> Int? {
    guard case .dictionary(let keys, let values) = self[index] else { return nil }
    return zip(keys, values).first { self[$0.0].text == key }?.1
  }
}

/// Reads one node after the other and counts the bytes that they claim.
private struct NodeReader {
  let bytes: [UInt8]
  /// Where the objects end.
  let end: Int
  let referenceSize: Int
  let nodeCount: Int
  private(set) var claimed = 0
  /// No node so far is of a kind that only binary lists have.
  private(set) var isPlain = true

  mutating func node(at offset: Int) throws(ArchiveFlaw) -> BinaryPropertyList.Node {
    var offset = offset
    let marker = try take(1, at: &offset)[0]
    let low = Int(marker & 0x0F)
    if ![0x08, 0x09].contains(marker), [0x0, 0x7, 0x8, 0xB, 0xC].contains(marker >> 4) { isPlain = false }
    switch marker >> 4 {
    case 0x0: return marker == 0x08 || marker == 0x09 ? .scalar(.boolean(marker == 0x09)) : .null
    case 0x1: return .scalar(try integer(exponent: low, at: &offset))
    case 0x2: return .scalar(.real(try real(exponent: low, at: &offset)))
    case 0x3:
      let seconds = try real(exponent: low, at: &offset)
      return .scalar(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    case 0x4: return .scalar(.data(Data(try take(try count(low, at: &offset), at: &offset))))
    case 0x5, 0x7:
      let count = try count(low, at: &offset)
      return .scalar(.string(String(decoding: try take(count, at: &offset), as: UTF8.self)))
    case 0x6:
      let count = try count(low, at: &offset)
      guard count <= bytes.count / 2 else { throw ArchiveFlaw("a string reaches beyond the end") }
      let pairs = try take(count * 2, at: &offset)
      let units = stride(from: 0, to: pairs.count, by: 2).map {
        UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
      }
      return .scalar(.string(String(decoding: units, as: UTF16.self)))
    case 0x8:
      guard let place = bigEndian(try take(low + 1, at: &offset)), place <= UInt64(Int32.max) else {
        throw ArchiveFlaw("an object reference is out of range")
      }
      return .reference(Int(place))
    case 0xA, 0xB, 0xC: return .array(try references(try count(low, at: &offset), at: &offset))
    case 0xD:
      let count = try count(low, at: &offset)
      let keys = try references(count, at: &offset)
      return .dictionary(keys: keys, values: try references(count, at: &offset))
    default: throw ArchiveFlaw("it contains an object of the unknown kind \(marker >> 4)")
    }
  }

  private mutating func take(_ count: Int, at offset: inout Int) throws(ArchiveFlaw) -> ArraySlice<UInt8> {
    guard count >= 0, offset <= end, count <= end - offset else {
      throw ArchiveFlaw("an object reaches beyond the end")
    }
    defer { offset += count }
    claimed += count
    // With indices from 0.
    return ArraySlice(Array(bytes[offset..<(offset + count)]))
  }

  /// The count in a marker; 15 says that it follows as an integer.
  private mutating func count(_ low: Int, at offset: inout Int) throws(ArchiveFlaw) -> Int {
    guard low == 15 else { return low }
    let marker = try take(1, at: &offset)[0]
    guard marker >> 4 == 1, marker & 0x0F <= 3,
      let number = bigEndian(try take(1 << Int(marker & 0x0F), at: &offset)), number <= UInt64(bytes.count)
    else { throw ArchiveFlaw("an object's size is out of range") }
    return Int(number)
  }

  private mutating func integer(exponent: Int, at offset: inout Int) throws(ArchiveFlaw) -> PropertyListValue
  {
    guard exponent <= 4 else { throw ArchiveFlaw("an integer is too wide") }
    let digits = try take(1 << exponent, at: &offset)
    guard let value = bigEndian(digits.suffix(8)) else { throw ArchiveFlaw("an integer is too wide") }
    // Eight bytes are signed, shorter ones are not, sixteen hold what is beyond a signed 64-bit integer.
    if exponent == 4, value > UInt64(Int64.max), digits.prefix(8).allSatisfy({ $0 == 0 }) {
      return .unsignedInteger(value)
    }
    return .integer(Int64(bitPattern: value))
  }

  private mutating func real(exponent: Int, at offset: inout Int) throws(ArchiveFlaw) -> Double {
    guard exponent == 2 || exponent == 3, let pattern = bigEndian(try take(1 << exponent, at: &offset)) else {
      throw ArchiveFlaw("a number is of unknown width")
    }
    if exponent == 3 { return Double(bitPattern: pattern) }
    // By way of the shortest text, so that a float of 0.1 stays 0.1.
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: pattern))
    return Double("\(value)") ?? Double(value)
  }

  private mutating func references(_ count: Int, at offset: inout Int) throws(ArchiveFlaw) -> [Int] {
    guard count <= bytes.count / referenceSize else { throw ArchiveFlaw("a collection is too large") }
    let digits = try take(count * referenceSize, at: &offset)
    var places: [Int] = []
    places.reserveCapacity(count)
    for start in stride(from: 0, to: digits.count, by: referenceSize) {
      guard let place = bigEndian(digits[start..<(start + referenceSize)]), place < UInt64(nodeCount) else {
        throw ArchiveFlaw("a collection refers to a missing object")
      }
      places.append(Int(place))
    }
    return places
  }
}

/// Eight bytes as a number that is not a greater than the file is long.
private func number(in bytes: [UInt8], at offset: Int) -> Int? {
  bigEndian(bytes[offset..<(offset + 8)]).flatMap { $0 <= UInt64(bytes.count) ? Int($0) : nil }
}

/// At most eight bytes as a number.
private func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64? {
  guard bytes.count <= 8 else { return nil }
  return bytes.reduce(0) { $0 << 8 | UInt64($1) }
}
