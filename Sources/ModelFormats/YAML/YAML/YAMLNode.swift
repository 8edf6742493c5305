package import ManagedModel

/// One node of a YAML file, with its place.
///
/// A scalar stays text: `no`, `1.10` and `~` mean what the key that holds them says, never what YAML guesses.
package struct YAMLNode: Sendable {
  package var content: Content
  let span: Span
  /// Where the span counts; a file may be changed by another one, so that nodes of one tree differ in it.
  let source: SourceText

  /// A stretch of the text in Unicode scalars, and how what stands there is written.
  struct Span: Hashable, Sendable {
    var start: Int32
    var end: Int32
    /// In braces or brackets.
    var isFlow: Bool
    /// Put together from several places: there is no text that says all of it.
    var isMerged = false

    init(_ start: Int, _ end: Int, isFlow: Bool = false) {
      (self.start, self.end) = (Int32(clamping: start), Int32(clamping: end))
      self.isFlow = isFlow
    }

    var merged: Self {
      var span = self
      span.isMerged = true
      return span
    }
  }

  package enum Content: Sendable {
    case scalar(String, Style)
    case sequence([YAMLNode])
    /// In the order of the file; no key occurs twice.
    case mapping([Pair])
    /// What was refused already (an alias); readers pass over it without a word.
    case refused
  }

  package enum Style: Hashable, Sendable {
    case plain
    /// In quotes.
    case quoted
    /// `|` or `>` and lines of text.
    case block
  }

  package struct Pair: Sendable {
    package var key: String
    package var keyStyle: Style
    var keySpan: Span
    package var value: YAMLNode
  }

  /// From the node's first character to the position after its last; layout and comments behind it stay out.
  package var range: SourceRange { source.range(from: Int(span.start), to: Int(span.end)) }

  /// The text of a scalar.
  package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  package var isPlain: Bool { if case .scalar(_, .plain) = content { true } else { false } }

  /// Of a list; empty for anything else.
  package var elements: [YAMLNode] { if case .sequence(let elements) = content { elements } else { [] } }

  /// Whether nothing is written where the node stands: `attributes:` and then the next key.
  package var isEmpty: Bool { if case .scalar("", .plain) = content { true } else { false } }

  /// The node in words: for messages that say what was found.
  package var kind: String {
    switch content {
    case .scalar(let text, .plain): text.isEmpty ? "nothing" : "'\(text.abridged)'"
    case .scalar: "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .refused: "an alias"
    }
  }

  /// Whether the other node holds the same, written in the same way; only places differ.
  func isWritten(like other: YAMLNode) -> Bool {
    guard span.isFlow == other.span.isFlow else { return false }
    switch (content, other.content) {
    case (.scalar(let text, let style), .scalar(let otherText, let otherStyle)):
      return style == otherStyle && text.hasBytes(of: otherText)
    case (.sequence(let elements), .sequence(let others)):
      return elements.count == others.count
        && elements.indices.allSatisfy { elements[$0].isWritten(like: others[$0]) }
    case (.mapping(let pairs), .mapping(let others)):
      return pairs.count == others.count
        && pairs.indices.allSatisfy {
          pairs[$0].keyStyle == others[$0].keyStyle && pairs[$0].key.hasBytes(of: others[$0].key)
            && pairs[$0].value.isWritten(like: others[$0].value)
        }
    case (.refused, .refused): return true
    default: return false
    }
  }

  /// The value of a key in a mapping.
  package subscript(key: String) -> YAMLNode? { pair(key)?.value }

  func pair(_ key: String) -> Pair? {
    guard case .mapping(let pairs) = content else { return nil }
    for index in pairs.indices where pairs[index].key == key { return pairs[index] }
    return nil
  }
}

extension YAMLNode.Pair {
  package var keyRange: SourceRange { value.source.range(from: Int(keySpan.start), to: Int(keySpan.end)) }
}
