extension String {
  /// A name in SQL's double quotes.
  package var sqlIdentifier: String { "\"" + escaped { $0 == "\"" ? "\"\"" : nil } + "\"" }

  /// A text as SQL's string literal.
  package var sqlText: String { "'" + escaped { $0 == "'" ? "''" : nil } + "'" }
}
