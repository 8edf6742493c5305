extension String {
  /// A text of a schema without what a rename, or a column that came later, may leave in it: space and quotation marks.
  package var normalizedSQL: String { filter { !$0.isWhitespace && $0 != "\"" } }
}
