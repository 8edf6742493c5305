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
