import ManagedModel
import ModelMapping

extension VersionDifference {
  /// The object of `diff`.
  ///
  /// - Parameter findings: what was found while the versions were read.
  func json(_ findings: [Diagnostic]) -> JSONValue {
    [
      "from": .string(from), "to": .string(to), "changes": .array(changes.map(\.json)),
      "hashes": .array(hashes.map(\.json)), "diagnostics": .array(findings.map(\.json)),
    ]
  }
}

extension ModelChange {
  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "entity": JSONValue(entity), "property": JSONValue(property),
      "fact": JSONValue(fact), "old": JSONValue(old), "new": JSONValue(new), "line": .string(line),
      "movesHash": .boolean(isHashed), "entities": JSONValue(entitiesWithMovedHash),
    ]
  }
}

extension VersionDifference.HashDifference {
  fileprivate var json: JSONValue {
    ["entity": .string(entity), "from": JSONValue(from?.hexadecimal), "to": JSONValue(to?.hexadecimal)]
  }
}

extension VersionDifference {
  static let shape = JSONShape.object(
    "versionDifference", "What differs between two versions.",
    [
      "from": .text("The earlier version."), "to": .text("The later version."),
      "changes": .list(of: ModelChange.shape, ""),
      "hashes": .list(of: HashDifference.shape, "Hashes that move."),
      "diagnostics": .diagnostics,
    ])
}

extension ModelChange {
  static let shape = JSONShape.object(
    "change", "One thing that two versions say differently.",
    [
      "kind": .words(of: Kind.self, ""), "entity": .text("").orNull, "property": .text("").orNull,
      "fact": .text("What of it.").orNull, "old": .text("").orNull, "new": .text("").orNull,
      "line": .text("In words."), "movesHash": .flag("Whether a version hash moves."),
      "entities": .texts("Entities whose hash moves."),
    ])
}

extension VersionDifference.HashDifference {
  fileprivate static let shape = JSONShape.object(
    "hashDifference", "An entity's hash in both versions.",
    ["entity": .text(""), "from": .text("").orNull, "to": .text("").orNull])
}
