extension XMLReader {
  mutating func startTag() throws(XMLMistake) -> Piece {
    let start = offset
    if elementCount > 0, open.isEmpty { throw mistake(.secondRoot) }
    elementCount += 1
    offset += 1
    let name = try name()
    tag.name = String(decoding: bytes[name], as: UTF8.self)
    tag.attributes.removeAll(keepingCapacity: true)
    open.append(name)
    if elementCount > limits.elements || open.count > limits.depth { throw mistake(.beyondLimits, at: start) }
    while true {
      let hasSpace = skipSpace()
      guard offset < bytes.count else { throw mistake(.endsEarly) }
      if bytes[offset] == UInt8(ascii: ">") { break }
      if bytes[offset] == UInt8(ascii: "/") {
        offset += 1
        endIsDue = true
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { throw mistake(.noEnd) }
        break
      }
      guard hasSpace else { throw mistake(.noSpace) }
      try attribute(ofTagAt: start)
    }
    offset += 1
    tag.bytes = start..<offset
    return .start
  }

  mutating func attribute(ofTagAt start: Int) throws(XMLMistake) {
    let place = offset
    let range = try self.name()
    let name = String(decoding: bytes[range], as: UTF8.self)
    _ = skipSpace()
    guard offset < bytes.count else { throw mistake(.endsEarly) }
    guard bytes[offset] == UInt8(ascii: "=") else { throw mistake(.noValue) }
    offset += 1
    _ = skipSpace()
    let value = try value(ofTagAt: start)
    for other in tag.attributes where other.name == name { throw mistake(.repeated, at: place) }
    tag.attributes.append(XMLAttribute(name: name, value: value, bytes: place..<offset))
    if tag.attributes.count > limits.attributes { throw mistake(.beyondLimits, at: start) }
  }

  mutating func value(ofTagAt start: Int) throws(XMLMistake) -> String {
    guard offset < bytes.count else { throw mistake(.endsEarly) }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw mistake(.unquoted) }
    offset += 1
    let begin = offset
    var isPlain = true
    while offset < bytes.count, bytes[offset] != quote {
      let byte = bytes[offset]
      if byte < 0x20 || byte == UInt8(ascii: "&") {
        isPlain = false
        if byte != UInt8(ascii: "&") { try requireCharacter() }
      } else if byte == UInt8(ascii: "<") {
        throw mistake(.unescaped)
      } else if byte == 0xEF {
        try requireCharacter()
      }
      offset += 1
    }
    guard offset < bytes.count else { throw mistake(.endsEarly) }
    if offset - start > limits.tagBytes { throw mistake(.beyondLimits, at: start) }
    let range = begin..<offset
    offset += 1
    if isPlain { return String(decoding: bytes[range], as: UTF8.self) }
    return try unescaped(range, isAttribute: true)
  }

  mutating func endTag() throws(XMLMistake) -> Piece {
    let start = offset
    offset += 2
    let name = try name()
    _ = skipSpace()
    guard offset < bytes.count else { throw mistake(.endsEarly) }
    guard bytes[offset] == UInt8(ascii: ">") else { throw mistake(.noEnd) }
    offset += 1
    guard let own = open.last, bytes[own].elementsEqual(bytes[name]) else {
      throw mistake(.mismatch, at: start)
    }
    return closed()
  }

  mutating func name() throws(XMLMistake) -> Range<Int> {
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      let isLetter = (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
      let isFurther = byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      if isLetter || (isFurther && offset > start) {
        offset += 1
      } else if byte >= 0x80, let length = nameScalarLength(isFirst: offset == start) {
        offset += length
      } else {
        break
      }
    }
    guard offset > start else { throw mistake(offset < bytes.count ? .noName : .endsEarly) }
    return start..<offset
  }

  /// Of a letter beyond ASCII, in bytes; nil if the scalar cannot stand in a name.
  func nameScalarLength(isFirst: Bool) -> Int? {
    guard
      let scalar = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        .unicodeScalars.first
    else { return nil }
    let isFurther =
      scalar.value == 0xB7 || (0x300...0x36F).contains(scalar.value)
      || (0x203F...0x2040).contains(scalar.value)
    let isLetter = Self.letters.contains { $0.contains(scalar.value) }
    return isLetter || (isFurther && !isFirst) ? UTF8.width(scalar) : nil
  }

  /// What XML 1.0 lets a name begin with.
  private static let letters: [ClosedRange<UInt32>] = [
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
    0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF,
  ]
}
