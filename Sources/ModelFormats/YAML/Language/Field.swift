package import ManagedModel

/// One key of the language: how it is read into a description, and how a description is written with it.
///
/// Reader and writer work through the same tables of fields, so neither can know a key that the other does not.
package struct Field<Root: Sendable>: Sendable {
  let key: String
  let isRequired: Bool
  /// What editors are told of the value; made only when asked for.
  let shape: @Sendable () -> ValueShape
  /// What the absence of the key says, where a value could say it too; made only when asked for.
  let absent: @Sendable () -> YAMLValue?
  let read: @Sendable (YAMLNode, inout Root, ModelSubject, LanguageReading) -> Void
  /// Nil if the description says what the absence of the key says.
  let write: @Sendable (Root) -> YAMLValue?

  init(
    _ key: String, isRequired: Bool = false,
    shape: @autoclosure @escaping @Sendable () -> ValueShape = .unstated,
    absent: @autoclosure @escaping @Sendable () -> YAMLValue? = nil,
    read: @escaping @Sendable (YAMLNode, inout Root, ModelSubject, LanguageReading) -> Void = { _, _, _, _ in
    },
    write: @escaping @Sendable (Root) -> YAMLValue? = { _ in nil }
  ) {
    self.key = key
    self.isRequired = isRequired
    self.shape = shape
    self.absent = absent
    self.read = read
    self.write = write
  }

  /// A key that stands for one stored property.
  init<Value: Equatable & Sendable>(
    _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ form: Form<Value>,
    unless absent: Value
  ) {
    self.init(key, shape: form.shape(), absent: form.write(absent)) { node, root, subject, reading in
      if let value = form.read(node, subject, reading) { root[keyPath: path] = value }
    } write: { root in
      let value = root[keyPath: path]
      return value == absent ? nil : form.write(value)
    }
  }

  /// A key that stands for one stored property, and is absent where that is nil.
  init<Value: Sendable>(
    _ key: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ form: Form<Value>
  ) {
    self.init(key, shape: form.shape()) { node, root, subject, reading in
      if let value = form.read(node, subject, reading) { root[keyPath: path] = value }
    } write: { root in
      root[keyPath: path].map(form.write)
    }
  }

  /// A key that must be there.
  init<Value: Sendable>(
    required key: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ form: Form<Value>
  ) {
    self.init(key, isRequired: true, shape: form.shape()) { node, root, subject, reading in
      if let value = form.read(node, subject, reading) { root[keyPath: path] = value }
    } write: { root in
      form.write(root[keyPath: path])
    }
  }

  /// The same key within a description that holds `Root`.
  func within<Outer: Sendable>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> Field<Outer> {
    let (read, write, shape, absent) = (read, write, shape, absent)
    return Field<Outer>(key, isRequired: isRequired, shape: shape(), absent: absent()) {
      node, outer, subject, reading in
      read(node, &outer[keyPath: path], subject, reading)
    } write: { outer in
      write(outer[keyPath: path])
    }
  }

  /// The edit that adds the key, where there is but one thing that it can say.
  fileprivate func additions(to node: YAMLNode) -> [Diagnostic.FixIt] {
    guard key == "entities" else { return [] }
    let edit =
      if case .mapping = node.content { node.insertion(of: key, .mapping([])) } else {
        node.isEmpty ? node.edit(Int(node.span.start), Int(node.span.end), "entities: {}\n") : nil
      }
    return edit.map { [$0.fixIt("add 'entities: {}'")] } ?? []
  }
}

/// All keys of one kind of mapping.
package struct Schema<Root: Sendable>: Sendable {
  /// The mapping in words: `an attribute`.
  let name: String
  let fields: [Field<Root>]
  /// By keys that people try and the language does not have, the key that they mean, or what to say.
  let hints: [String: String]
  /// Of each group exactly one key stands there; the reader says so in its own words.
  let choices: [[String]]
  /// Those of ``fields``: so few that looking through them is faster than hashing.
  private let keys: [String]
  /// The places of those that must be there.
  private let required: [Int]

  init(_ name: String, _ fields: [Field<Root>], choices: [[String]] = [], hints: [String: String] = [:]) {
    (self.name, self.fields, self.hints, self.choices) = (name, fields, hints, choices)
    keys = fields.map(\.key)
    required = fields.indices.filter { fields[$0].isRequired }
  }

  /// Reads a mapping key by key, in the order of the schema, and reports keys that are unknown or missing.
  ///
  /// - Parameter subject: what the mapping describes.
  package func read(
    _ node: YAMLNode, into root: inout Root, about subject: ModelSubject, _ reading: LanguageReading
  ) {
    guard let pairs = reading.pairs(of: node, name) else { return }
    // By their places: a copy of a pair or a field costs more than looking at it.
    var found: [(field: Int, pair: Int)] = []
    found.reserveCapacity(pairs.count)
    for place in pairs.indices {
      if let field = keys.firstIndex(of: pairs[place].key) {
        found.append((field, place))
      } else if !reading.isFull {
        reading.diagnostics.append(
          .unknownKey(pairs[place], in: name, among: keys, besides: pairs, hints: hints))
      }
    }
    found.sort { $0.field < $1.field }
    for (field, place) in found where !reading.isFull {
      fields[field].read(pairs[place].value, &root, subject.part(pairs[place].key), reading)
    }
    for field in required.map({ fields[$0] }) where !pairs.contains(where: { $0.key == field.key }) {
      reading.diagnostics.append(
        .missingKey("'\(field.key)'", in: name, at: node, fixIts: field.additions(to: node)))
    }
  }

  /// The same, of a description that says nothing else.
  func read(
    _ node: YAMLNode, from empty: Root, about subject: ModelSubject, _ reading: LanguageReading
  ) -> Root {
    var root = empty
    read(node, into: &root, about: subject, reading)
    return root
  }

  /// The keys that say more than their absence would.
  func write(_ root: Root) -> [YAMLPair] {
    fields.compactMap { field in field.write(root).map { YAMLPair(field.key, $0) } }
  }
}

extension LanguageReading {
  /// The pairs of a mapping; nothing at all is an empty one.
  func pairs(of node: YAMLNode, _ name: @autoclosure () -> String) -> [YAMLNode.Pair]? {
    if case .mapping(let pairs) = node.content { return pairs }
    return node.isEmpty ? [] : refuse(node) { .wrongKind(node, wanted: "\(name()) is a mapping") }
  }

  /// Refuses a mapping that has neither of two keys, or both.
  ///
  /// - Parameter what: the mapping as it is named where it has both; by default as where it has neither.
  func requireOne(
    of key: String, or other: String, in node: YAMLNode, _ name: String,
    called what: @autoclosure () -> String? = nil
  ) {
    switch (node[key], node[other]) {
    case (nil, nil): diagnostics.append(.missingKey("'\(key)' or '\(other)'", in: name, at: node))
    case (_?, let second?):
      diagnostics.append(
        .wrongKind, .error, "\(what() ?? name) has both '\(key)' and '\(other)'", place: second.range,
        help: ["keep one of the two"])
    default: break
    }
  }
}

extension Diagnostic.Code {
  package static let unknownKey = Self("MC0003")
  package static let missingKey = Self("MC0005")
}

extension Diagnostic {
  /// - Parameter wanted: what belongs there: `'min' is a whole number`.
  static func wrongKind(_ node: YAMLNode, wanted: String, help: [String] = []) -> Diagnostic {
    var help = help
    if case .scalar(let text, .plain) = node.content {
      if missingBlank(in: text) != nil {
        help.append("write a space after the colon")
      } else if text.hasPrefix("-"), text.dropFirst().first?.isLetter == true {
        help.append("write a space after the '-' of each element")
      }
    }
    return Diagnostic(.wrongKind, .error, "\(wanted), not \(node.kind)", place: node.range, help: help)
  }

  static func missingKey(
    _ key: String, in name: String, at node: YAMLNode, fixIts: [FixIt] = []
  ) -> Diagnostic {
    Diagnostic(.missingKey, .error, "\(name) needs the key \(key)", place: node.range, fixIts: fixIts)
  }

  /// - Parameter others: what stands there too.
  fileprivate static func unknownKey(
    _ pair: YAMLNode.Pair, in name: String, among keys: [String], besides others: [YAMLNode.Pair],
    hints: [String: String]
  ) -> Diagnostic {
    func isFree(_ key: String) -> Bool { !others.contains { $0.key == key } }
    var diagnostic = Diagnostic(
      .unknownKey, .error, "\(name) has no key '\(pair.key.abridged)'", place: pair.keyRange)
    if let hint = hints[pair.key] {
      let isKey = keys.contains(hint)
      diagnostic.help = [isKey ? "the key is '\(hint)'" : hint]
      if isKey, isFree(hint) {
        diagnostic.fixIts = [FixIt("write '\(hint)'", range: pair.keyRange, replacement: hint, isSafe: true)]
      }
      return diagnostic
    }
    let nearest = nearMatch(to: pair.key, among: keys)
    // Of two that may mean the same key neither is taken.
    let isOnly = !others.prefix(100).contains {
      !keys.contains($0.key) && $0.keyRange != pair.keyRange
        && nearMatch(to: $0.key, among: keys)?.name == nearest?.name
    }
    return diagnostic.suggesting(
      nearest, at: nearest.map { isOnly && isFree($0.name) } == true ? pair.keyRange : nil,
      else: ["its keys are \(keys.joined(separator: ", "))"])
  }
}
