import ManagedModel

/// Names of types as a schema's source has them.
struct TypeNames {
  /// The classes and structs of the schema, which hide others of their names.
  private let declared: Set<String>

  init(_ model: ManagedObjectModel, _ enums: EnumNames) {
    declared = Set(model.entities.map(\.name) + model.composites.map(\.name) + enums.all.map(\.name))
  }

  /// A class or a struct of the schema; another type, such as `ClosedRange<Int>`, as it is.
  func own(_ name: String) -> String { declared.contains(name) ? name.swiftIdentifier() : name }

  /// Whether the name of a class of values, such as `Array<Step>`, is made of what the schema, Swift or Foundation declares.
  func knows(_ name: String) -> Bool {
    name.typeNames.allSatisfy {
      declared.contains($0) || attributeTypesBySwiftName[$0] != nil || codableTypes.contains($0)
        || ["Array", "Set", "Dictionary"].contains($0)
    }
  }

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
