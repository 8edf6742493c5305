/// The comment by which an editor's YAML server finds a file's schema; the first line of the file.
///
/// - Parameter path: relative to the file's own folder.
package func schemaComment(path: String) -> String { "# yaml-language-server: $schema=\(path)" }
