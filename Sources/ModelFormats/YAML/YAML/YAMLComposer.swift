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
    if let tag = event.tag {
      refuse(
        .wrongKind, "tag '\(tag.abridged)': a model file has no tags", event.start, event.end,
        help: ["remove it; the key already says what a value means"])
    }
    switch event.kind {
    case .documentStart:
      documentCount += 1
      if documentCount > 1 {
        refuse(
          .yamlSyntax, "a second document begins here; a file holds one", event.start, event.end,
          help: ["give it its own file"])
        isStopped = true
      }
    case .scalar(let value, let style):
      let end = style == .block ? text.trimmedEnd(before: event.end, from: event.start) : event.end
      add(.scalar(value, style), YAMLNode.Span(event.start, end))
    case .alias(let name):
      // The alias of a merge key goes with the merge key.
      if case .refused? = open.last?.key {
      } else {
        refuse(
          .yamlLimit, "alias '\(name.abridged)': a model file has no aliases", event.start, event.end,
          help: ["write out what the anchor contains"])
      }
      add(.refused, YAMLNode.Span(event.start, event.end))
    case .start(let isMapping, let isFlow): start(isMapping: isMapping, isFlow: isFlow, event)
    case .end: endCollection(event)
    case .other, .streamEnd: break
    }
  }

  private mutating func start(isMapping: Bool, isFlow: Bool, _ event: YAMLEvent) {
    guard open.count < YAMLLimits.depth else {
      refuse(.yamlLimit, "nested deeper than \(YAMLLimits.depth) levels", event.start, event.end)
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
      refuse(.yamlLimit, "the file has more than \(YAMLLimits.nodes) values", Int(span.start), Int(span.end))
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
    switch content {
    case .scalar("<<", .plain):
      refuse(
        .yamlLimit, "merge key '<<': a model file has no merge keys", Int(span.start), Int(span.end),
        help: ["write out what is merged"])
    case .scalar(let name, let style): return .text(name, style, span)
    case .refused: break
    case .sequence, .mapping:
      refuse(.wrongKind, "a key must be text, not a list or a mapping", Int(span.start), Int(span.end))
    }
    return .refused
  }

  private mutating func refuse(
    _ code: Diagnostic.Code, _ message: String, _ start: Int, _ end: Int, help: [String] = []
  ) {
    let place = text.range(from: start, to: end)
    diagnostics.append(code, .error, message, place: place, help: help)
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
      let removal = mapping.removal(at: index)?.fixIt(
        "remove this one", isSafe: pairs[earlier].value.means(pair.value))
      diagnostics.append(
        .duplicateKey, .error, "key '\(pair.key.abridged)' occurs twice", place: pair.keyRange,
        notes: [Diagnostic.Note("first here; this one counts", place: pairs[earlier].keyRange)],
        fixIts: removal.map { [$0] } ?? [], help: ["remove or rename one of the two"])
      return false
    }.map(\.element)
  }
}

extension Diagnostic.Code { package static let duplicateKey = Self("MC0002") }
