/// A name in SQL's double quotes.
package func sqlIdentifier(_ name: String) -> String {
  "\"" + name.escaped { $0 == "\"" ? "\"\"" : nil } + "\""
}

/// A text as SQL's string literal.
package func sqlText(_ text: String) -> String {
  "'" + text.escaped { $0 == "'" ? "''" : nil } + "'"
}
