import ManagedModel

/// Finds the places of start tags in a document that the XML parser has accepted as well formed.
///
/// The parser says where it stands when it has read a tag, which is not where the tag begins, and nothing of
/// attributes. In well-formed XML without a DTD a `<` opens markup and nothing else, so a plain scan finds each.
struct StartTagScanner {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  private var depth = 0
  private var tagOffset = 0
  private var location = SourceLocation(line: 1, column: 1)

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  struct StartTag {
    var place: SourceRange
    /// Of the root element, 1.
    var depth = 1
    var byteCount = 0
    var attributePlaces: [String: SourceRange] = [:]
  }

  /// The next start tag; nil at the end of the document.
  mutating func next() -> StartTag? {
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        advance()
        continue
      }
      guard let markup = otherMarkup() else { return tag() }
      if markup.begin == Self.endTag { depth = max(0, depth - 1) }
      skip(past: markup.end)
    }
    return nil
  }

  private static let endTag = Array("</".utf8)

  private func otherMarkup() -> (begin: [UInt8], end: [UInt8])? {
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"):
      return Self.otherMarkup.first { starts(with: $0.begin) }
    default: return nil
    }
  }

  /// What else begins with `<`, the longer beginnings first.
  private static let otherMarkup: [(begin: [UInt8], end: [UInt8])] = [
    ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("</", ">"), ("<!", ">"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  private mutating func tag() -> StartTag {
    let start = location
    tagOffset = offset
    var places: [String: SourceRange] = [:]
    advance()
    depth += 1
    let own = depth
    _ = name()
    while let byte = skipSpace(), places.count <= Self.attributeLimit, isWithinLimit {
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") {
        advance()
        if byte == UInt8(ascii: "/"), offset < bytes.count, bytes[offset] == UInt8(ascii: ">") {
          depth -= 1
        }
        if byte == UInt8(ascii: ">") { break }
        continue
      }
      let begin = location
      let attribute = name()
      guard !attribute.isEmpty else {
        advance()
        continue
      }
      skipValue()
      places[attribute] = SourceRange(file: file, start: begin, end: location)
    }
    return StartTag(
      place: SourceRange(file: file, start: start, end: location), depth: own,
      byteCount: offset - tagOffset, attributePlaces: places)
  }

  /// More of them are not looked at: the document is refused.
  private static let attributeLimit = 200
  /// Bytes of one tag, of which more are not looked at for the same reason.
  static let byteLimit = 1 << 20

  private var isWithinLimit: Bool { offset - tagOffset <= Self.byteLimit }

  private mutating func name() -> String {
    let start = offset
    while offset < bytes.count, !isSpace(bytes[offset]), !endsName(bytes[offset]), isWithinLimit {
      advance()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// From before the equals sign to after the closing quote.
  private mutating func skipValue() {
    while let byte = skipSpace(), byte == UInt8(ascii: "=") { advance() }
    guard offset < bytes.count else { return }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return }
    advance()
    while offset < bytes.count, bytes[offset] != quote, isWithinLimit { advance() }
    advance()
  }

  private mutating func skipSpace() -> UInt8? {
    while offset < bytes.count, isSpace(bytes[offset]) { advance() }
    return offset < bytes.count ? bytes[offset] : nil
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  private func starts(with text: [UInt8]) -> Bool {
    guard text.count <= bytes.count - offset else { return false }
    for (place, byte) in text.enumerated() where bytes[offset + place] != byte { return false }
    return true
  }

  private mutating func skip(past text: [UInt8]) {
    while offset < bytes.count, bytes[offset] != text[0] || !starts(with: text) { advance() }
    for _ in text { advance() }
  }

  private mutating func advance() {
    guard offset < bytes.count else { return }
    let byte = bytes[offset]
    offset += 1
    if byte == 0x0A {
      location = SourceLocation(line: location.line + 1, column: 1)
    } else if offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
      // A character's further bytes are no columns of their own.
      location.column += 1
    }
  }
}
