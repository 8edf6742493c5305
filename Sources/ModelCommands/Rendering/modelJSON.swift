import ManagedModel

extension VersionedModel {
  /// The object of `inspect BUNDLE`.
  static let result = JSONObject<(bundle: String, model: Self)>(
    "compiledModel", "A model with its versions.",
    [
      "bundle": .value(\.bundle, "The bundle, or the model as it was named."),
      "current": .value(\.model.currentVersionName, "The current version."),
      "versions": .value(\.model.versions, "In their order."),
    ])
}

extension ModelVersion: JSONResult {
  static let result = JSONObject<Self>(
    "compiledVersion", "A version of a model.",
    [
      "name": .value(\.name), "checksum": .value(\.versionChecksum, "Core Data's version checksum."),
      "fingerprint": .value(\.model.fingerprint, "Of all that the version says, also what is in no hash."),
      "entities": .named(\.hashesInOrder, "The version hashes by entity."),
      "unverified": .value(
        \.unverifiedEntities, "Entities whose hash no genuine file has proved the rules of."),
    ])

  /// The version hashes by entity, in the order of code points.
  var hashesInOrder: [(key: String, value: VersionHash)] {
    entityVersionHashesByName.sorted { $0.key.precedesInCodePointOrder($1.key) }
  }
}

extension VersionHash: JSONWritable {
  static let shape = JSONShape.text("64 hexadecimal digits.")
  var json: JSONValue { .string(hexadecimal) }
}
