import Foundation
import ManagedModel

/// How many stores of which version there are in the field, by a CSV file: `version,stores`, or `version` alone for a line per
/// store.
struct StoreUsage {
  struct Line: Equatable {
    /// A version, a version checksum, or a tag.
    var name: String
    var stores: Int
    var number: Int
  }

  private(set) var lines: [Line] = []

  /// - Throws: ``UsageError`` at the first line that is neither a header nor says a name and a number.
  init(csv text: String, file: String) throws {
    let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let separator: Character = rows.first.map { $0.contains(";") && !$0.contains(",") } ?? false ? ";" : ","
    for (index, row) in rows.enumerated() {
      guard let fields = Self.fields(of: row, separator) else {
        throw UsageError(.notCounted(file, index + 1, "a quotation mark is not closed"))
      }
      let name = fields[0].trimmingPrefix("\u{FEFF}")
      if fields.allSatisfy(\.isEmpty) { continue }
      let count = fields.count > 1 ? Int(fields[1]) : 1
      let isHeader =
        name.lowercased() == "version" || fields.count > 1 && !fields[1].contains(where: \.isNumber)
      if lines.isEmpty, isHeader, index == rows.firstIndex(where: { !$0.isEmpty }) { continue }
      guard !name.isEmpty, let count, count >= 0 else {
        throw UsageError(.notCounted(file, index + 1, "it needs a version and a number of stores"))
      }
      lines.append(Line(name: String(name), stores: count, number: index + 1))
    }
  }

  /// The fields of a row without the blanks around them; nil if a quotation mark is not closed.
  private static func fields(of row: Substring, _ separator: Character) -> [String]? {
    var fields = [""]
    var (isQuoted, wasQuoted) = (false, false)
    for character in row {
      if character == "\"" {
        isQuoted.toggle()
        // Two of them between quotation marks are one.
        if isQuoted, wasQuoted { fields[fields.count - 1].append(character) }
        wasQuoted = !isQuoted
        continue
      }
      wasQuoted = false
      if character == separator, !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return isQuoted ? nil : fields.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

extension Diagnostic {
  fileprivate static func notCounted(_ file: String, _ line: Int, _ reason: String) -> Self {
    Self(
      .fileUnreadable, .error, "line \(line) of '\(file)' does not say how many stores there are: \(reason)",
      place: SourceRange(startOf: file, line: line),
      help: ["write a version, a checksum or a tag, a comma, and a number: V1,120"])
  }
}
