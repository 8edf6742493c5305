package import ManagedModel

/// One node of a YAML file, with its place.
///
/// A scalar stays text: `no`, `1.10` and `~` mean what the key that holds them says, never what YAML guesses.
package struct YAMLNode: Hashable, Sendable {
  package var content: Content
  /// From the node's first character to the position after its last; layout and comments behind it stay out.
  package var range: SourceRange

  package init(content: Content, range: SourceRange) {
    self.content = content
    self.range = range
  }

  package enum Content: Hashable, Sendable {
    case scalar(String, Style)
    case sequence([YAMLNode])
    /// In the order of the file; no key occurs twice.
    case mapping([Pair])
    /// What was refused already (an alias); readers pass over it without a word.
    case refused
  }

  package enum Style: Hashable, Sendable {
    case plain
    /// In quotes, or a block scalar: `|`, `>`.
    case quoted
  }

  package struct Pair: Hashable, Sendable {
    package var key: String
    package var keyStyle: Style
    package var keyRange: SourceRange
    package var value: YAMLNode
  }
}

extension YAMLNode {
  /// The text of a scalar.
  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  package var isPlain: Bool {
    if case .scalar(_, .plain) = content { true } else { false }
  }

  /// Whether nothing is written where the node stands: `attributes:` and then the next key.
  package var isEmpty: Bool { isPlain && text?.isEmpty == true }

  /// The node in words: for messages that say what was found.
  package var kind: String {
    switch content {
    case .scalar(let text, .plain): text.isEmpty ? "nothing" : "'\(abridged(text))'"
    case .scalar: "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .refused: "an alias"
    }
  }

  /// The value of a key in a mapping.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}
