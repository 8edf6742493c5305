/// Reads an XML document piece by piece: elements with their attributes, and text.
///
/// It knows what Apple's tools write into models: no document type, no processing instruction but the declaration, no
/// entities but the five of XML, UTF-8. Whatever it accepts is well formed; else it throws the first slip. Every byte is
/// looked at once, and what a document may hold is bounded before it costs anything.
struct XMLReader {
  enum Piece {
    /// What it says is in ``XMLReader/tag`` until the next piece.
    case start
    case end
    /// A stretch of characters; those of a CDATA section stand for themselves.
    case text(Range<Int>, isLiteral: Bool)
  }

  struct Tag {
    var name = ""
    /// In the order of the document, each name once.
    var attributes: [XMLAttribute] = []
    /// From `<` to behind `>`.
    var bytes = 0..<0
  }

  struct Limits {
    var depth: Int
    var elements: Int
    var attributes: Int
    /// From the `<` of a tag.
    var tagBytes = 1 << 20
  }

  var tag = Tag()
  let bytes: [UInt8]
  let limits: Limits
  var offset = 0
  /// Where the names of the open elements stand.
  var open: [Range<Int>] = []
  var elementCount = 0
  var endIsDue = false

  init(_ bytes: [UInt8], limits: Limits) throws(XMLMistake) {
    (self.bytes, self.limits) = (bytes, limits)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let declaration = Array("<?xml".utf8), rest = bytes[offset...]
    // A document cut short within its declaration is told as what it is.
    if declaration.starts(with: rest) { throw mistake(rest.isEmpty ? .empty : .endsEarly, at: bytes.count) }
    if rest.starts(with: declaration), rest[offset + declaration.count].isXMLSpace {
      try skip(past: "?>", orThrow: .endsEarly)
    }
  }

  /// The next piece; nil at the end of the document.
  mutating func next() throws(XMLMistake) -> Piece? {
    if endIsDue { return closed() }
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        let text = try text()
        if !open.isEmpty { return .text(text, isLiteral: false) }
        continue
      }
      guard offset + 1 < bytes.count else { throw mistake(.endsEarly, at: offset + 1) }
      switch bytes[offset + 1] {
      case UInt8(ascii: "/"): return try endTag()
      case UInt8(ascii: "?"): throw mistake(.instruction)
      case UInt8(ascii: "!"):
        if starts(with: "<!--") {
          offset += "<!--".utf8.count
          try skip(past: "--", orThrow: .comment)
          guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { throw mistake(.comment) }
          offset += 1
        } else if starts(with: "<![CDATA["), !open.isEmpty {
          offset += "<![CDATA[".utf8.count
          let start = offset
          try skip(past: "]]>", orThrow: .notClosed)
          return .text(start..<(offset - 3), isLiteral: true)
        } else {
          throw mistake(elementCount == 0 ? .documentType : .strayCharacter)
        }
      default: return try startTag()
      }
    }
    if !open.isEmpty { throw mistake(.notClosed) }
    if elementCount == 0 { throw mistake(.empty) }
    return nil
  }

  mutating func closed() -> Piece {
    endIsDue = false
    open.removeLast()
    return .end
  }

  func mistake(_ reason: XMLMistake.Reason, at place: Int? = nil) -> XMLMistake {
    XMLMistake(reason: reason, offset: place ?? offset)
  }

  /// Control characters are not allowed, nor are U+FFFE and U+FFFF.
  func requireCharacter() throws(XMLMistake) {
    let byte = bytes[offset]
    if byte == 0xEF {
      guard offset + 2 < bytes.count, bytes[offset + 1] == 0xBF, bytes[offset + 2] >= 0xBE else { return }
      throw mistake(.strayCharacter)
    }
    if !byte.isXMLSpace { throw mistake(.strayCharacter) }
  }

  mutating func skipSpace() -> Bool {
    let start = offset
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
    return offset > start
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.count - offset else { return false }
    return text.withUTF8Buffer { unsafe bytes[offset..<offset + count].elementsEqual($0) }
  }

  mutating func skip(past mark: StaticString, orThrow reason: XMLMistake.Reason) throws(XMLMistake) {
    while offset < bytes.count {
      if starts(with: mark) {
        offset += mark.utf8CodeUnitCount
        return
      }
      if bytes[offset] < 0x20 || bytes[offset] == 0xEF { try requireCharacter() }
      offset += 1
    }
    throw mistake(reason)
  }

  /// The characters of a piece of text, line ends as `\n`.
  func characters(_ text: Range<Int>, isLiteral: Bool) throws(XMLMistake) -> String {
    let isPlain = !bytes[text].contains { $0 == 0x0D || ($0 == UInt8(ascii: "&") && !isLiteral) }
    if isPlain { return String(decoding: bytes[text], as: UTF8.self) }
    return try unescaped(text, isAttribute: false, isLiteral: isLiteral)
  }

  /// Up to the next tag. Between elements, and around the root, there is nothing but space.
  mutating func text() throws(XMLMistake) -> Range<Int> {
    let start = offset
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      let byte = bytes[offset]
      if byte < 0x20 || byte == 0xEF { try requireCharacter() }
      if byte == UInt8(ascii: "&") { _ = try reference(at: offset) }
      if byte == UInt8(ascii: "]"), starts(with: "]]>") { throw mistake(.strayCharacter) }
      if open.isEmpty, !byte.isXMLSpace { throw mistake(.strayCharacter) }
      offset += 1
    }
    return start..<offset
  }

  /// With references resolved; in an attribute every line end and tabulator is a space.
  func unescaped(
    _ range: Range<Int>, isAttribute: Bool, isLiteral: Bool = false
  ) throws(XMLMistake) -> String {
    var text: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x0D:
        if index < range.upperBound, bytes[index] == 0x0A { index += 1 }
        text.append(isAttribute ? 0x20 : 0x0A)
      case 0x09 where isAttribute, 0x0A where isAttribute: text.append(0x20)
      case UInt8(ascii: "&") where !isLiteral:
        let (scalar, end) = try reference(at: index - 1)
        text.append(contentsOf: String(Character(scalar)).utf8)
        index = end
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What a reference stands for, and the byte behind it.
  private func reference(at place: Int) throws(XMLMistake) -> (scalar: Unicode.Scalar, end: Int) {
    let rest = bytes[(place + 1)...].prefix(16)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")), let scalar = Self.scalar(of: rest[..<end]) else {
      throw mistake(.undeclaredEntity, at: place)
    }
    return (scalar, end + 1)
  }

  /// Of what stands between `&` and `;`.
  private static func scalar(of reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: reference, as: UTF8.self)
    guard name.hasPrefix("#") else { return entities[name] }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.allSatisfy(\.isHexDigit),
      let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    else { return nil }
    let isSpace = [0x09, 0x0A, 0x0D].contains(scalar.value)
    return isSpace || (scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE) || scalar.value > 0xFFFF
      ? scalar : nil
  }

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]
}

extension UInt8 { var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D } }

/// An attribute with its place: from the name to behind the closing quote.
struct XMLAttribute: Sendable {
  var name: String
  var value: String
  var bytes: Range<Int>
}
