package import ManagedModel

/// A change of a text file: what stands in `range` becomes `text`.
struct TextEdit: Hashable {
  var range: SourceRange
  var text: String

  func fixIt(_ message: String, isSafe: Bool = false) -> Diagnostic.FixIt {
    Diagnostic.FixIt(message, range: range, replacement: text, isSafe: isSafe)
  }
}

/// Changes of a mapping or list that leave the rest of the file as it is, layout and comments included.
extension YAMLNode {
  /// The mapping without its pair, or the list without its element, of that position.
  func removal(at index: Int) -> TextEdit? {
    let children = childSpans
    guard children.indices.contains(index), !span.isMerged else { return nil }
    let child = children[index]
    let isLast = index == children.count - 1
    if span.isFlow {
      if !isLast { return edit(child.start, children[index + 1].start, "") }
      return edit(index > 0 ? children[index - 1].end : child.start, child.end, "")
    }
    let lineStart = source.lineStart(at: child.start)
    let lead = source.text(from: lineStart, to: child.start)
    if lead.allSatisfy({ $0 == " " }) || (isSequence && lead.filter { $0 != " " } == "-") {
      return edit(lineStart, source.nextLineStart(after: max(child.start, child.end - 1)), "")
    }
    guard !lead.contains("?") else { return nil }
    if !isLast { return edit(child.start, children[index + 1].start, "") }
    return index == 0 ? edit(child.start, child.end, isSequence ? "[]" : "{}") : nil
  }

  /// The mapping with one more pair at its end.
  func insertion(of key: String, _ value: ModelEdit.Value) -> TextEdit? {
    insertion { "\(key.yamlScalar(.text, inFlow: $0)): \(render(value, inFlow: $0))" }
  }

  /// The list with one more element at its end.
  func insertion(of element: ModelEdit.Value) -> TextEdit? {
    insertion { (isSequence && !$0 ? "- " : "") + render(element, inFlow: $0) }
  }

  private func insertion(_ text: (_ inFlow: Bool) -> String) -> TextEdit? {
    let children = childSpans
    guard !span.isMerged else { return nil }
    guard let first = children.first, let last = children.last else {
      // A collection without children is written in brackets.
      return edit(Int(span.start), Int(span.end), isSequence ? "[\(text(true))]" : "{\(text(true))}")
    }
    if span.isFlow { return edit(last.end, last.end, ", \(text(true))") }
    let lineStart = source.lineStart(at: first.start)
    var lead = source.text(from: lineStart, to: first.start)
    if isSequence {
      guard let dash = lead.lastIndex(of: "-") else { return nil }
      lead = String(lead[..<dash])
    }
    let margin = String(repeating: " ", count: lead.unicodeScalars.count)
    return newLine(after: max(last.start, last.end - 1), margin + text(false))
  }

  /// A fix-it that puts text before or behind this element of a list, in its manner: on a line of its own where the element
  /// begins one, with the same dash or in brackets; else on the same line.
  package func adding(_ text: String, isBefore: Bool) -> Diagnostic.FixIt {
    let (start, end) = (Int(span.start), Int(span.end))
    let lineStart = source.lineStart(at: start)
    let lead = source.text(from: lineStart, to: start)
    let first = lead.first { $0 != " " && $0 != "\t" }
    let separator = first == nil ? ",\n\(lead)" : ", "
    let change =
      switch (first == "-", isBefore) {
      case (true, true): edit(lineStart, lineStart, "\(lead)\(text)\n")
      // A comment behind the element stays with it.
      case (true, false): newLine(after: max(start, end - 1), lead + text)
      case (false, true): edit(start, start, text + separator)
      case (false, false): edit(end, end, separator + text)
      }
    return change.fixIt("")
  }

  /// A line below the one that holds the character.
  func newLine(after index: Int, _ text: String) -> TextEdit {
    let end = source.lineEnd(at: index)
    return edit(end, end, "\n" + text)
  }

  func edit(_ start: Int, _ end: Int, _ text: String) -> TextEdit {
    TextEdit(range: source.range(from: start, to: end), text: text)
  }

  private var isSequence: Bool { if case .sequence = content { true } else { false } }

  /// Where each pair or element begins and ends.
  private var childSpans: [(start: Int, end: Int)] {
    switch content {
    case .mapping(let pairs):
      pairs.map { (Int($0.keySpan.start), Int(max($0.keySpan.end, $0.value.span.end))) }
    case .sequence(let elements): elements.map { (Int($0.span.start), Int($0.span.end)) }
    case .scalar, .refused: []
    }
  }

  /// Whether two nodes say the same, however they are written.
  func means(_ other: YAMLNode) -> Bool {
    switch (content, other.content) {
    case (.scalar(let left, let leftStyle), .scalar(let right, let rightStyle)):
      left == right && (left.isEmpty ? leftStyle == rightStyle : true)
    case (.sequence(let left), .sequence(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case (.mapping(let left), .mapping(let right)):
      left.count == right.count
        && left.allSatisfy { pair in right.contains { $0.key == pair.key && $0.value.means(pair.value) } }
    default: false
    }
  }
}

/// The text of a value on one line.
func render(_ value: ModelEdit.Value, inFlow: Bool) -> String {
  YAMLPrinter.line(YAMLValue(value), inFlow: inFlow)
}

extension YAMLValue {
  fileprivate init(_ value: ModelEdit.Value) {
    switch value {
    case .text(let text): self = .text(text)
    case .word(let text): self = .typed(text)
    case .mapping(let pairs): self = .mapping(pairs.map { YAMLPair($0.key, YAMLValue($0.value)) })
    }
  }
}
