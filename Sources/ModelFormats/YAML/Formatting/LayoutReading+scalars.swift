/// Scalars as they are laid out: quotes only where they are needed, lines of text as they stand.
extension LayoutReading {
  mutating func scalar(
    _ text: String, _ style: YAMLNode.Style, _ start: Int, _ end: Int, _ item: LaidOutItem
  ) throws(Failure) -> LaidOutScalar {
    (last, lastIsWhole) = (item, true)
    position = end
    if style == .block { return try block(text, start, end, item) }
    let raw = self.text(start, end)
    guard raw.unicodeScalars.contains(where: \.endsLine) else {
      return style == .plain && raw == text ? .plain(text) : .value(text, .text)
    }
    // These would become part of the text.
    guard !raw.unicodeScalars.contains(where: { $0 == "\u{2028}" || $0 == "\u{2029}" }) else {
      return .value(text, .text)
    }
    let lines = scalars[start..<end].linesOfText.map { line in
      let trimmed = line.trimmedBlanks
      // An escaped blank at a line's end is part of the text.
      let isEscaped = scalars[start] == "\"" && trimmed.reversed().prefix { $0 == "\\" }.count % 2 == 1
      return isEscaped ? line[trimmed.startIndex..<min(trimmed.endIndex + 1, line.endIndex)] : trimmed
    }
    return .folded(lines.map { String(String.UnicodeScalarView($0)) }, text: text, isPlain: style == .plain)
  }

  /// `|` or `>` with its lines, each without the indentation that they share.
  private mutating func block(
    _ value: String, _ start: Int, _ end: Int, _ item: LaidOutItem
  ) throws(Failure) -> LaidOutScalar {
    var place = start
    while place < end, "|>+-0123456789".unicodeScalars.contains(scalars[place]) { place += 1 }
    var head = scalars[start..<place].filter { !("0"..."9").contains($0) }
    while place < end, scalars[place].isBlank { place += 1 }
    if place < end, scalars[place] == "#" {
      let comment = takeComment(at: &place)
      if !attach(comment) { item.above.append(comment) }
    }
    let first = value.unicodeScalars.drop { $0 == "\n" }.prefix { $0 != "\n" }
    let last = value.unicodeScalars.reversed().drop { $0 == "\n" }.prefix { $0 != "\n" }
    // Blanks that stand alone at an end belong to the text, and nobody sees them; neither behind folded text.
    let hidesBlanks = head.first == ">" ? last.first?.isBlank == true : last.allSatisfy(\.isBlank)
    if !value.isEmpty, hidesBlanks || first.allSatisfy(\.isBlank) { return .value(value, .text) }
    let ends = value.utf8.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
    if ends < 2 { head.removeAll { $0 == "+" } }
    // The last line of a file may have no end; it gets one.
    if ends == 0, head.last != "-", !value.isEmpty { head.append("-") }
    var lines: [String]
    if head.first == "|" {
      lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if ends > 0 { lines.removeLast() }
    } else {
      var folded = scalars[min(place, end)..<end].linesOfText.dropFirst().map { Array($0) }
      let blanks = folded.first { !$0.allSatisfy(\.isBlank) }?.prefix { $0 == " " }.count ?? 0
      let own = value.unicodeScalars.drop { $0 == "\n" }.prefix { $0 == " " }.count
      let indentation = max(0, blanks - own)
      folded = folded.map { Array($0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count))) }
      lines = folded.map { String(String.UnicodeScalarView($0)) }
      if head.last == "+" { lines += Array(repeating: "", count: ends - 1) }
    }
    if head.last == "+" {
      // Blank lines below belong to the text.
      var next = position
      while next < scalars.count, scalars[next].isBlank || scalars[next].endsLine {
        next += 1
        if scalars[next - 1].endsLine { position = next }
      }
      if next == scalars.count { position = next }
    }
    if value.isEmpty { lines = [] }
    if first.first?.isBlank == true { head.insert("2", at: 1) }
    return .block(header: String(String.UnicodeScalarView(head)), lines: lines)
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// Without their ends.
  fileprivate var linesOfText: [ArraySlice<Unicode.Scalar>] {
    var lines: [ArraySlice<Unicode.Scalar>] = []
    var start = startIndex
    for index in indices where self[index].endsLine {
      let isSecond = self[index] == "\n" && index > startIndex && self[index - 1] == "\r"
      if !isSecond { lines.append(self[start..<index]) }
      start = index + 1
    }
    return lines + [self[start...]]
  }

  fileprivate var trimmedBlanks: ArraySlice<Unicode.Scalar> {
    var rest = drop(while: \.isBlank)
    while rest.last?.isBlank == true { rest.removeLast() }
    return rest
  }
}
