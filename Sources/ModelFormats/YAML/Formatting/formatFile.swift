package import Foundation
package import ManagedModel

/// A version file, `versions.yaml`, mapping file or `modelc.yaml` in the one layout that modelc writes.
///
/// Comments stay at what they stand above, beside or below, and a blank line where one stands. Names keep their order; known
/// keys stand in that of the language. The file's line ends stay. The result is read again: it says the same and has the
/// same comments, or it is refused.
///
/// - Parameters:
///   - file: the path to show in places; its name says what `versions.yaml` and `modelc.yaml` are.
///   - isLenient: whether a file that is none of these is passed over.
/// - Returns: nil for what is passed over.
/// - Throws: `DiagnosticsError` where the file cannot be parsed, is none of these, or cannot be laid out.
package func formatFile(
  _ data: Data, file: String, isLenient: Bool = false
) throws(DiagnosticsError) -> Data? {
  let (root, diagnostics) = readYAML(data, file: file)
  guard let root, !diagnostics.hasErrors else {
    // Source in another language is not broken YAML.
    let isYAML = ["", "yaml", "yml"].contains(URL(filePath: file).pathExtension.lowercased())
    throw DiagnosticsError(isYAML ? diagnostics : [.notOfLanguage(file)])
  }
  let source = root.source
  let kind = LanguageFileKind(root, file: file, text: String(decoding: data.prefix(500), as: UTF8.self))
  guard let kind else {
    if isLenient { return nil }
    throw DiagnosticsError(.notOfLanguage(file))
  }
  guard !root.isEmpty else { throw DiagnosticsError(.notOfLanguage(file)) }
  do throws(LayoutReading.Failure) {
    let (text, comments) = try layOut(root, source, kind)
    let again = SourceText(Data(text.utf8), file: file)
    let (reread, findings) = readYAML(again.bytes, file: file)
    guard let reread, !findings.hasErrors, reread.says(root, kind.shape),
      try layOut(reread, again, kind) == (text, comments)
    else {
      let what = findings.first?.message ?? "a value would change, or a comment would be lost"
      throw LayoutReading.Failure(place: SourceRange(startOf: file), what: what)
    }
    let end = source.bytes.firstLineEnd
    return Data((end == "\n" ? text : text.replacingBytes(of: "\n", with: end)).utf8)
  } catch {
    throw DiagnosticsError(
      .notLaidOut, "the file cannot be formatted without changing its meaning: \(error.what)",
      place: error.place, notes: ["it is left unchanged"])
  }
}

/// An edited file: laid out where it was before, else as the edit left it.
///
/// - Parameter file: the path to show in places.
package func keepingLayout(of before: Data, in after: Data, file: String) -> Data {
  guard let same = try? formatFile(before, file: file), same == before else { return after }
  return (try? formatFile(after, file: file)) ?? after
}

/// The text with `\n` at the lines' ends, and its comments in code point order.
private func layOut(
  _ root: YAMLNode, _ source: SourceText, _ kind: LanguageFileKind
) throws(LayoutReading.Failure) -> (text: String, comments: [String]) {
  var reading = LayoutReading(source)
  let (document, foot) = try reading.document(root, shape: kind.shape)
  var printer = YAMLPrinter()
  printer.document(document, foot: foot)
  return (printer.text, reading.comments.sorted { $0.precedesInCodePointOrder($1) })
}

extension YAMLNode {
  /// Whether the other node says the same, in the same order but for the keys that the language knows.
  fileprivate func says(_ other: YAMLNode, _ shape: ValueShape) -> Bool {
    switch (content, other.content) {
    case (.scalar(let text, let style), .scalar(let otherText, let otherStyle)):
      // Readers that guess types see quotes.
      text.hasBytes(of: otherText) && (!text.isAmbiguousScalar || (style == .plain) == (otherStyle == .plain))
    case (.sequence(let elements), .sequence(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.says($1, shape.element) }
    case (.mapping(let pairs), .mapping(let others)): pairs.count == others.count && pairs.says(others, shape)
    default: false
    }
  }
}

extension [YAMLNode.Pair] {
  fileprivate func says(_ others: [YAMLNode.Pair], _ shape: ValueShape) -> Bool {
    if shape.keys.isEmpty {
      return zip(self, others).allSatisfy {
        $0.key.hasBytes(of: $1.key) && $0.value.says($1.value, shape.value(of: $0.key))
      }
    }
    let rest = Dictionary(others.map { ($0.key, $0.value) }) { $1 }
    return allSatisfy { pair in rest[pair.key].map { pair.value.says($0, shape.value(of: pair.key)) } ?? false
    }
  }
}

extension Diagnostic.Code {
  /// A file that is to be formatted is none of the language.
  package static let notOfLanguage = Self("MC0016")
  /// A file says something that no layout keeps.
  package static let notLaidOut = Self("MC0017")
}

extension Diagnostic {
  fileprivate static func notOfLanguage(_ file: String) -> Self {
    Self(
      .notOfLanguage, .error, "'\(file)' is not a version, list of versions, mapping file or modelc.yaml",
      place: SourceRange(startOf: file), notes: ["it is left unchanged"],
      help: ["a version has 'entities:' or 'extends:', a mapping file 'from:' and 'to:'"])
  }
}

/// A `versions.yaml` in which what goes with one version, of the models that it includes, goes with a new one too.
package func addingCounterparts(of name: String, like origin: String, to yaml: Data, file: String) -> Data {
  var text = yaml
  for index in (readYAML(yaml, file: file).node?["include"]?.elements ?? []).indices {
    // Read again each time, so that places stay good.
    guard let include = readYAML(text, file: file).node?["include"]?.elements[index],
      let versions = include["versions"], let other = versions[origin]?.text, versions[name] == nil,
      let insertion = versions.insertion(of: name, .text(other))
    else { continue }
    text = applyFixIts([[insertion.fixIt("")]], to: text).data
  }
  return text
}
