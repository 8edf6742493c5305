package import ManagedModel

/// The form of a value in a file, both ways.
struct Form<Value: Sendable>: Sendable {
  /// What editors are told of such a value; made only when asked for.
  let shape: @Sendable () -> ValueShape
  /// Nil, with a diagnostic, where the node is no such value.
  package let read: @Sendable (YAMLNode, ModelSubject, LanguageReading) -> Value?
  let write: @Sendable (Value) -> YAMLValue

  init(
    _ shape: @autoclosure @escaping @Sendable () -> ValueShape = .unstated,
    read: @escaping @Sendable (YAMLNode, ModelSubject, LanguageReading) -> Value?,
    write: @escaping @Sendable (Value) -> YAMLValue
  ) { (self.shape, self.read, self.write) = (shape, read, write) }

  static func list<Element>(
    of form: Form<Element>, layout: YAMLValue.Layout = .compact
  ) -> Self where Value == [Element] {
    Form(.list(of: form.shape())) { node, subject, reading in
      guard let elements = reading.elements(of: node, subject) else { return nil }
      return elements.enumerated().compactMap { index, element in
        reading.isFull ? nil : form.read(element, subject.element(index), reading)
      }
    } write: { elements in
      .sequence(elements.map(form.write), layout)
    }
  }

  /// A mapping from names, written in their order.
  static func byName<Element>(
    _ form: Form<Element>, layout: YAMLValue.Layout = .compact
  ) -> Self where Value == [String: Element] {
    Form(.named(form.shape())) { node, subject, reading in
      guard let pairs = reading.pairs(of: node, subject.keyInWords) else { return nil }
      var found: [String: Element] = [:]
      for pair in pairs where !reading.isFull {
        if let value = form.read(pair.value, subject.part(pair.key), reading) { found[pair.key] = value }
      }
      return found
    } write: { values in
      let sorted = values.sorted { $0.key.precedesInCodePointOrder($1.key) }
      return .mapping(sorted.map { YAMLPair($0.key, form.write($0.value)) }, layout)
    }
  }

  /// A mapping from names to descriptions that know their names; the order is kept.
  ///
  /// - Parameters:
  ///   - subject: what an element is, from what the mapping is and the element's name.
  ///   - layout: how the mapping is written.
  ///   - names: the form of the names, where there is one; for editors.
  ///   - shape: what editors are told of an element.
  static func named<Element: Sendable>(
    _ name: any KeyPath<Element, String> & Sendable,
    about subject: @escaping @Sendable (ModelSubject, String) -> ModelSubject = { $0.part($1) },
    layout: YAMLValue.Layout = .compact, names: String? = nil,
    shape: @autoclosure @escaping @Sendable () -> ValueShape = .unstated,
    read: @escaping @Sendable (String, YAMLNode, ModelSubject, LanguageReading) -> Element?,
    write: @escaping @Sendable (Element) -> YAMLValue
  ) -> Self where Value == [Element] {
    Form(.named(shape(), names: names)) { node, whole, reading in
      guard let pairs = reading.pairs(of: node, whole.keyInWords) else { return nil }
      return pairs.compactMap { pair in
        reading.warnIfAmbiguous(pair.key, pair.keyStyle, at: pair.keyRange)
        if case .refused = pair.value.content { return nil }
        if reading.isFull { return nil }
        return read(pair.key, pair.value, subject(whole, pair.key), reading)
      }
    } write: { elements in
      // A mapping has each key once. Of Apple's models only indexes repeat a name, and the first counts (MC1112).
      .mapping(elements.unique { $0[keyPath: name] }.map { YAMLPair($0[keyPath: name], write($0)) }, layout)
    }
  }

  /// One of a few words.
  static func word(_ words: [(String, Value)]) -> Self where Value: Equatable {
    Form(.words(words.map(\.0))) { node, subject, reading in
      if let text = node.text, let value = words.first(where: { $0.0 == text }) { return value.1 }
      return reading.refuse(node) {
        let names = words.map(\.0)
        return Diagnostic.wrongKind(
          node, wanted: "\(subject.keyInWords) is one of \(names.joined(separator: ", "))"
        ).suggesting(node.text.flatMap { nearMatch(to: $0, among: names) }, at: node.range)
      }
    } write: { value in
      .typed(words.first { $0.1 == value }?.0 ?? "")
    }
  }
}

extension Form<String> {
  /// Text that means itself.
  static let text = Form(.text) { node, subject, reading in
    reading.text(of: node, subject)
  } write: {
    .text($0)
  }

  /// A number or date as text, kept as it is written.
  static let literal = Form(.literal) { node, subject, reading in
    reading.scalar(of: node, subject)
  } write: {
    .typed($0)
  }
}

extension Form<Bool> {
  static let flag = Form(.flag) { node, subject, reading in
    switch node.text {
    case "true": return true
    case "false": return false
    default: return reading.refuse(node) { .noFlag(node, subject) }
    }
  } write: {
    .typed($0 ? "true" : "false")
  }
}

extension Form<Int> {
  /// A whole number in the range of Core Data's counts, which have 32 bits.
  static let integer = Form(.integer(Int(Int32.min)...Int(Int32.max))) { node, subject, reading in
    if let value = node.text.flatMap(Int32.init) { return Int(value) }
    return reading.refuse(node) {
      .wrongKind(node, wanted: "\(subject.keyInWords) is a whole number of 32 bits")
    }
  } write: {
    .typed("\($0)")
  }
}

extension Form<[String]> { static let texts = Form<[String]>.list(of: .text) }

extension Form<[String: String]> {
  /// Text by name, written in the order of names.
  static let dictionary = byName(.text)
}

extension LanguageReading {
  /// Reports a node that cannot be read, unless it was reported before. Nothing is read of it.
  func refuse<Value>(_ node: YAMLNode, _ diagnostic: () -> Diagnostic) -> Value? {
    if case .refused = node.content { return nil }
    diagnostics.append(diagnostic())
    return nil
  }

  /// The text of a scalar whose type the key decides.
  func scalar(of node: YAMLNode, _ subject: ModelSubject) -> String? {
    if let text = node.text, !node.isEmpty { return text }
    return refuse(node) {
      .wrongKind(
        node, wanted: "\(subject.keyInWords) is a text",
        help: node.isEmpty ? ["write \"\" for an empty text, or remove the key"] : [])
    }
  }

  /// A text that means itself; a warning where other readers would take it for something else.
  func text(of node: YAMLNode, _ subject: ModelSubject) -> String? {
    guard let text = scalar(of: node, subject) else { return nil }
    warnIfAmbiguous(text, node.isPlain ? .plain : .quoted, at: node.range)
    return text
  }

  func warnIfAmbiguous(_ text: String, _ style: YAMLNode.Style, at range: @autoclosure () -> SourceRange) {
    if style == .plain, !isFullOfWarnings, text.isAmbiguousScalar {
      let place = range()
      diagnostics.append(
        .ambiguousText, .warning, "'\(text)' is text here, but other YAML readers read it as something else",
        place: place, fixIts: [.init("quote it", range: place, replacement: text.quotedScalar, isSafe: true)])
    }
  }

  /// The elements of a list; nothing at all is an empty one.
  func elements(of node: YAMLNode, _ subject: ModelSubject) -> [YAMLNode]? {
    if case .sequence(let elements) = node.content { return elements }
    if node.isEmpty { return [] }
    return refuse(node) {
      var diagnostic = Diagnostic.wrongKind(node, wanted: "\(subject.keyInWords) is a list")
      if let text = node.text {
        let element = "[\(text.yamlScalar(.text, inFlow: true))]"
        diagnostic.help = ["put it in brackets: \(element.abridged)"]
        diagnostic.fixIts = [
          Diagnostic.FixIt("put it in brackets", range: node.range, replacement: element, isSafe: true)
        ]
      }
      return diagnostic
    }
  }
}

extension ModelSubject {
  /// The innermost name, in quotes.
  var keyInWords: String { "'\((key ?? property ?? entity ?? "the file").abridged)'" }
}

extension Diagnostic.Code { package static let ambiguousText = Self("MC0006") }

extension Diagnostic {
  fileprivate static func noFlag(_ node: YAMLNode, _ subject: ModelSubject) -> Diagnostic {
    var diagnostic = wrongKind(node, wanted: "\(subject.keyInWords) is true or false")
    switch node.text?.lowercased() {
    case "yes", "on", "1", "true":
      diagnostic.fixIts = [FixIt("write 'true'", range: node.range, replacement: "true", isSafe: true)]
    case "no", "off", "0", "false":
      diagnostic.fixIts = [FixIt("write 'false'", range: node.range, replacement: "false", isSafe: true)]
    default: break
    }
    return diagnostic
  }
}
