extension String {
  /// Text in a paragraph, a list or a cell of a table in GitHub's Markdown that no markup in it can change.
  package var markdownText: String { visible.escaped { marks.contains($0) ? "\\\($0)" : nil } }

  /// Text as a code span that neither a table nor the text itself can end.
  package var markdownCode: String {
    let text = visible
    let isPlain = !text.isEmpty && !text.utf8.contains { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "|") }
    if isPlain, text.utf8.first != UInt8(ascii: " "), text.utf8.last != UInt8(ascii: " ") {
      return "`\(text)`"
    }
    // A code span has no escapes, and a table's cell ends at a bar within one; HTML's element has references.
    return "<code>" + text.escaped { marks.contains($0) ? "&#\($0.value);" : nil } + "</code>"
  }

  /// Help as Markdown: what stands between backticks stays code.
  package var markdownHelp: String {
    split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index.isMultiple(of: 2)
        ? String(part).escaped { ["<", "*", "|"].contains($0) ? "\\\($0)" : nil }
        : "`" + String(part).escaped { $0 == "|" ? "\\|" : nil } + "`"
    }.joined()
  }
}

private let marks = Set("\\`*_[]<>|~&$".unicodeScalars)
