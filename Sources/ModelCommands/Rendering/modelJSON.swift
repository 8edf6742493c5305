import ManagedModel

extension VersionedModel {
  /// The object of `compile` and `inspect BUNDLE`.
  ///
  /// - Parameter members: further ones, after those.
  func json(bundle: String, adding members: [JSONValue.Member] = []) -> JSONValue {
    .object(
      [
        .init("bundle", .string(bundle)),
        .init("current", .string(currentVersionName)),
        .init("versions", .array(versions.map(\.json))),
      ] + members)
  }
}

extension ModelVersion {
  fileprivate var json: JSONValue {
    let hashes = entityVersionHashesByName.sorted { $0.key.precedesInCodePointOrder($1.key) }
    let unverified = recordedHashes == nil ? model.unverifiedHashRules.keys.sorted() : []
    return .object([
      .init("name", .string(name)),
      .init("checksum", .string(versionChecksum)),
      .init("fingerprint", .string(model.fingerprint)),
      .init("entities", .object(hashes.map { .init($0.key, .string($0.value.hexadecimal)) })),
      .init("unverified", JSONValue(unverified)),
    ])
  }
}
