package import Foundation
package import ManagedModel

/// Makes edits of one file's text, groups that belong together whole or not at all.
///
/// A group that would touch what an earlier one changes is left out; it can be made once the text was read again.
///
/// - Returns: the text, and the positions of the groups that were made.
package func applyFixIts(_ groups: [[Diagnostic.FixIt]], to data: Data) -> (data: Data, applied: [Int]) {
  let text = EditableText(data)
  var edits: [EditableText.Edit] = []
  var applied: [Int] = []
  for (index, group) in groups.enumerated() {
    let wanted = group.compactMap(text.edit)
    guard wanted.count == group.count else { continue }
    // Two findings may ask for the same edit; once is enough.
    let new = wanted.filter { !edits.contains($0) }
    guard !new.contains(where: { edit in edits.contains { $0.touches(edit) } }) else { continue }
    edits += new
    applied.append(index)
  }
  return (text.applying(edits), applied)
}

/// A text by lines and columns as diagnostics count them.
private struct EditableText {
  private let scalars: [Unicode.Scalar]
  private var lineStarts = [0]
  /// As the text ends its first line; edits end theirs so too.
  private let lineEnd: String
  /// A byte order mark counts in no place, and stays.
  private let mark: Data

  struct Edit: Hashable {
    var start: Int
    var end: Int
    var replacement: String

    /// Whether both change the same characters, or insert at the same place.
    func touches(_ other: Edit) -> Bool { start == other.start || (start < other.end && other.start < end) }
  }

  init(_ data: Data) {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    mark = data.starts(with: bytes) ? Data(bytes) : Data()
    scalars = Array(String(decoding: data.dropFirst(mark.count), as: UTF8.self).unicodeScalars)
    lineEnd = data.firstLineEnd
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar == "\n" || (scalar == "\r" && next != "\n") { lineStarts.append(index + 1) }
    }
  }

  /// Nil if the text has no such place.
  func edit(_ fixIt: Diagnostic.FixIt) -> Edit? {
    guard let start = offset(of: fixIt.range.start), let end = offset(of: fixIt.range.end), start <= end
    else { return nil }
    let replacement = fixIt.replacement.escaped { $0 == "\n" ? lineEnd : nil }
    return Edit(start: start, end: end, replacement: replacement)
  }

  private func offset(of location: SourceLocation) -> Int? {
    guard lineStarts.indices.contains(location.line - 1), location.column >= 1 else { return nil }
    let offset = lineStarts[location.line - 1] + location.column - 1
    return offset <= scalars.count ? offset : nil
  }

  func applying(_ edits: [Edit]) -> Data {
    var result = String.UnicodeScalarView()
    var position = 0
    for edit in edits.sorted(by: { $0.start < $1.start }) {
      result.append(contentsOf: scalars[position..<edit.start])
      result.append(contentsOf: edit.replacement.unicodeScalars)
      position = edit.end
    }
    result.append(contentsOf: scalars[position...])
    return mark + Data(String(result).utf8)
  }
}

extension Data {
  /// Of the first line; `\n` where there is one line.
  var firstLineEnd: String {
    guard let index = firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
      return "\n"
    }
    guard self[index] == UInt8(ascii: "\r") else { return "\n" }
    return index + 1 < endIndex && self[index + 1] == UInt8(ascii: "\n") ? "\r\n" : "\r"
  }
}
