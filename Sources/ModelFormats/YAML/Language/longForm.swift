/// The long form of what has a short one, so that a change can name one key of it.
extension YAMLNode {
  func longForm(_ level: ChangeLevel) -> YAMLNode {
    switch (level, content) {
    case (.attribute, .scalar(let text, _)): longAttribute(text) ?? self
    case (.objectClass, .scalar) where !isEmpty: mapping([pair("name", self)])
    case (.fetchIndex, .sequence): mapping([pair("elements", self)])
    default: self
    }
  }

  private func longAttribute(_ text: String) -> YAMLNode? {
    guard let form = try? AttributeShortForm(parsing: text), !form.typeName.isEmpty else { return nil }
    let type = form.typeName + (form.isOptional ? "?" : "")
    let typeEnd = form.typeName.unicodeScalars.count
    var pairs = [pair("type", scalar(type, .plain, part: 0..<typeEnd, of: text))]
    if let value = form.defaultText {
      // Quoted, because the short form's text means itself.
      pairs.append(pair("default", scalar(value, .quoted, part: form.defaultRange, of: text)))
    }
    return mapping(pairs)
  }

  private func mapping(_ pairs: [Pair]) -> YAMLNode {
    YAMLNode(content: .mapping(pairs), span: span.merged, source: source)
  }

  /// A key that is not written stands where its value does.
  private func pair(_ key: String, _ value: YAMLNode) -> Pair {
    Pair(key: key, keyStyle: .plain, keySpan: value.span, value: value)
  }

  private func scalar(_ value: String, _ style: Style, part: Range<Int>?, of text: String) -> YAMLNode {
    var place = span
    if isPlain, let part, Int(span.end - span.start) == text.unicodeScalars.count {
      place = Span(Int(span.start) + part.lowerBound, Int(span.start) + part.upperBound)
    }
    return YAMLNode(content: .scalar(value, style), span: place.merged, source: source)
  }
}
