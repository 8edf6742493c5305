import ManagedModel

/// Mends in the model's terms as edits of the file's text.
extension ModelOutline {
  func edit(for edit: ModelEdit) -> TextEdit? {
    let spot = spot(of: edit.subject)
    switch edit.change {
    case .add(let key, let value): return addition(of: key, value, to: edit.subject)
    case .append(let value): return spot?.node.insertion(of: value)
    case .makeOptional: return spot.flatMap(makingOptional)
    case .replace(let value): return replacement(of: edit.subject, with: value)
    case .rename(let name):
      guard let spot, let pair = spot.pair else { return nil }
      return TextEdit(range: pair.keyRange, text: name.yamlScalar(.text, inFlow: spot.isInFlow))
    case .remove: return spot.flatMap { $0.parent.removal(at: $0.index) }
    case .prefix(let text): return spot.flatMap { prefixing($0, with: text) }
    case .replaceWord(let word, let replacement): return spot?.node.replacingWord(word, with: replacement)
    case .swap(let other): return spot.flatMap { swapping($0, other) }
    }
  }

  private func replacement(of subject: ModelSubject, with value: ModelEdit.Value) -> TextEdit? {
    guard let spot = spot(of: subject) else {
      // A part of an attribute in the short form.
      return range(of: subject).map { TextEdit(range: $0, text: render(value, inFlow: true)) }
    }
    guard !spot.node.isEmpty, !spot.node.span.isMerged else { return nil }
    return TextEdit(range: spot.node.range, text: render(value, inFlow: spot.isInFlow))
  }

  /// A pair more in the mapping that the subject names; sections and mappings are begun if there are none.
  private func addition(of key: String, _ value: ModelEdit.Value, to subject: ModelSubject) -> TextEdit? {
    if let spot = spot(of: subject) {
      if case .mapping = spot.node.content { return spot.node.insertion(of: key, value) }
      if spot.node.isEmpty { return beginning(spot, key, value) }
      return spot.node.longForm(with: key, value, inFlow: spot.isInFlow)
    }
    // The section itself is new.
    guard let section = subject.key, subject.property == nil, !section.contains(".") else { return nil }
    var owner = subject
    owner.key = nil
    return addition(of: section, .mapping([ModelEdit.Pair(key, value)]), to: owner)
  }

  /// A mapping where nothing stands yet.
  private func beginning(_ spot: Spot, _ key: String, _ value: ModelEdit.Value) -> TextEdit? {
    guard let pair = spot.pair, !spot.parent.span.isMerged else { return nil }
    let line = "\(key.yamlScalar(.text, inFlow: spot.isInFlow)): \(render(value, inFlow: spot.isInFlow))"
    if spot.isInFlow {
      let (start, end) = (Int(spot.node.span.start), Int(spot.node.span.end))
      let hasColon = spot.node.source.text(from: Int(pair.keySpan.end), to: start).contains(":")
      return spot.node.edit(start, end, (hasColon ? "" : ":") + " {\(line)}")
    }
    let start = Int(pair.keySpan.start)
    let margin = start - spot.node.source.lineStart(at: start) + 2
    return spot.node.newLine(after: start, String(repeating: " ", count: margin) + line)
  }

  /// An attribute takes `?` after its type, a relationship or fetched property loses `optional: false`.
  private func makingOptional(_ spot: Spot) -> TextEdit? {
    if case .mapping(let pairs) = spot.node.content {
      if let index = pairs.firstIndex(where: { $0.key == "optional" }) { return spot.node.removal(at: index) }
      return spot.node["type"].flatMap { $0.questionMark }
    }
    return spot.node.questionMark
  }

  private func prefixing(_ spot: Spot, with text: String) -> TextEdit? {
    guard case .scalar(_, let style) = spot.node.content, style != .block else { return nil }
    let start = Int(spot.node.span.start) + (style == .quoted ? 1 : 0)
    return spot.node.edit(start, start, text)
  }

  /// The text from the first value's beginning to the second one's end, with the two exchanged.
  private func swapping(_ spot: Spot, _ other: ModelSubject) -> TextEdit? {
    guard let second = self.spot(of: other), second.parent.span == spot.parent.span,
      !spot.parent.span.isMerged
    else { return nil }
    let (first, last) =
      spot.node.span.start < second.node.span.start
      ? (spot.node.span, second.node.span) : (second.node.span, spot.node.span)
    let source = spot.node.source
    let middle = source.text(from: Int(first.end), to: Int(last.start))
    let text =
      source.text(from: Int(last.start), to: Int(last.end)) + middle
      + source.text(from: Int(first.start), to: Int(first.end))
    return spot.node.edit(Int(first.start), Int(last.end), text)
  }
}

extension YAMLNode {
  /// Nil if the word is not there.
  func replacingWord(_ word: String, with replacement: String) -> TextEdit? {
    let (start, end) = (Int(span.start), Int(span.end))
    let text = source.text(from: start, to: end)
    let replaced = text.replacingWord(word, with: replacement)
    return replaced == text ? nil : edit(start, end, replaced)
  }

  /// `?` behind the type's name.
  fileprivate var questionMark: TextEdit? {
    guard case .scalar(let text, let style) = content, style != .block,
      let form = try? AttributeShortForm(parsing: text), !form.isOptional, text.hasPrefix(form.typeName)
    else { return nil }
    let end = Int(span.start) + (style == .quoted ? 1 : 0) + form.typeName.unicodeScalars.count
    return edit(end, end, "?")
  }

  /// An attribute in the short form, in the long one with a key more.
  fileprivate func longForm(with key: String, _ value: ModelEdit.Value, inFlow: Bool) -> TextEdit? {
    guard let text, let form = try? AttributeShortForm(parsing: text) else { return nil }
    var pairs = [ModelEdit.Pair("type", .word(form.typeName + (form.isOptional ? "?" : "")))]
    if let text = form.defaultText {
      let isText = AttributeType(name: form.typeName)?.isText == true
      pairs.append(ModelEdit.Pair("default", isText ? .text(text) : .word(text)))
    }
    pairs.append(ModelEdit.Pair(key, value))
    return edit(Int(span.start), Int(span.end), render(.mapping(pairs), inFlow: inFlow))
  }
}

extension String {
  /// The text with every whole word `word` replaced; a word is a run of letters, digits and underscores.
  func replacingWord(_ word: String, with replacement: String) -> String {
    var result = ""
    var current = ""
    func flush() {
      result += current == word ? replacement : current
      current = ""
    }
    for character in self {
      if character.isLetter || character.isNumber || character == "_" {
        current.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return result
  }
}
