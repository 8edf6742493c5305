extension XMLReader {
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

  mutating func literalText() throws(XMLMistake) -> Piece {
    offset += "<![CDATA[".utf8.count
    let start = offset
    try skip(past: "]]>", orThrow: .notClosed)
    return .text(start..<(offset - 3), isLiteral: true)
  }

  mutating func comment() throws(XMLMistake) {
    offset += "<!--".utf8.count
    try skip(past: "--", orThrow: .comment)
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { throw mistake(.comment) }
    offset += 1
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
