package import Foundation
package import ManagedModel

/// What a YAML file may be at most; more is refused before it costs time or memory.
package enum YAMLLimits {
  static let nodes = 300_000
  static let depth = 100
}

/// Reads one YAML document into nodes with places, and says everything that is wrong with it.
///
/// Nothing is typed, expanded or merged: aliases, merge keys, tags and further documents are refused. An empty
/// file is an empty scalar.
///
/// - Parameter file: the path to show in places.
/// - Returns: no node where the text cannot be parsed. With errors among the diagnostics the node holds what
///   could be read.
package func readYAML(_ data: Data, file: String) -> (node: YAMLNode?, diagnostics: [Diagnostic]) {
  guard data.count <= largestSourceFile else { return (nil, [.fileTooLarge(file, bytes: data.count)]) }
  if isLargeFilePointer(data) { return (nil, [.largeFilePointer(file)]) }
  let text = SourceText(data, file: file)
  guard text.isReadable else { return (nil, text.diagnostics.ordered) }
  var composer = YAMLComposer(text: text)
  var isComplete = true
  do throws(YAMLSyntaxError) {
    try forEachYAMLEvent(in: text.bytes) { event in
      composer.take(event)
      return !composer.isStopped
    }
    isComplete = !composer.isStopped
  } catch {
    isComplete = false
    composer.diagnostics += syntaxDiagnostics(error, in: text)
  }
  let diagnostics = (text.diagnostics + composer.diagnostics).ordered.limited
  guard isComplete else { return (nil, diagnostics) }
  let nothing = YAMLNode(content: .scalar("", .plain), span: .init(0, 0), source: text)
  return (composer.root ?? nothing, diagnostics)
}

/// A merge that is not finished, tabs where a tab is the reason, another mistake where one is seen; else what libyaml says.
private func syntaxDiagnostics(_ error: YAMLSyntaxError, in text: SourceText) -> [Diagnostic] {
  if let conflict = text.bytes.mergeConflict(.yamlSyntax, file: text.file) { return [conflict] }
  if text.isTabIndented(at: error.position) {
    let isUniform = text.isIndentedByTabsOnly
    return text.tabbedIndentations.prefix(100).map { .tabIndentation($0, isUniform: isUniform) }
  }
  let mistakes = error.commonMistakes(in: text)
  return mistakes.isEmpty ? [.yamlSyntax(error, in: text)] : mistakes
}

extension Diagnostic.Code {
  package static let yamlSyntax = Self("MC0001")
  package static let tabIndentation = Self("MC0011")
}

extension Diagnostic {
  /// - Parameter isUniform: whether nothing but tabs indents, so that two blanks for each keep every level.
  fileprivate static func tabIndentation(_ range: SourceRange, isUniform: Bool) -> Diagnostic {
    let width = range.end.column - range.start.column
    return Diagnostic(
      .tabIndentation, .error, "a tab indents this line; YAML takes spaces only", place: range,
      fixIts: [
        FixIt(
          "use spaces", range: range, replacement: String(repeating: "  ", count: width), isSafe: isUniform)
      ])
  }

  fileprivate static func yamlSyntax(_ error: YAMLSyntaxError, in text: SourceText) -> Diagnostic {
    var diagnostic = Diagnostic(
      .yamlSyntax, .error, error.problem, place: text.range(from: error.position, to: error.position + 1))
    if let context = error.context {
      let place = text.range(from: error.contextPosition, to: error.contextPosition)
      diagnostic.notes = [Note(context, place: place)]
    }
    if error.problem.hasPrefix("mapping values are not allowed") {
      diagnostic.help = ["a text that contains ': ' must be quoted"]
    } else if error.problem.hasPrefix("found character that cannot start") {
      diagnostic.help = ["a text that begins with '@', '`' or '%' must be quoted"]
    }
    return diagnostic
  }
}
