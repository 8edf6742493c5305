/// A value on its way out: what ``renderYAML(_:)`` lays out.
enum YAMLValue: Hashable, Sendable {
  case scalar(String, Reading)
  case sequence([YAMLValue], Layout = .compact)
  case mapping([YAMLPair], Layout = .compact)

  /// Text that means itself, quoted where another YAML reader would see a number, a Boolean or nothing.
  static func text(_ text: String) -> YAMLValue { .scalar(text, .text) }

  /// A key with nothing behind it.
  static let nothing = YAMLValue.scalar("", .nothing)

  /// A number, a Boolean, or a text whose key says its type: quoted only where it could not be read back.
  static func typed(_ text: String) -> YAMLValue { .scalar(text, .typed) }

  enum Reading: Hashable, Sendable { case text, typed, nothing }

  enum Layout: Hashable, Sendable {
    /// On one line in brackets or braces where the line stays short enough, else a line per element.
    case compact
    /// Always a line per element.
    case block
  }
}

/// One key with its value.
struct YAMLPair: Hashable, Sendable {
  var key: String
  var value: YAMLValue

  init(_ key: String, _ value: YAMLValue) { (self.key, self.value) = (key, value) }
}
