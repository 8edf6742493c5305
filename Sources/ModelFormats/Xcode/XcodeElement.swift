import ManagedModel

/// One element of a model's XML, with its place and those of its attributes.
struct XcodeElement: Sendable {
  var name: String
  /// In the order of the document, each name once.
  var attributes: [XMLAttribute]
  var children: [XcodeElement] = []
  /// The document that the bytes are of.
  let text: XMLDocumentText
  /// The start tag.
  let bytes: Range<Int>

  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  func children(named name: String) -> [XcodeElement] { children.filter { $0.name == name } }

  /// The attribute's value unless it is empty.
  func text(_ attribute: String) -> String? {
    self[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Xcode writes `YES`, seldom `true`; absence means no.
  func flag(_ attribute: String) -> Bool { self[attribute].map(isYes) ?? false }

  var place: SourceRange { text.range(bytes) }

  /// From the attribute's name to its closing quote, or the start tag.
  func place(of attribute: String) -> SourceRange {
    attributes.first { $0.name == attribute }.map { text.range($0.bytes) } ?? place
  }
}

func isYes(_ text: String) -> Bool {
  text == "YES" || (text != "NO" && ["yes", "true", "1"].contains(text.lowercased()))
}
