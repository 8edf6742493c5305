import ManagedModel

extension VersionedModel {
  /// The object of `compile` and `inspect BUNDLE`.
  func json(bundle: String) -> JSONValue {
    [
      "bundle": .string(bundle), "current": .string(currentVersionName),
      "versions": .array(versions.map(\.json)),
    ]
  }
}

extension ModelVersion {
  fileprivate var json: JSONValue {
    let hashes = entityVersionHashesByName.sorted { $0.key.precedesInCodePointOrder($1.key) }
    let unverified = recordedHashes == nil ? model.unverifiedHashRules.keys.sorted() : []
    return [
      "name": .string(name), "checksum": .string(versionChecksum), "fingerprint": .string(model.fingerprint),
      "entities": .object(hashes.map { .init($0.key, .string($0.value.hexadecimal)) }),
      "unverified": JSONValue(unverified),
    ]
  }
}
