import ManagedModel

/// A difference as a table for a pull request.
func differenceMarkdown(_ difference: VersionDifference) -> String {
  var lines = ["### \(markdownCode(difference.from)) → \(markdownCode(difference.to))", ""]
  if difference.isEmpty { return (lines + ["No differences."]).joined(separator: "\n") }
  if let update = difference.update {
    lines += ["\(update.prefix(1).uppercased())\(update.dropFirst()).", ""]
  }
  if !difference.changes.isEmpty {
    lines += ["| Change | Moves the hash of |", "|---|---|"]
    lines += difference.changes.map { change in
      "| \(markdownCode(change.line)) | \(change.entitiesWithMovedHash.map(markdownCode).joined(separator: ", ")) |"
    }
    lines.append("")
  }
  let summary = difference.hashSummary
  let names = difference.hashes.map { markdownCode($0.entity) }.joined(separator: ", ")
  lines.append(
    summary.prefix(1).uppercased() + summary.dropFirst() + (names.isEmpty ? "." : ": \(names)."))
  return lines.joined(separator: "\n")
}
