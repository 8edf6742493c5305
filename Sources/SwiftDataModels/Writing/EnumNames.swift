import ManagedModel

/// The enums of a schema: those of attributes with raw values, each once, under a name that nothing else has.
struct EnumNames {
  private struct Kind: Hashable {
    var name: String
    var type: AttributeType
    var values: [String]?
  }

  private var names: [Kind: String] = [:]
  /// In the order of the model.
  private(set) var all: [(name: String, attribute: AttributeDescription)] = []

  init(_ model: ManagedObjectModel) {
    var taken = Set(model.entities.map(\.name) + model.composites.map(\.name))
    for attribute in model.entities.flatMap(\.attributes) {
      guard let kind = Self.kind(of: attribute), names[kind] == nil else { continue }
      var name = kind.name.plainSwiftName(taken: takenTypes)
      while !taken.insert(name).inserted { name += "_" }
      names[kind] = name
      all.append((name, attribute))
    }
  }

  subscript(attribute: AttributeDescription) -> String? { Self.kind(of: attribute).flatMap { names[$0] } }

  private static func kind(of attribute: AttributeDescription) -> Kind? {
    attribute.enumTypeName.map {
      Kind(name: $0, type: attribute.type, values: attribute.validation.listedValues)
    }
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
