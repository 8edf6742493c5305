import ManagedModel

/// The JSON text of a value: mappings keep their order, `text` scalars are strings, `typed` ones stand as they are.
func renderJSON(_ value: YAMLValue, indentation: Int = 0) -> String {
  let margin = String(repeating: " ", count: indentation + 2)
  let end = String(repeating: " ", count: indentation)
  switch value {
  case .scalar(let text, .typed): return text
  case .scalar(_, .nothing): return "null"
  case .scalar(let text, .text): return jsonString(text)
  case .sequence([], _): return "[]"
  case .mapping([], _): return "{}"
  case .sequence(let elements, _):
    let lines = elements.map { renderJSON($0, indentation: indentation + 2) }
    let isShort = elements.allSatisfy(\.isScalar) && lines.reduce(0) { $0 + $1.utf8.count + 2 } < 100
    if isShort { return "[" + lines.joined(separator: ", ") + "]" }
    return "[\n" + lines.map { margin + $0 }.joined(separator: ",\n") + "\n\(end)]"
  case .mapping(let pairs, _):
    let lines = pairs.map { pair in
      margin + jsonString(pair.key) + ": " + renderJSON(pair.value, indentation: indentation + 2)
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
  }
}

extension YAMLValue {
  fileprivate var isScalar: Bool {
    if case .scalar = self { true } else { false }
  }
}
