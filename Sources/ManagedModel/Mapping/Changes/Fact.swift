/// One fact of an entity, a property or a fetch request: how it is compared, printed and copied.
struct Fact<Root: Sendable>: Sendable {
  /// In the words of the model language.
  let key: String
  /// Nil if the model says nothing of it.
  let text: @Sendable (Root) -> String?
  let differs: @Sendable (Root, Root) -> Bool
  /// The change in words, to stand after the name of what changed.
  let words: @Sendable (Root, Root) -> String
  /// Gives the second what the first says.
  let copy: @Sendable (Root, inout Root) -> Void

  init(
    _ key: String, text: @escaping @Sendable (Root) -> String?,
    differs: (@Sendable (Root, Root) -> Bool)? = nil, words: (@Sendable (Root, Root) -> String)? = nil,
    copy: @escaping @Sendable (Root, inout Root) -> Void
  ) {
    self.key = key
    self.text = text
    self.differs = differs ?? { text($0) != text($1) }
    self.words = words ?? { "\(key) \(shown(text($0))) → \(shown(text($1)))" }
    self.copy = copy
  }

  /// A fact that is one stored property.
  init<Value: Equatable & Sendable>(
    _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable,
    differs: (@Sendable (Root, Root) -> Bool)? = nil, words: (@Sendable (Root, Root) -> String)? = nil,
    text: @escaping @Sendable (Value) -> String?
  ) {
    self.init(
      key, text: { text($0[keyPath: path]) },
      differs: differs ?? { $0[keyPath: path] != $1[keyPath: path] }, words: words
    ) { $1[keyPath: path] = $0[keyPath: path] }
  }

  init(_ key: String, _ path: any WritableKeyPath<Root, String?> & Sendable) { self.init(key, path) { $0 } }

  init<Value: Equatable & Sendable & CustomStringConvertible>(
    _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable
  ) { self.init(key, path) { $0.description } }

  /// - Parameter adjective: what something with the flag is: `optional`.
  init(_ key: String, _ path: any WritableKeyPath<Root, Bool> & Sendable, adjective: String) {
    self.init(key, path, words: { $1[keyPath: path] ? "now \(adjective)" : "no longer \(adjective)" }) {
      String($0)
    }
  }

  /// The same fact of a part of something larger.
  func within<Whole: Sendable>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> Fact<Whole> {
    let (text, differs, words, copy) = (text, differs, words, copy)
    return Fact<Whole>(
      key, text: { text($0[keyPath: path]) }, differs: { differs($0[keyPath: path], $1[keyPath: path]) },
      words: { words($0[keyPath: path], $1[keyPath: path]) }
    ) { copy($0[keyPath: path], &$1[keyPath: path]) }
  }
}

/// A value as it is in a line: in one line, cut where it is long.
func shown(_ text: String?) -> String {
  guard let text else { return "none" }
  let limit = 80
  var line = String(text.prefix(limit + 1).map { $0.isNewline ? " " : $0 })
  if line.count > limit { line = line.prefix(limit) + "…" }
  return line.isEmpty || line.contains(where: \.isWhitespace) ? "'\(line)'" : line
}

/// The entries of a dictionary as facts, one for each key that either side has.
func dictionaryFacts<Root: Sendable>(
  _ key: String, _ path: any WritableKeyPath<Root, [String: String]> & Sendable, of old: Root, _ new: Root
) -> [Fact<Root>] {
  Set(old[keyPath: path].keys).union(new[keyPath: path].keys).sortedByCodePoint.map { name in
    Fact("\(key).\(name)", text: { $0[keyPath: path][name] }) {
      $1[keyPath: path][name] = $0[keyPath: path][name]
    }
  }
}
