package import ManagedModel

/// Builds the tree of nodes from events, and refuses what a model file may not hold.
struct YAMLComposer {
  let text: SourceText
  var diagnostics: [Diagnostic] = []
  private(set) var root: YAMLNode?
  /// Set where going on would cost too much or make no sense.
  private(set) var isStopped = false
  private var open: [Collection] = []
  private var documentCount = 0
  private var nodeCount = 0

  init(text: SourceText) { self.text = text }

  /// A sequence or mapping whose end has not come yet.
  private struct Collection {
    var isMapping: Bool
    /// Where it begins, and where the last child ends: the end of a block collection, which libyaml puts at the
    /// next token.
    var span: YAMLNode.Span
    var elements: [YAMLNode] = []
    var pairs: [YAMLNode.Pair] = []
    /// The key whose value comes next.
    var key: Key?
  }

  private enum Key {
    case text(String, YAMLNode.Style, YAMLNode.Span)
    case refused
  }

  mutating func take(_ event: YAMLEvent) {
    // Reading on would only cost time and memory.
    if diagnostics.isFull { isStopped = true }
    if let tag = event.tag { diagnostics.append(.tag(tag, at: text.range(from: event.start, to: event.end))) }
    switch event.kind {
    case .documentStart: startDocument(event)
    case .scalar(let value, let style):
      let end = style == .block ? text.trimmedEnd(before: event.end, from: event.start) : event.end
      add(.scalar(value, style), YAMLNode.Span(event.start, end))
    case .alias(let name): addAlias(name, event)
    case .sequenceStart(let isFlow): start(isMapping: false, isFlow: isFlow, event)
    case .mappingStart(let isFlow): start(isMapping: true, isFlow: isFlow, event)
    case .sequenceEnd, .mappingEnd: endCollection(event)
    case .other, .streamEnd: break
    }
  }

  private mutating func startDocument(_ event: YAMLEvent) {
    documentCount += 1
    guard documentCount > 1 else { return }
    diagnostics.append(.severalDocuments(at: text.range(from: event.start, to: event.end)))
    isStopped = true
  }

  private mutating func addAlias(_ name: String, _ event: YAMLEvent) {
    // The alias of a merge key goes with the merge key.
    if case .refused? = open.last?.key {
    } else {
      diagnostics.append(.alias(name, at: text.range(from: event.start, to: event.end)))
    }
    add(.refused, YAMLNode.Span(event.start, event.end))
  }

  private mutating func start(isMapping: Bool, isFlow: Bool, _ event: YAMLEvent) {
    guard open.count < YAMLLimits.depth else {
      diagnostics.append(.tooDeep(at: text.range(from: event.start, to: event.end)))
      isStopped = true
      return
    }
    let span = YAMLNode.Span(event.start, event.end, isFlow: isFlow)
    open.append(Collection(isMapping: isMapping, span: span))
  }

  private mutating func endCollection(_ event: YAMLEvent) {
    guard var collection = open.popLast() else { return }
    if collection.span.isFlow { collection.span.end = Int32(clamping: event.end) }
    if collection.isMapping {
      add(.mapping(withoutDuplicates(collection.pairs, collection.span)), collection.span)
    } else {
      add(.sequence(collection.elements), collection.span)
    }
  }

  /// Puts a finished node where it belongs: as root, element, key or value.
  private mutating func add(_ content: YAMLNode.Content, _ span: YAMLNode.Span) {
    nodeCount += 1
    guard nodeCount <= YAMLLimits.nodes else {
      diagnostics.append(.tooManyNodes(at: text.range(from: Int(span.start), to: Int(span.end))))
      isStopped = true
      return
    }
    let last = open.count - 1
    guard last >= 0 else {
      root = YAMLNode(content: content, span: span, source: text)
      return
    }
    open[last].span.end = span.end
    if !open[last].isMapping {
      open[last].elements.append(YAMLNode(content: content, span: span, source: text))
    } else if let key = open[last].key {
      open[last].key = nil
      guard case .text(let name, let style, let keySpan) = key else { return }
      let value = YAMLNode(content: content, span: span, source: text)
      open[last].pairs.append(YAMLNode.Pair(key: name, keyStyle: style, keySpan: keySpan, value: value))
    } else {
      open[last].key = self.key(content, span)
    }
  }

  private mutating func key(_ content: YAMLNode.Content, _ span: YAMLNode.Span) -> Key {
    func place() -> SourceRange { text.range(from: Int(span.start), to: Int(span.end)) }
    switch content {
    case .scalar("<<", .plain): diagnostics.append(.mergeKey(at: place()))
    case .scalar(let name, let style): return .text(name, style, span)
    case .refused: break
    case .sequence, .mapping: diagnostics.append(.keyIsNoText(at: place()))
    }
    return .refused
  }

  private mutating func withoutDuplicates(
    _ pairs: [YAMLNode.Pair], _ span: YAMLNode.Span
  ) -> [YAMLNode.Pair] {
    guard pairs.map(\.key).hasDuplicates else { return pairs }
    var first: [String: Int] = [:]
    let mapping = YAMLNode(content: .mapping(pairs), span: span, source: text)
    return pairs.enumerated().filter { index, pair in
      if diagnostics.isFull { return true }
      guard let earlier = first[pair.key] else {
        first[pair.key] = index
        return true
      }
      let removal = mapping.removal(at: index).map {
        let isSafe = pairs[earlier].value.means(pair.value)
        return Diagnostic.FixIt("remove this one", range: $0.range, replacement: $0.text, isSafe: isSafe)
      }
      diagnostics.append(.duplicateKey(pair, first: pairs[earlier].keyRange, removal))
      return false
    }.map(\.element)
  }
}

extension Diagnostic.Code {
  package static let duplicateKey = Self("MC0002")
}

extension Diagnostic {
  fileprivate static func duplicateKey(
    _ pair: YAMLNode.Pair, first: SourceRange, _ removal: FixIt?
  ) -> Diagnostic {
    Diagnostic(
      .duplicateKey, .error, "key '\(pair.key.abridged)' occurs twice", place: pair.keyRange,
      notes: [Note("first here; this one counts", place: first)], fixIts: removal.map { [$0] } ?? [],
      help: ["remove or rename one of the two"])
  }

  fileprivate static func alias(_ name: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .yamlLimit, .error, "alias '\(name.abridged)': a model file has no aliases", place: place,
      help: ["write out what the anchor holds"])
  }

  fileprivate static func mergeKey(at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .yamlLimit, .error, "merge key '<<': a model file has no merge keys", place: place,
      help: ["write out what is merged"])
  }

  fileprivate static func tooDeep(at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .yamlLimit, .error, "nested deeper than \(YAMLLimits.depth) levels", place: place)
  }

  fileprivate static func tooManyNodes(at place: SourceRange) -> Diagnostic {
    Diagnostic(.yamlLimit, .error, "the file has more than \(YAMLLimits.nodes) values", place: place)
  }

  fileprivate static func severalDocuments(at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, .error, "a second document begins here; a file holds one", place: place,
      help: ["give it a file of its own"])
  }

  fileprivate static func keyIsNoText(at place: SourceRange) -> Diagnostic {
    Diagnostic(.wrongKind, .error, "a key must be text, not a list or a mapping", place: place)
  }

  fileprivate static func tag(_ tag: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .wrongKind, .error, "tag '\(tag.abridged)': a model file has no tags", place: place,
      help: ["remove it; a value means what its key says"])
  }
}
