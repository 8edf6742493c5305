import ManagedModel

/// The tree of a version file as the place of everything that the model says.
final class ModelOutline: SourceOutline {
  private let root: YAMLNode
  /// Edits are made in this file only; what a version takes over from another stands elsewhere.
  private let file: String
  /// The position of each entity among the pairs of `entities`.
  private let entities: [String: Int]

  init(_ root: YAMLNode, file: String) {
    (self.root, self.file) = (root, file)
    var entities: [String: Int] = [:]
    if case .mapping(let pairs)? = root["entities"]?.content {
      entities.reserveCapacity(pairs.count)
      for (index, pair) in pairs.enumerated() { entities[pair.key] = index }
    }
    self.entities = entities
  }

  func range(of subject: ModelSubject) -> SourceRange? {
    if let spot = spot(of: subject) { return spot.range }
    guard let key = subject.key, let (owner, last) = shortForm(of: subject, key) else { return nil }
    return owner.node.partOfShortForm(last)
  }

  func textRange(of subject: ModelSubject) -> SourceRange? { spot(of: subject)?.node.textRange }

  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? {
    guard let made = self.edit(for: edit), made.range.file == file else { return nil }
    return made.fixIt(edit.message, isSafe: edit.isSafe)
  }

  /// Where a subject stands in the tree.
  struct Spot {
    var parent: YAMLNode
    /// Among the parent's pairs or elements.
    var index: Int
    var node: YAMLNode
    /// The key that leads to the node; nil in a list.
    var pair: YAMLNode.Pair?
    /// Whether the key is a name that the file gives, not a word of the language.
    var isName: Bool
    /// Whether it stands in braces or brackets.
    var isInFlow: Bool

    var range: SourceRange {
      guard let pair else { return node.range }
      return isName || node.isEmpty ? pair.keyRange : node.range
    }
  }

  func spot(of subject: ModelSubject) -> Spot? {
    guard let entity = subject.entity else {
      return subject.key.flatMap { find($0[...], below: root, .model, isInFlow: root.span.isFlow) }
    }
    guard let index = entities[entity], let section = root["entities"],
      let spot = step(to: index, of: section, isName: true, isInFlow: root.span.isFlow)
    else { return nil }
    guard let property = subject.property else {
      return subject.key.map { find($0[...], below: spot.node, .entity, isInFlow: spot.isInFlow) } ?? spot
    }
    for name in ["attributes", "relationships", "fetchedProperties"] {
      guard let section = spot.node[name], case .mapping(let pairs) = section.content,
        let index = pairs.firstIndex(where: { $0.key == property })
      else { continue }
      let isInFlow = spot.isInFlow || spot.node.span.isFlow
      guard let found = step(to: index, of: section, isName: true, isInFlow: isInFlow) else { return nil }
      return subject.key.map { find($0[...], below: found.node, .attribute, isInFlow: found.isInFlow) }
        ?? found
    }
    return nil
  }

  /// Follows `key.name[2].key`; names may hold points and brackets themselves.
  private func find(_ path: Substring, below node: YAMLNode, _ level: ChangeLevel, isInFlow: Bool) -> Spot? {
    let isInFlow = isInFlow || node.span.isFlow
    if path.first == "[" {
      // The elements of an index in the long form.
      if let elements = node["elements"] { return find(path, below: elements, .value, isInFlow: isInFlow) }
      guard let close = path.firstIndex(of: "]"),
        let index = Int(path[path.index(after: path.startIndex)..<close]),
        let spot = step(to: index, of: node, isName: false, isInFlow: isInFlow)
      else { return nil }
      return follow(path[path.index(after: close)...], from: spot, .value)
    }
    guard case .mapping(let pairs) = node.content else { return nil }
    for (index, pair) in pairs.enumerated() where path.hasPrefix(pair.key) {
      let rest = path.dropFirst(pair.key.count)
      guard rest.isEmpty || rest.first == "." || rest.first == "[",
        let spot = step(to: index, of: node, isName: level.isNames, isInFlow: isInFlow),
        let found = follow(rest, from: spot, level.below(pair.key))
      else { continue }
      return found
    }
    return nil
  }

  private func follow(_ path: Substring, from spot: Spot, _ level: ChangeLevel) -> Spot? {
    if path.isEmpty { return spot }
    let rest = path.first == "." ? path.dropFirst() : path
    return find(rest, below: spot.node, level, isInFlow: spot.isInFlow)
  }

  private func step(to index: Int, of parent: YAMLNode, isName: Bool, isInFlow: Bool) -> Spot? {
    let isInFlow = isInFlow || parent.span.isFlow
    switch parent.content {
    case .mapping(let pairs) where pairs.indices.contains(index):
      return Spot(
        parent: parent, index: index, node: pairs[index].value, pair: pairs[index], isName: isName,
        isInFlow: isInFlow)
    case .sequence(let elements) where elements.indices.contains(index):
      return Spot(
        parent: parent, index: index, node: elements[index], pair: nil, isName: isName, isInFlow: isInFlow)
    default: return nil
    }
  }

  /// An attribute in the short form, where the subject is one of its parts.
  private func shortForm(of subject: ModelSubject, _ key: String) -> (owner: Spot, part: String)? {
    for part in ["default", "type"] {
      var owner = subject
      if key == part, subject.property != nil {
        owner.key = nil
      } else if key.hasSuffix(".\(part)") {
        owner.key = String(key.dropLast(part.count + 1))
      } else {
        continue
      }
      if let spot = spot(of: owner), spot.node.text != nil { return (spot, part) }
    }
    return nil
  }
}

extension YAMLNode {
  /// The place of the type or the default of an attribute in the short form.
  fileprivate func partOfShortForm(_ part: String) -> SourceRange? {
    guard let text, let form = try? AttributeShortForm(parsing: text) else { return nil }
    if part == "default" { return form.defaultRange.flatMap { self.part($0, of: text) } }
    return self.part(0..<form.typeName.unicodeScalars.count, of: text)
  }

  /// The place of some scalars of the text, where it stands in the file as it is: plain, on one line.
  func part(_ part: Range<Int>, of text: String) -> SourceRange? {
    guard isPlain, Int(span.end - span.start) == text.unicodeScalars.count else { return nil }
    let place = source.range(from: Int(span.start) + part.lowerBound, to: Int(span.start) + part.upperBound)
    return place.start.line == place.end.line ? place : nil
  }

  /// The place of a scalar's text, without quotation marks and the head of a block.
  var textRange: SourceRange? {
    guard case .scalar(_, let style) = content else { return nil }
    switch style {
    case .plain: return range
    case .quoted: return source.range(from: Int(span.start) + 1, to: Int(span.end) - 1)
    case .block:
      let lineStart = source.nextLineStart(after: Int(span.start))
      guard lineStart < Int(span.end) else { return range }
      let blanks = source.text(from: lineStart, to: Int(span.end)).unicodeScalars.prefix { $0 == " " }.count
      return source.range(from: lineStart + blanks, to: Int(span.end))
    }
  }
}
