import ManagedModel

/// A property as a parameter.
struct RequiredProperty {
  var name: String
  var type: String
}

extension SchemaWriter {
  /// What an object cannot be made without: its class has no value for it.
  func requiredProperties(_ entity: EntityDescription) -> [RequiredProperty] {
    let attributes = entity.attributes.filter { !$0.isOptional && initialValue(of: $0) == nil }
    let relationships = entity.relationships.filter { !$0.isOptional && !$0.isToMany }
    return attributes.map { RequiredProperty(name: swiftIdentifier($0.name), type: type(of: $0)) }
      + relationships.map {
        RequiredProperty(name: swiftIdentifier($0.name), type: types.own($0.destinationEntityName))
      }
  }

  func attributeLines(_ attribute: AttributeDescription, of entity: EntityDescription) -> [String] {
    var options: [String] = []
    if entity.uniquenessConstraints.contains([attribute.name]) { options.append(".unique") }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.allowsCloudEncryption { options.append(".allowsCloudEncryption") }
    if attribute.isIndexedBySpotlight { options.append(".spotlight") }
    if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.isTransient { options.append(".ephemeral") }
    if attribute.type == .transformable, let transformer = attribute.valueTransformerName,
      collectionType(attribute) == nil
    {
      options.append(".transformable(by: \(swiftLiteral(transformer)))")
    }
    options += originalName(attribute.renamingIdentifier, of: attribute.name)
    if let modifier = attribute.versionHashModifier {
      options.append("hashModifier: \(swiftLiteral(modifier))")
    }
    let lacksClass =
      attribute.type == .transformable && (collectionType(attribute) ?? valueClass(of: attribute)) == nil
    return macro("Attribute", options)
      + (lacksClass ? ["// The model does not name the class of its values."] : [])
      + [variable(of: attribute)]
  }

  /// `var name: Type = value`
  func variable(of attribute: AttributeDescription) -> String {
    let value = initialValue(of: attribute).map { " = \($0)" } ?? ""
    return
      "var \(swiftIdentifier(attribute.name)): \(type(of: attribute))\(attribute.isOptional ? "?" : "")\(value)"
  }

  /// The type of its values, which an optional one may be without.
  private func type(of attribute: AttributeDescription) -> String {
    if let name = enums[attribute] { return swiftIdentifier(name) }
    if attribute.type == .binary, let name = attribute.attributeValueClassName, types.knows(name) {
      return collectionType(named: name) ?? types.own(name)
    }
    if let type = swiftType(of: attribute.type) { return types.foreign(type) }
    if let composite = model.declaredComposite(of: attribute) { return types.own(composite.name) }
    if let composite = attribute.compositeName { return types.own(composite) }
    return collectionType(attribute) ?? valueClass(of: attribute) ?? types.foreign("NSObject")
  }

  /// Of a transformable, where the model names one.
  private func valueClass(of attribute: AttributeDescription) -> String? {
    attribute.attributeValueClassName.flatMap {
      $0.wholeMatch(of: #/\w+(\.\w+)*|\[\w+(: \w+)?\]/#) == nil ? nil : $0
    }
  }

  private func initialValue(of attribute: AttributeDescription) -> String? {
    guard attribute.hasExpressibleDefault() else { return nil }
    if attribute.defaultValue == .evaluated(.plain) { return plainValue(of: attribute) }
    if case .evaluated(let value)? = attribute.defaultValue {
      return value.swiftType.map { "\(types.foreign($0))()" }
    }
    if attribute.enumTypeName != nil {
      let text = attribute.typedDefaultValue?.text
      // `@Model` takes no value whose type is left out.
      return attribute.enumCases().first { $0.value == text }.map {
        "\(type(of: attribute)).\(swiftIdentifier($0.name))"
      }
    }
    return attribute.typedDefaultValue.map { swiftLiteral(of: $0, as: attribute.type, types.foreign) }
  }

  /// The plainest value of a type, as source; nil if it cannot be told.
  private func plainValue(of attribute: AttributeDescription) -> String? {
    if attribute.isOptional { return "nil" }
    if attribute.enumTypeName != nil { return firstCase(of: attribute, type(of: attribute)) }
    let named = attribute.type == .binary ? attribute.attributeValueClassName : nil
    let composite = named.map { name in model.composites.first { $0.name == name } }
    if let composite = composite ?? model.declaredComposite(of: attribute) {
      return plainValue(of: composite)
    }
    if let collection = named.flatMap(collectionType(named:)) ?? collectionType(attribute) {
      return collection.hasPrefix("[") && collection.contains(":") ? "[:]" : "[]"
    }
    guard named == nil else { return nil }
    if let type = EvaluatedDefault(ofNew: attribute.type)?.swiftType { return "\(types.foreign(type))()" }
    if attribute.type == .binary { return "\(types.foreign("Data"))()" }
    return plainDefaults[attribute.type].flatMap { AttributeValue(parsing: $0, as: attribute.type) }
      .map { swiftLiteral(of: $0, as: attribute.type, types.foreign) }
  }

  private func plainValue(of composite: CompositeDescription) -> String? {
    if let raw = composite.rawValue { return firstCase(of: raw, types.own(composite.name)) }
    if composite.isChoice {
      return composite.elements.first.map { "\(types.own(composite.name)).\(swiftIdentifier($0.name))" }
    }
    let members = composite.elements.filter { !$0.isOptional && initialValue(of: $0) == nil }
    let values = members.compactMap { member in
      plainValue(of: member).map { "\(swiftIdentifier(member.name)): \($0)" }
    }
    guard values.count == members.count else { return nil }
    return "\(types.own(composite.name))(\(values.joined(separator: ", ")))"
  }

  private func firstCase(of attribute: AttributeDescription, _ type: String) -> String? {
    attribute.enumCases().first.map { "\(type).\(swiftIdentifier($0.name))" }
  }

  func relationshipLines(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) -> [String] {
    let destination = types.own(relationship.destinationEntityName)
    var options: [String] = []
    if relationship.deleteRule != .nullify { options.append("deleteRule: .\(relationship.deleteRule.name)") }
    if relationship.minCount != 0 { options.append("minimumModelCount: \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount != 0 {
      options.append("maximumModelCount: \(relationship.maxCount)")
    }
    options += originalName(relationship.renamingIdentifier, of: relationship.name)
    let key = PropertyReference(entity: entity.name, property: relationship.name)
    if pairs.named.contains(key), let inverse = relationship.inverseName {
      options.append("inverse: \\\(destination).\(swiftIdentifier(inverse))")
    }
    if let modifier = relationship.versionHashModifier {
      options.append("hashModifier: \(swiftLiteral(modifier))")
    }
    let type = relationship.isToMany ? "[\(destination)]" : destination
    let value = relationship.isOptional ? "?" : relationship.isToMany ? " = []" : ""
    return macro("Relationship", options) + ["var \(swiftIdentifier(relationship.name)): \(type)\(value)"]
  }

  private func originalName(_ identifier: String?, of name: String) -> [String] {
    identifier.flatMap { $0 == name ? nil : ["originalName: \(swiftLiteral($0))"] } ?? []
  }

  private func macro(_ name: String, _ options: [String]) -> [String] {
    options.isEmpty ? [] : ["@\(types.foreign(name))(\(options.joined(separator: ", ")))"]
  }
}

private let plainDefaults: [AttributeType: String] = [
  .string: "", .integer16: "0", .integer32: "0", .integer64: "0", .double: "0", .float: "0", .decimal: "0",
  .boolean: "false",
]
