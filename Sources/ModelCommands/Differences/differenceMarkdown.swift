import ManagedModel

extension VersionDifference {
  /// A difference as a table for a pull request.
  func markdown() -> String {
    var lines = ["### \(from.markdownCode) → \(to.markdownCode)", ""]
    if isEmpty { return (lines + ["No differences."]).joined(separator: "\n") }
    if let update = self.update { lines += ["\(update.prefix(1).uppercased())\(update.dropFirst()).", ""] }
    if !changes.isEmpty {
      lines += ["| Change | Moves the hash of |", "|---|---|"]
      lines += changes.map { change in
        "| \(change.line.markdownCode) | \(change.entitiesWithMovedHash.map(\.markdownCode).joined(separator: ", ")) |"
      }
      lines.append("")
    }
    let summary = hashSummary
    let names = hashes.map { $0.entity.markdownCode }.joined(separator: ", ")
    lines.append(
      summary.prefix(1).uppercased() + summary.dropFirst() + (names.isEmpty ? "." : ": \(names)."))
    return lines.joined(separator: "\n")
  }
}
