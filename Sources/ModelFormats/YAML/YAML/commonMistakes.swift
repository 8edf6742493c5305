import ManagedModel

extension YAMLSyntaxError {
  /// A syntax error of libyaml's as the mistakes that it comes from, each at its own place.
  ///
  /// libyaml stops where it cannot go on, often a line after the mistake: where the blank after a colon is missing, a text
  /// begins that goes on over the next lines. Empty if nothing of the kind is seen.
  func commonMistakes(in text: SourceText) -> [Diagnostic] {
    let place = text.location(at: position)
    let lines = MistakeLines(text)
    if problem.hasPrefix("mapping values are not allowed") {
      return lines.unexpectedColon(line: place.line - 1, column: place.column - 1)
    }
    if problem.hasPrefix("did not find expected key")
      || problem.hasPrefix("could not find expected")
    {
      return lines.misplaced(line: place.line - 1, column: place.column - 1)
    }
    let opening = text.range(from: contextPosition, to: contextPosition + 1)
    let end = text.range(from: position, to: position)
    if context == "while scanning a quoted scalar" {
      return [Diagnostic](.yamlSyntax, .error, "this quotation mark is not closed", place: opening)
    }
    if problem.hasPrefix("did not find expected ',' or") {
      let bracket = text.text(from: contextPosition, to: contextPosition + 1)
      let wanted = "a ',' or '\(bracket == "{" ? "}" : "]")'"
      if opening.start.line < end.start.line {
        return [Diagnostic](
          .yamlSyntax, .error, "this '\(bracket)' is not closed", place: opening,
          notes: [Diagnostic.Note("\(wanted) was expected here", place: end)])
      }
      return [Diagnostic](
        .yamlSyntax, .error, "\(wanted) is missing before this",
        place: text.range(from: position, to: position + 1))
    }
    return []
  }
}

/// The lines of a text, for looking around where a parser stopped.
private struct MistakeLines {
  private struct Line {
    var indentation: Int
    /// Without the blanks around it.
    var content: Substring
    var isEmpty: Bool { content.isEmpty || content.hasPrefix("#") }
  }

  private let lines: [Line]
  private let file: String

  init(_ text: SourceText) {
    file = text.file
    let all = String(decoding: text.bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    lines = all.map { line in
      let content = line.drop { $0 == " " }
      let end = content.lastIndex { $0 != " " && $0 != "\t" }
      return Line(
        indentation: line.count - content.count, content: end.map { content[...$0] } ?? content.prefix(0))
    }
  }

  /// A colon where no key can stand: the text that it stands in began further up, or it is a value with a colon in it.
  func unexpectedColon(line number: Int, column: Int) -> [Diagnostic] {
    guard lines.indices.contains(number), let above = lineAbove(number) else { return [] }
    if missingBlank(in: lines[above].content) != nil { return missingBlanks(upTo: above) }
    let (line, before) = (lines[number], lines[above])
    let isKey =
      column == line.indentation + (line.content.firstIndex(of: ":").map { line.content[..<$0].count } ?? -1)
    guard isKey, before.indentation < line.indentation else { return [] }
    if before.content.contains(": ") {
      let key = String(before.content.prefix { $0 != ":" })
      return [Diagnostic](
        .yamlSyntax, .error,
        "this line is indented deeper than '\(key.abridged)' in line \(above + 1), which has a value",
        place: range(number, line.indentation, 1), help: ["give both the same indentation"])
    }
    if before.content.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
      return [
        .missingColon(
          range(above, before.indentation + before.content.count, 0), after: String(before.content))
      ]
    }
    return []
  }

  /// All of the lines from there upwards that lack the blank, first one first.
  private func missingBlanks(upTo last: Int) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var number: Int? = last
    while let line = number, found.count < 100, let offset = missingBlank(in: lines[line].content) {
      let colon = range(line, lines[line].indentation + offset - 1, 1)
      let gap = SourceRange(file: colon.file, start: colon.end, end: colon.end)
      found.append(
        .yamlSyntax, .error, "a space is missing after the colon", place: colon,
        notes: ["without it the line is plain text that continues on the next line"],
        fixIts: [.init("add a blank", range: gap, replacement: " ", isSafe: true)])
      number = lineAbove(line)
    }
    return found.reversed()
  }

  /// A line whose indentation is none of those that are open.
  func misplaced(line number: Int, column: Int) -> [Diagnostic] {
    guard lines.indices.contains(number), lines[number].indentation == column else {
      return missingColon(before: number)
    }
    var open: [Int] = []
    var next = lineAbove(number)
    while let line = next {
      if open.last.map({ lines[line].indentation < $0 }) ?? true { open.append(lines[line].indentation) }
      next = lineAbove(line)
    }
    guard !open.isEmpty, !open.contains(column) else { return missingColon(before: number) }
    return [.misplaced(range(number, column, 1), found: column, open: open)]
  }

  /// A word without a colon in the line above, which should have been a key.
  private func missingColon(before number: Int) -> [Diagnostic] {
    guard lines.indices.contains(number) else { return [] }
    for line in [number, lineAbove(number) ?? number] {
      let content = lines[line].content
      guard !content.isEmpty, content.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        continue
      }
      return [.missingColon(range(line, lines[line].indentation + content.count, 0), after: String(content))]
    }
    return []
  }

  private func lineAbove(_ number: Int) -> Int? { lines.indices.prefix(number).last { !lines[$0].isEmpty } }

  /// - Parameter column: from 0, in characters of the line.
  private func range(_ line: Int, _ column: Int, _ length: Int) -> SourceRange {
    SourceRange(
      file: file, start: SourceLocation(line: line + 1, column: column + 1),
      end: SourceLocation(line: line + 1, column: column + length + 1))
  }
}

extension Diagnostic {
  fileprivate static func missingColon(_ end: SourceRange, after word: String) -> Self {
    Self(
      .yamlSyntax, .error, "a colon is missing after '\(word.abridged)'", place: end,
      fixIts: [FixIt("add a colon", range: end, replacement: ":", isSafe: false)])
  }

  fileprivate static func misplaced(_ place: SourceRange, found: Int, open: [Int]) -> Self {
    let above = open.prefix(6).map(String.init)
    let list =
      above.count == 1 ? above[0] : above.dropLast().joined(separator: ", ") + " or " + (above.last ?? "")
    return Self(
      .yamlSyntax, .error, "this line is indented by \(found), and those above it by \(list)", place: place,
      help: ["give it the same indentation as its sibling lines"])
  }
}
