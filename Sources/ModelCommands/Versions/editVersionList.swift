import Foundation
import ManagedModel
import ModelFormats

/// An entry of `versions.yaml`.
struct ListedVersion {
  var name: String
  /// Where a branch leaves.
  var origin: String?

  /// As it stands in a list, in one line.
  var yaml: String {
    guard let origin else { return name.yamlScalar }
    return "{name: \(name.yamlScalar), from: \(origin.yamlScalar)}"
  }

  /// The list with an entry before one that is there; comments, layout and everything else stay.
  ///
  /// - Returns: nil if the list has no such entry or its text is not a YAML.
  func inserting(before name: String, into text: String, file: String) -> String? {
    guard let next = entries(of: text, file: file).first(where: { ($0.text ?? $0["name"]?.text) == name })
    else {
      return nil
    }
    var edited = EditableText(text)
    edited.insert(yaml, before: next.range)
    return edited.text
  }
}

extension String {
  /// The names that a `versions.yaml` lists, in its order.
  func listedVersions(file: String) -> [String] {
    entries(of: self, file: file).compactMap { $0.text ?? $0["name"]?.text }
  }
}

/// The names of the versions without `from:`, in the list's order.
func mainLine(_ text: String, file: String) -> [String] {
  entries(of: text, file: file).compactMap { $0["from"] == nil ? $0.text ?? $0["name"]?.text : nil }
}

/// The list with one more entry at its end; comments, layout and everything else stay.
///
/// - Returns: nil if the list is empty or its text is not a YAML.
func adding(_ entry: ListedVersion, to text: String, isCurrent: Bool, file: String) -> String? {
  guard let node = readYAML(Data(text.utf8), file: file).node,
    case .sequence(let elements)? = node["versions"]?.content, let last = elements.last
  else { return nil }
  var edited = EditableText(text)
  // From the end to the beginning, so that places stay good.
  var edits: [(place: SourceRange, edit: (inout EditableText) -> Void)] = []
  edits.append((last.range, { $0.append(entry.yaml, after: last.range) }))
  if isCurrent {
    guard let current = node["current"]?.range else { return nil }
    edits.append((current, { $0.replace(current, with: entry.name.yamlScalar) }))
  }
  for (_, edit) in edits.sorted(by: { $0.place.start > $1.place.start }) { edit(&edited) }
  return edited.text
}

private func entries(of text: String, file: String) -> [YAMLNode] {
  guard let node = readYAML(Data(text.utf8), file: file).node,
    case .sequence(let elements)? = node["versions"]?.content
  else { return [] }
  return elements
}

/// A text with edits at some places. The rest stays as it is, line ends included.
private struct EditableText {
  private var scalars: [Unicode.Scalar]
  private var lineStarts = [0]
  private let lineEnd: String

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    lineEnd = text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    for (index, scalar) in scalars.enumerated() where scalar == "\n" || scalar == "\r" {
      let isFirstOfTwo = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if !isFirstOfTwo { lineStarts.append(index + 1) }
    }
  }

  var text: String { String(String.UnicodeScalarView(scalars)) }

  private func offset(_ place: SourceLocation) -> Int? {
    guard lineStarts.indices.contains(place.line - 1) else { return nil }
    let offset = lineStarts[place.line - 1] + place.column - 1
    return offset <= scalars.count ? offset : nil
  }

  mutating func replace(_ range: SourceRange, with text: String) {
    guard let start = offset(range.start), let end = offset(range.end), start <= end else { return }
    scalars.replaceSubrange(start..<end, with: Array(text.unicodeScalars))
  }

  /// Puts an element of a list behind another one, in the manner of the list: on a line of its own where the other
  /// begins one, behind a dash or in brackets; else on the same line.
  mutating func append(_ element: String, after range: SourceRange) {
    guard let start = offset(range.start), let end = offset(range.end),
      lineStarts.indices.contains(range.start.line - 1), start <= end
    else { return }
    let prefix = scalars[lineStarts[range.start.line - 1]..<start]
    let isDashed = prefix.drop(while: \.isBlank).first == "-"
    if isDashed {
      // A comment behind the other one stays with it.
      let lineBreak = scalars[end...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.endIndex
      scalars.insert(contentsOf: Array((lineEnd + string(prefix) + element).unicodeScalars), at: lineBreak)
    } else if prefix.allSatisfy(\.isBlank) {
      scalars.insert(contentsOf: Array(("," + lineEnd + string(prefix) + element).unicodeScalars), at: end)
    } else {
      scalars.insert(contentsOf: Array(", \(element)".unicodeScalars), at: end)
    }
  }

  /// Puts an element of a list in front of another one, in the manner of the list.
  mutating func insert(_ element: String, before range: SourceRange) {
    guard let start = offset(range.start), lineStarts.indices.contains(range.start.line - 1) else { return }
    let lineStart = lineStarts[range.start.line - 1]
    let prefix = scalars[lineStart..<start]
    if prefix.drop(while: \.isBlank).first == "-" {
      scalars.insert(contentsOf: Array((string(prefix) + element + lineEnd).unicodeScalars), at: lineStart)
    } else if prefix.allSatisfy(\.isBlank) {
      scalars.insert(contentsOf: Array((element + "," + lineEnd + string(prefix)).unicodeScalars), at: start)
    } else {
      scalars.insert(contentsOf: Array("\(element), ".unicodeScalars), at: start)
    }
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
