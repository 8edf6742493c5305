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
    return [
      "name": .string(name), "checksum": .string(versionChecksum), "fingerprint": .string(model.fingerprint),
      "entities": .object(hashes.map { .init($0.key, .string($0.value.hexadecimal)) }),
      "unverified": JSONValue(unverifiedEntities),
    ]
  }
}

extension VersionedModel {
  static let shape = JSONShape.object(
    "compiledModel", "A model with its versions.",
    [
      "bundle": .text("The bundle, or the model as it was named."), "current": .text("The current version."),
      "versions": .list(of: ModelVersion.shape, "In their order."),
    ])
}

extension ModelVersion {
  fileprivate static let shape = JSONShape.object(
    "compiledVersion", "A version of a model.",
    [
      "name": .text(""), "checksum": .text("Core Data's version checksum."),
      "fingerprint": .text("Of all that the version says, also what is in no hash."),
      "entities": .named(.text("64 hexadecimal digits."), "The version hashes by entity."),
      "unverified": .texts("Entities whose hash no genuine file has proved the rules of."),
    ])
}
