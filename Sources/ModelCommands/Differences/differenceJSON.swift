import ManagedModel
import ModelMapping

extension VersionDifference {
  /// The object of `diff`.
  ///
  /// - Parameter findings: what was found while the versions were read.
  func json(_ findings: [Diagnostic]) -> JSONValue {
    .object([
      .init("from", .string(from)), .init("to", .string(to)),
      .init("changes", .array(changes.map(\.json))),
      .init("hashes", .array(hashes.map(\.json))),
      .init("diagnostics", .array(findings.map(\.json))),
    ])
  }
}

extension ModelChange {
  var json: JSONValue {
    .object([
      .init("kind", .string(kind.rawValue)), .init("entity", JSONValue(entity)),
      .init("property", JSONValue(property)), .init("fact", JSONValue(fact)), .init("old", JSONValue(old)),
      .init("new", JSONValue(new)), .init("line", .string(line)), .init("movesHash", .boolean(isHashed)),
      .init("entities", JSONValue(entitiesWithMovedHash)),
    ])
  }
}

extension VersionDifference.HashDifference {
  fileprivate var json: JSONValue {
    .object([
      .init("entity", .string(entity)), .init("from", JSONValue(from?.hexadecimal)),
      .init("to", JSONValue(to?.hexadecimal)),
    ])
  }
}
