import ManagedModel

extension YAMLValue {
  /// The JSON text of a value: mappings keep their order, `text` scalars are strings, `typed` ones stand as they are.
  func json(indentation: Int = 0) -> String {
    let margin = String(repeating: " ", count: indentation + 2)
    let end = String(repeating: " ", count: indentation)
    switch self {
    case .scalar(let text, .typed): return text
    case .scalar(_, .nothing): return "null"
    case .scalar(let text, .text): return text.jsonString
    case .sequence([], _): return "[]"
    case .mapping([], _): return "{}"
    case .sequence(let elements, _):
      let lines = elements.map { $0.json(indentation: indentation + 2) }
      let isShort = elements.allSatisfy(\.isScalar) && lines.reduce(0) { $0 + $1.utf8.count + 2 } < 100
      if isShort { return "[" + lines.joined(separator: ", ") + "]" }
      return "[\n" + lines.map { margin + $0 }.joined(separator: ",\n") + "\n\(end)]"
    case .mapping(let pairs, _):
      let lines = pairs.map { pair in
        margin + pair.key.jsonString + ": " + pair.value.json(indentation: indentation + 2)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
    }
  }

  fileprivate var isScalar: Bool { if case .scalar = self { true } else { false } }
}
