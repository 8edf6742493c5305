import ManagedModel
import ModelMapping

/// A difference as a table for a pull request.
func differenceMarkdown(_ difference: VersionDifference) -> String {
  var lines = ["### \(code(difference.from)) → \(code(difference.to))", ""]
  if difference.isEmpty { return (lines + ["No differences."]).joined(separator: "\n") }
  if !difference.changes.isEmpty {
    lines += ["| Change | Moves the hash of |", "|---|---|"]
    lines += difference.changes.map { change in
      "| \(code(change.line)) | \(change.entitiesWithMovedHash.map(code).joined(separator: ", ")) |"
    }
    lines.append("")
  }
  let summary = difference.hashSummary
  let names = difference.hashes.map { code($0.entity) }.joined(separator: ", ")
  lines.append(
    summary.prefix(1).uppercased() + summary.dropFirst() + (names.isEmpty ? "." : ": \(names)."))
  return lines.joined(separator: "\n")
}

/// Text as a code span that neither a table nor the text itself can end.
func code(_ text: String) -> String {
  "`\(printable(text).replacing("`", with: "'").replacing("|", with: "\\|"))`"
}
