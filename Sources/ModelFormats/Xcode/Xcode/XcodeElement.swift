import ManagedModel

/// One element of a model's XML, with its place and those of its attributes.
struct XcodeElement: Sendable {
  var name: String
  /// In the order of the document, each name once.
  var attributes: [XMLAttribute]
  var children: [XcodeElement] = []
  /// The document that the bytes are of.
  let text: SourceLines
  let tag: Range<Int>
  /// Between the tags.
  private(set) var content: Range<Int>
  /// From its first byte to behind its last.
  private(set) var range: Range<Int>

  /// - Parameter tag: where the start tag stands.
  init(name: String, attributes: [XMLAttribute], text: SourceLines, tag: Range<Int>) {
    (self.name, self.attributes, self.text, self.tag) = (name, attributes, text, tag)
    content = tag.upperBound..<tag.upperBound
    range = tag
  }

  /// - Parameter end: behind the end tag, or behind the start tag where there is no other.
  mutating func close(at end: Int) {
    range = tag.lowerBound..<end
    guard end > tag.upperBound else { return }
    // An end tag holds one `<`.
    var start = end - 1
    while text.bytes[start] != UInt8(ascii: "<") { start -= 1 }
    content = tag.upperBound..<start
  }

  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  func children(named name: String) -> [XcodeElement] { children.filter { $0.name == name } }

  /// The attribute's value unless it is empty.
  func text(_ attribute: String) -> String? { self[attribute].flatMap { $0.isEmpty ? nil : $0 } }

  /// Xcode writes `YES`, seldom `true`; absence means no.
  func flag(_ attribute: String) -> Bool { self[attribute].map(isYes) ?? false }

  /// All of it, byte for byte.
  var bytes: ArraySlice<UInt8> { text.bytes[range] }

  var place: SourceRange { text.range(tag) }

  /// From the attribute's name to its closing quote, or the start tag.
  func place(of attribute: String) -> SourceRange {
    attributes.first { $0.name == attribute }.map { text.range($0.bytes) } ?? place
  }
}

func isYes(_ text: String) -> Bool {
  text == "YES" || (text != "NO" && ["yes", "true", "1"].contains(text.lowercased()))
}
