import ManagedModel

extension VersionDifference {
  /// A difference as a person reads it: a line per change, a mark where it moves hashes, then the hashes.
  func text() -> String {
    let versions = "\(from) → \(to)"
    if isEmpty { return "\(versions): no differences" }
    let mark = changes.contains { $0.isHashed } ? "; * changes version hashes" : ""
    var lines = ["\(versions): \(counted(changes.count, "change"))\(mark)"]
    if let update = self.update { lines.append("  \(update)") }
    var group: String??
    for change in changes {
      if group != .some(change.entity) { lines.append("") }
      group = .some(change.entity)
      lines.append((change.isHashed ? "  * " : "    ") + change.line.printable)
    }
    lines += ["", hashSummary]
    let rows = hashes.map { [$0.entity, shortHash($0.from), "→ \(shortHash($0.to))"] }
    return (lines + TextTable(.left, .left, .left, rows: rows).lines(indent: 2)).shownLines
  }

  /// A difference as a table for a pull request.
  func markdown() -> String {
    var lines = ["### \(from.markdownCode) → \(to.markdownCode)", ""]
    if isEmpty { return (lines + ["No differences."]).joined(separator: "\n") }
    if let update = self.update { lines += ["\(update.prefix(1).uppercased())\(update.dropFirst()).", ""] }
    if !changes.isEmpty {
      lines += ["| Change | Changes the hash of |", "|---|---|"]
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

  /// The object of `diff`, with what was found while the versions were read.
  static let result = JSONObject<(difference: Self, findings: [Diagnostic])>(
    "versionDifference", "What differs between two versions."
  ).adding([
    "from": .value(\.difference.from, "The earlier version."),
    "to": .value(\.difference.to, "The later version."), "changes": .value(\.difference.changes),
    "hashes": .value(\.difference.hashes, "Hashes that change."),
    "lightweight": .value(\.difference.obstacles.isEmpty, "Whether stores need no mapping model."),
    "obstacles": .value(\.difference.obstacles, "Codes of what prevents that."),
    "diagnostics": .diagnostics(\.findings),
  ])
}

private func shortHash(_ hash: VersionHash?) -> String {
  hash.map { "\($0.hexadecimal.prefix(12))…" } ?? "no such entity"
}

extension ModelChange: JSONResult {
  static let result = JSONObject<Self>("change", "One thing that two versions say differently.").adding([
    "kind": .word(\.kind), "entity": .value(\.entity), "property": .value(\.property),
    "fact": .value(\.fact, "What of it."), "old": .value(\.old), "new": .value(\.new),
    "line": .value(\.line, "In words."), "movesHash": .value(\.isHashed, "Whether a version hash changes."),
    "entities": .value(\.entitiesWithMovedHash, "Entities whose hash changes."),
  ])
}

extension VersionDifference.HashDifference: JSONResult {
  static let result = JSONObject<Self>("hashDifference", "An entity's hash in both versions.").adding([
    "entity": .value(\.entity), "from": .value(\.from?.hexadecimal), "to": .value(\.to?.hexadecimal),
  ])
}
