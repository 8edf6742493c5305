/// Where the elements and attributes of a well-formed document stand in its bytes, for edits that leave the rest alone.
///
/// It asks for what the reader of models has accepted already: UTF-8 without a document type.
struct XMLOutline {
  struct Attribute {
    var name: String
    /// With the white space before it.
    var range: Range<Int>
    /// Between the quotes.
    var value: Range<Int>
  }

  struct Element {
    var name: String
    var attributes: [Attribute] = []
    /// From its `<` to behind its last `>`.
    var range: Range<Int>
    /// Of the start tag.
    var tag: Range<Int>
    var isEmptyTag = false
    var children: [Element] = []
    /// Between the tags.
    var content: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var root = Element(name: "", range: 0..<0, tag: 0..<0, content: 0..<0)
  private var offset = 0

  /// - Returns: nil where the document is not as expected.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var open: [Element] = []
    while let start = nextMarkup() {
      if let end = endOfAside(start) {
        offset = end
      } else if starts(Self.endTag, at: start) {
        guard var element = open.popLast(), let end = find(Self.tagEnd, from: start) else { return nil }
        element.content = element.tag.upperBound..<start
        element.range = element.range.lowerBound..<end
        offset = end
        if close(element, in: &open) { return }
      } else {
        guard open.count < 64, let element = startTag(start) else { return nil }
        if !element.isEmptyTag { open.append(element) } else if close(element, in: &open) { return }
      }
    }
    return nil
  }

  /// Whether it was the root.
  private mutating func close(_ element: Element, in open: inout [Element]) -> Bool {
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    return open.isEmpty
  }

  private func nextMarkup() -> Int? { bytes[offset...].firstIndex(of: UInt8(ascii: "<")) }

  private static let endTag = Array("</".utf8)
  private static let tagEnd = Array(">".utf8)
  /// Comments, sections of characters and instructions.
  private static let asides = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].map {
    (begin: Array($0.utf8), end: Array($1.utf8))
  }

  private func starts(_ text: [UInt8], at place: Int) -> Bool { bytes[place...].starts(with: text) }

  /// Behind the next occurrence of a text.
  private func find(_ text: [UInt8], from place: Int) -> Int? {
    bytes[min(place, bytes.count)...].indices.first { bytes[$0] == text[0] && starts(text, at: $0) }
      .map { $0 + text.count }
  }

  /// Behind what is no tag; nil where none begins.
  private func endOfAside(_ place: Int) -> Int? {
    Self.asides.first { starts($0.begin, at: place) }
      .map { find($0.end, from: place + $0.begin.count) ?? bytes.count }
  }

  private mutating func startTag(_ start: Int) -> Element? {
    offset = start + 1
    var element = Element(name: name(), range: start..<start, tag: start..<start, content: start..<start)
    while true {
      let begin = offset
      skipSpace()
      guard offset < bytes.count else { return nil }
      if bytes[offset] == UInt8(ascii: "/") || bytes[offset] == UInt8(ascii: ">") { break }
      guard let attribute = attribute(from: begin) else { return nil }
      element.attributes.append(attribute)
    }
    element.isEmptyTag = bytes[offset] == UInt8(ascii: "/")
    offset += element.isEmptyTag ? 2 : 1
    guard offset <= bytes.count else { return nil }
    (element.tag, element.range, element.content) = (start..<offset, start..<offset, offset..<offset)
    return element
  }

  private mutating func attribute(from begin: Int) -> Attribute? {
    let name = name()
    skipSpace()
    guard !name.isEmpty, offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else { return nil }
    offset += 1
    skipSpace()
    guard offset < bytes.count else { return nil }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(offset + 1)...].firstIndex(of: quote)
    else { return nil }
    let value = (offset + 1)..<end
    offset = end + 1
    return Attribute(name: name, range: begin..<offset, value: value)
  }

  private mutating func name() -> String {
    let start = offset
    while offset < bytes.count, !bytes[offset].isXMLSpace, !bytes[offset].endsXMLName { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
  }
}

extension XMLOutline {
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The value as it stands there, with its references; nil where there is none.
  func rawValue(_ name: String, of element: Element) -> String? {
    element.attributes.first { $0.name == name }.map { text($0.value) }
  }

  /// The value that a reader sees.
  func value(_ name: String, of element: Element) -> String? {
    rawValue(name, of: element).map(readAttribute)
  }

  /// The white space that ends at a place.
  func space(before place: Int) -> Range<Int> {
    let before = bytes[..<place].lastIndex { !$0.isXMLSpace }
    return (before.map { $0 + 1 } ?? 0)..<place
  }
}

extension UInt8 {
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  fileprivate var endsXMLName: Bool {
    self == UInt8(ascii: "=") || self == UInt8(ascii: "/") || self == UInt8(ascii: ">")
  }
}

/// The characters that references of an attribute's value stand for; white space as such is blanks.
private func readAttribute(_ raw: String) -> String {
  let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
  var text = String.UnicodeScalarView()
  var rest = raw.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    guard scalar == "&", let end = rest.firstIndex(of: ";") else {
      text.append(scalar.value < 0x20 ? " " : scalar)
      continue
    }
    let name = String(rest[..<end])
    if let character = known[name] ?? referredCharacter(name) {
      text.append(contentsOf: character.unicodeScalars)
      rest = rest[rest.index(after: end)...]
    } else {
      text.append(scalar)
    }
  }
  return String(text)
}

/// `#10` and `#xA`.
private func referredCharacter(_ name: String) -> String? {
  guard name.hasPrefix("#") else { return nil }
  let digits = name.dropFirst()
  let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
  return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
}
