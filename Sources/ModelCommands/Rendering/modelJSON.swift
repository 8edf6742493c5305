import ManagedModel

extension VersionedModel {
  /// The object of `inspect BUNDLE`.
  static let result = JSONObject<(bundle: String, model: Self)>("compiledModel", "A model with its versions.")
    .adding([
      "bundle": .value(\.bundle, "The bundle, or the model as it was named."),
      "current": .value(\.model.currentVersionName, "The current version."),
      "versions": .value(\.model.versions, "In their order."),
    ])

  /// How many versions a file or folder has, and which is current.
  func head(at path: String) -> String {
    "\(path): \(counted(versions.count, "version")), current \(currentVersionName)"
  }

  /// A line for each version: how many entities it has, and what else there is to say.
  func versionLines(indent: Int = 2, _ remark: (ModelVersion) -> String = { _ in "" }) -> [String] {
    let rows = versions.map {
      [$0.name, counted($0.model.entities.count, "entity", plural: "entities"), remark($0)]
    }
    return TextTable(.left, .right, .left, rows: rows).lines(indent: indent)
  }
}

extension ModelVersion: JSONResult {
  static let result = JSONObject<Self>("compiledVersion", "A version of a model.").adding([
    "name": .value(\.name), "checksum": .value(\.versionChecksum, "Core Data's version checksum."),
    "fingerprint": .value(\.model.fingerprint, "Of all that the version says, also what is in no hash."),
    "entities": .named(\.hashesInOrder, "The version hashes by entity."),
    "unverified": .value(\.unverifiedEntities, "Entities with a hash that no genuine file has proved."),
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

/// One mapping file that was written.
struct AdoptedMapping: JSONResult {
  var file: String
  var mappingModels: [CustomMappingModel]
  var diagnostics: [Diagnostic]

  private var entityMappings: [CustomEntityMapping] { mappingModels.flatMap(\.entityMappings) }

  var text: String {
    let expressions = entityMappings.map { $0.attributeMappings.count + $0.relationshipMappings.count }
      .reduce(0, +)
    let policies = entityMappings.count { $0.policyName != nil }
    let filters = entityMappings.count { $0.filter != nil }
    return "\(file): "
      + [
        counted(entityMappings.count, "entity mapping"), counted(expressions, "value expression"),
        counted(filters, "filter"), counted(policies, "policy", plural: "policies"),
      ].joined(separator: ", ")
  }

  static let result = JSONObject<Self>("adoptedMapping", "A mapping file that was written.").adding([
    "file": .value(\.file),
    "from": .value({ $0.mappingModels[0].sourceVersionName }, "The step's first version."),
    "to": .value({ $0.mappingModels[0].destinationVersionName }, "Its second one."),
    "entityMappings": .value({ $0.entityMappings.map(\.name) }, "Their names."),
    "policies": .value({ $0.entityMappings.compactMap(\.policyName) }, "Policies that they name."),
  ])
}
