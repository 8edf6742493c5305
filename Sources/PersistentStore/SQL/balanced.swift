extension [String] {
  /// Operands with an operator between them, in parentheses that halve them: SQLite reads a chain as one expression within
  /// another, and takes 1,000 of those (`SQLITE_LIMIT_EXPR_DEPTH`). The operator has to be associative.
  package func balanced(_ separator: String) -> String {
    self[...].balanced(separator)
  }
}

extension ArraySlice<String> {
  fileprivate func balanced(_ separator: String) -> String {
    if count <= 64 { return joined(separator: separator) }
    let middle = startIndex + count / 2
    return "(" + self[..<middle].balanced(separator) + ")" + separator + "("
      + self[middle...].balanced(separator) + ")"
  }
}
