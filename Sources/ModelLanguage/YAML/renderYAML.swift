/// The text of a document: two blanks per level, lines of at most 100 columns where that is possible, the same
/// text for the same value.
///
/// - Parameter indentation: in blanks, where the text is part of another.
func renderYAML(_ document: [YAMLPair], indentation: Int = 0) -> String {
  var renderer = YAMLRenderer()
  renderer.block(document, indentation: indentation)
  return renderer.output
}

/// The text of a document that is a list, each element in lines of its own.
func renderYAML(list: [YAMLValue]) -> String {
  var renderer = YAMLRenderer()
  renderer.block(list, indentation: 0)
  return renderer.output
}

private struct YAMLRenderer {
  var output = ""

  /// Longer lines are broken up where they can be.
  private static let lineLength = 100

  mutating func block(_ pairs: [YAMLPair], indentation: Int) {
    for pair in pairs {
      let margin = String(repeating: " ", count: indentation)
      let key = renderScalar(pair.key, .text, inFlow: false)
      // libyaml takes a key without '?' only up to 1024 characters.
      let lead = needsKeyMark(key) ? "\(margin)? \(key)\n\(margin):" : "\(margin)\(key):"
      output += lead
      let column =
        lead.last == ":" && lead.utf8.contains(UInt8(ascii: "\n"))
        ? indentation + 1 : lead.unicodeScalars.count
      value(pair.value, indentation: indentation + 2, column: column)
    }
  }

  /// What follows `key:` or `-`, with the line's end.
  private mutating func value(_ value: YAMLValue, indentation: Int, column: Int) {
    if case .scalar(_, .nothing) = value {
      output += "\n"
      return
    }
    if let line = oneLine(value, room: Self.lineLength - column - 1) {
      output += " \(line)\n"
      return
    }
    output += "\n"
    switch value {
    case .scalar: break
    case .mapping(let pairs, _): block(pairs, indentation: indentation)
    case .sequence(let elements, _): block(elements, indentation: indentation)
    }
  }

  mutating func block(_ elements: [YAMLValue], indentation: Int) {
    for element in elements {
      output += String(repeating: " ", count: indentation) + "-"
      value(element, indentation: indentation + 2, column: indentation + 1)
    }
  }

  private func oneLine(_ value: YAMLValue, room: Int) -> String? {
    switch value {
    case .scalar(let text, let reading): return renderScalar(text, reading, inFlow: false)
    case .mapping([], _): return "{}"
    case .sequence([], _): return "[]"
    case .mapping(_, .block), .sequence(_, .block): return nil
    case .mapping, .sequence:
      guard let text = flow(value), text.unicodeScalars.count <= room else { return nil }
      return text
    }
  }

  /// Nil where the value holds something that is always laid out in lines.
  private func flow(_ value: YAMLValue) -> String? {
    switch value {
    case .scalar(let text, let reading): return renderScalar(text, reading, inFlow: true)
    case .mapping(let pairs, let layout):
      guard layout == .compact || pairs.isEmpty else { return nil }
      var parts: [String] = []
      for pair in pairs {
        let key = renderScalar(pair.key, .text, inFlow: true)
        guard !needsKeyMark(key), let text = flow(pair.value) else { return nil }
        parts.append("\(key): \(text)")
      }
      return "{\(parts.joined(separator: ", "))}"
    case .sequence(let elements, let layout):
      guard layout == .compact || elements.isEmpty else { return nil }
      var parts: [String] = []
      for element in elements {
        guard let text = flow(element) else { return nil }
        parts.append(text)
      }
      return "[\(parts.joined(separator: ", "))]"
    }
  }

  private func needsKeyMark(_ key: String) -> Bool { key.utf8.count > 1000 }
}
