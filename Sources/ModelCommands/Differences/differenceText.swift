import ManagedModel

extension VersionDifference {
  /// A difference as a person reads it: a line per change, a mark where it moves hashes, then the hashes.
  func text() -> String {
    let versions = "\(from) → \(to)"
    if isEmpty { return "\(versions): no differences" }
    let mark = changes.contains { $0.isHashed } ? "; * moves version hashes" : ""
    var lines = ["\(versions): \(counted(changes.count, "change"))\(mark)"]
    if let update = self.update { lines.append("  \(update)") }
    var group: String??
    for change in changes {
      if group != .some(change.entity) { lines.append("") }
      group = .some(change.entity)
      lines.append((change.isHashed ? "  * " : "    ") + change.line.printable)
    }
    lines += ["", hashSummary]
    var table = TextTable(.left, .left, .left)
    for hash in hashes { table.append(hash.entity, shortHash(hash.from), "→ \(shortHash(hash.to))") }
    return (lines + table.lines(indent: 2)).shownLines
  }
}

private func shortHash(_ hash: VersionHash?) -> String {
  hash.map { "\($0.hexadecimal.prefix(12))…" } ?? "no such entity"
}
