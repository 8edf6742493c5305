import ManagedModel

/// A difference as a person reads it: a line per change, a mark where it moves hashes, then the hashes.
func differenceText(_ difference: VersionDifference) -> String {
  let versions = "\(difference.from) → \(difference.to)"
  if difference.isEmpty { return "\(versions): no differences" }
  let mark = difference.changes.contains { $0.isHashed } ? "; * moves version hashes" : ""
  var lines = ["\(versions): \(counted(difference.changes.count, "change"))\(mark)"]
  if let update = difference.update { lines.append("  \(update)") }
  var group: String??
  for change in difference.changes {
    if group != .some(change.entity) { lines.append("") }
    group = .some(change.entity)
    lines.append((change.isHashed ? "  * " : "    ") + printable(change.line))
  }
  lines += ["", difference.hashSummary]
  var table = TextTable(.left, .left, .left)
  for hash in difference.hashes {
    table.append(hash.entity, shortHash(hash.from), "→ \(shortHash(hash.to))")
  }
  return (lines + table.lines(indent: 2)).shownLines
}

private func shortHash(_ hash: VersionHash?) -> String {
  hash.map { "\($0.hexadecimal.prefix(12))…" } ?? "no such entity"
}
