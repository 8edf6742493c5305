import ManagedModel

/// Names of types as a schema's source has them.
struct TypeNames {
  private struct Enum: Hashable {
    var name: String
    var type: AttributeType
    var values: [String]?
  }

  /// The classes, structs and enums of the schema, which hide others of their names.
  private var declared: Set<String>
  private var enumNames: [Enum: String] = [:]
  /// Those of attributes with raw values, each once, under a name that nothing else has, in the order of the model.
  private(set) var enums: [(name: String, attribute: AttributeDescription)] = []

  init(_ model: ManagedObjectModel) {
    declared = Set(model.entities.map(\.name) + model.composites.map(\.name))
    for attribute in model.entities.flatMap(\.attributes) {
      guard let kind = Self.kind(of: attribute), enumNames[kind] == nil else { continue }
      var name = kind.name.plainSwiftName(taken: takenTypes)
      while !declared.insert(name).inserted { name += "_" }
      enumNames[kind] = name
      enums.append((name, attribute))
    }
  }

  func enumName(of attribute: AttributeDescription) -> String? {
    Self.kind(of: attribute).flatMap { enumNames[$0] }
  }

  private static func kind(of attribute: AttributeDescription) -> Enum? {
    attribute.enumTypeName.map {
      Enum(name: $0, type: attribute.type, values: attribute.validation.listedValues)
    }
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

extension SchemaWriter {
  func enumLines(_ name: String, of attribute: AttributeDescription) -> [String] {
    let raw = types.foreign(attribute.swiftTypeName ?? attribute.type.swiftDataType ?? "String")
    var cases = attribute.enumCases().map { name, value -> String in
      if attribute.type == .string, name == value { return "case \(name.swiftIdentifier())" }
      let literal = AttributeValue(parsing: value, as: attribute.type).map {
        swiftLiteral(of: $0, as: attribute.type, types.foreign)
      }
      return "case \(name.swiftIdentifier()) = \(literal ?? swiftLiteral(value))"
    }
    if cases.isEmpty { cases = ["// The model does not name its cases.", "case unknown"] }
    return ["enum \(name.swiftIdentifier()): \(raw), \(types.foreign("Codable")) {"] + indented(cases) + ["}"]
  }
}

private let foundationTypes: Set<String> = ["Data", "Date", "Decimal", "NSObject", "URL", "UUID"]
private let dataTypes: Set<String> = ["Attribute", "Model", "PersistentModel", "Relationship", "Schema"]
