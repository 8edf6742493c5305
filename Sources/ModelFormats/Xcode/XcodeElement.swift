import ManagedModel

/// One element of a model's XML, with its place and those of its attributes.
struct XcodeElement: Sendable {
  var name: String
  var attributes: [String: String]
  var children: [XcodeElement] = []
  /// The start tag.
  var place: SourceRange
  /// Each from the attribute's name to its closing quote.
  var attributePlaces: [String: SourceRange]

  subscript(attribute: String) -> String? { attributes[attribute] }

  func children(named name: String) -> [XcodeElement] { children.filter { $0.name == name } }

  /// The attribute's value unless it is empty.
  func text(_ attribute: String) -> String? {
    self[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Xcode writes `YES`, seldom `true`; absence means no.
  func flag(_ attribute: String) -> Bool { self[attribute].map(isYes) ?? false }

  func place(of attribute: String) -> SourceRange { attributePlaces[attribute] ?? place }
}

func isYes(_ text: String) -> Bool { ["yes", "true", "1"].contains(text.lowercased()) }
