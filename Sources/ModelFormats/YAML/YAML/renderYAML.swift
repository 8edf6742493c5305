/// The text of a document: two blanks per level, lines of at most 100 columns where that is possible, the same
/// text for the same value.
///
/// - Parameter indentation: in blanks, where the text is part of another.
func renderYAML(_ document: [YAMLPair], indentation: Int = 0) -> String {
  var printer = YAMLPrinter()
  printer.block(LaidOutCollection(document), indentation: indentation)
  return printer.text
}

/// The text of a document that is a list, each element in lines of its own.
func renderYAML(list: [YAMLValue]) -> String {
  var printer = YAMLPrinter()
  printer.block(LaidOutCollection(list), indentation: 0)
  return printer.text
}

/// The comment by which an editor's YAML server finds a file's schema; the first line of the file.
///
/// - Parameter path: relative to the file's own folder.
package func schemaComment(path: String) -> String { "# yaml-language-server: $schema=\(path)" }
