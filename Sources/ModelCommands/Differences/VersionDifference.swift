import ManagedModel

/// The differences of two versions: the facts, and the version hashes that Core Data compares.
struct VersionDifference {
  /// An entity whose hash is not the same in both; nil if a version has no such entity.
  struct HashDifference {
    var entity: String
    var from: VersionHash?
    var to: VersionHash?
  }

  let from: String
  let to: String
  let changes: [ModelChange]
  /// By name.
  let hashes: [HashDifference]
  /// Entities that either version has.
  let entityCount: Int
  /// Why stores do not migrate without a mapping model; none if the migration is lightweight.
  let obstacles: [Diagnostic.Code]
  /// How many versions before the later one migrate to it without a mapping model, of how many.
  let updatable: (count: Int, of: Int)

  init(from: NamedVersion, to: NamedVersion) {
    (self.from, self.to) = (from.label, to.label)
    changes = compareModels(from: from.version, to: to.version)
    let (old, new) = (from.version.entityVersionHashesByName, to.version.entityVersionHashesByName)
    let names = Set(old.keys).union(new.keys)
    entityCount = names.count
    hashes = names.sorted { $0.precedesInCodePointOrder($1) }.filter { old[$0] != new[$0] }.map {
      HashDifference(entity: $0, from: old[$0], to: new[$0])
    }
    obstacles = obstaclesOfInference(from: from.version, to: to.version)
    let older = (to.siblings?.versions ?? []).prefix { $0.name != to.version.name }
    updatable = (older.count { obstaclesOfInference(from: $0, to: to.version).isEmpty }, older.count)
  }

  /// Whether stores of the earlier version migrate, and how many others; nil if no store has to.
  var update: String? {
    if hashes.isEmpty { return nil }
    let codes = obstacles.map(\.description).joined(separator: ", ")
    let kind = obstacles.isEmpty ? "lightweight" : "not lightweight (\(codes))"
    if updatable.of < 2 { return kind }
    return "\(kind); \(updatable.count) of \(updatable.of) older versions can update without a mapping model"
  }

  var isEmpty: Bool { changes.isEmpty && hashes.isEmpty }

  /// Whose hashes differ, in one line.
  var hashSummary: String {
    if hashes.isEmpty { return "no version hash differs" }
    return
      "\(hashes.count) of \(counted(entityCount, "version hash", plural: "version hashes")) \(hashes.count == 1 ? "differs" : "differ")"
  }
}

/// What prevents inference, and attributes that every object of a store would have to have a value for.
private func obstaclesOfInference(from old: ModelVersion, to new: ModelVersion) -> [Diagnostic.Code] {
  let (mappingModel, diagnostics) = inferMappingModel(from: old, to: new)
  var codes = Set(diagnostics.filter { $0.severity == .error }.map(\.code))
  let (source, destination) = (EntityHierarchy(old.model), EntityHierarchy(new.model))
  let isRefused = mappingModel.entityMappings.contains { mapping in
    mapping.sourceEntityName != nil
      && mapping.requirements(from: source, to: destination).contains {
        if case .attribute = $0.property { $0.past == .absent } else { false }
      }
  }
  if isRefused { codes.insert(.missingAttributeValues) }
  return codes.sorted { "\($0)" < "\($1)" }
}

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
    lines.append(summary.prefix(1).uppercased() + summary.dropFirst() + (names.isEmpty ? "." : ": \(names)."))
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
