import ManagedModel

extension VersionDifference {
  /// The object of `diff`, with what was found while the versions were read.
  static let result = JSONObject<(difference: Self, findings: [Diagnostic])>(
    "versionDifference", "What differs between two versions.",
    [
      "from": .value(\.difference.from, "The earlier version."),
      "to": .value(\.difference.to, "The later version."), "changes": .value(\.difference.changes),
      "hashes": .value(\.difference.hashes, "Hashes that move."),
      "lightweight": .value(\.difference.obstacles.isEmpty, "Whether stores need no mapping model."),
      "obstacles": .value(\.difference.obstacles, "Codes of what prevents that."),
      "diagnostics": .diagnostics(\.findings),
    ])
}

extension ModelChange: JSONResult {
  static let result = JSONObject<Self>(
    "change", "One thing that two versions say differently.",
    [
      "kind": .word(\.kind), "entity": .value(\.entity), "property": .value(\.property),
      "fact": .value(\.fact, "What of it."), "old": .value(\.old), "new": .value(\.new),
      "line": .value(\.line, "In words."), "movesHash": .value(\.isHashed, "Whether a version hash moves."),
      "entities": .value(\.entitiesWithMovedHash, "Entities whose hash moves."),
    ])
}

extension VersionDifference.HashDifference: JSONResult {
  static let result = JSONObject<Self>(
    "hashDifference", "An entity's hash in both versions.",
    [
      "entity": .value(\.entity), "from": .value(\.from?.hexadecimal), "to": .value(\.to?.hexadecimal),
    ])
}
