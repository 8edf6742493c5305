import ManagedModel

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
