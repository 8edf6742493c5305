import ManagedModel
import ModelMapping

/// One mapping file that was written.
struct AdoptedMapping {
  var file: String
  var mappingModels: [CustomMappingModel]
  var diagnostics: [Diagnostic]

  private var entityMappings: [CustomEntityMapping] { mappingModels.flatMap(\.entityMappings) }

  var text: String {
    let expressions = entityMappings.reduce(0) { count, mapping in
      count + mapping.attributeMappings.count + mapping.relationshipMappings.count
    }
    let policies = entityMappings.count { $0.policyName != nil }
    let filters = entityMappings.count { $0.filter != nil }
    return "\(file): "
      + [
        counted(entityMappings.count, "entity mapping"), counted(expressions, "value expression"),
        counted(filters, "filter"), counted(policies, "policy", plural: "policies"),
      ].joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "file": .string(file), "from": .string(mappingModels[0].sourceVersionName),
      "to": .string(mappingModels[0].destinationVersionName),
      "entityMappings": JSONValue(entityMappings.map(\.name)),
      "policies": JSONValue(entityMappings.compactMap(\.policyName)),
    ]
  }
}

extension AdoptedMapping {
  static let shape = JSONShape.object(
    "adoptedMapping", "A mapping file that was written.",
    [
      "file": .text(""), "from": .text("The step's first version."), "to": .text("Its second one."),
      "entityMappings": .texts("Their names."), "policies": .texts("Policies that they name."),
    ])
}
