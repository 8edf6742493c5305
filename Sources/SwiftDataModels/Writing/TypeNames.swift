import ManagedModel

/// Names of types as a schema's source has them.
struct TypeNames {
  /// The classes and structs of the schema, which hide others of their names.
  private let declared: Set<String>

  init(_ model: ManagedObjectModel) {
    declared = Set(model.entities.map(\.name) + model.composites.map(\.name))
  }

  /// A class or a struct of the schema.
  func own(_ name: String) -> String { swiftIdentifier(name) }

  /// A type of Swift, Foundation or SwiftData.
  func foreign(_ name: String) -> String {
    guard declared.contains(name) else { return name }
    let module =
      foundationTypes.contains(name) ? "Foundation" : dataTypes.contains(name) ? "SwiftData" : "Swift"
    return "\(module).\(name)"
  }
}

private let foundationTypes: Set<String> = ["Data", "Date", "Decimal", "NSObject", "URL", "UUID"]
private let dataTypes: Set<String> = ["Attribute", "Model", "PersistentModel", "Relationship", "Schema"]
