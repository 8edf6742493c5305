import ManagedModel

/// Writes a version as an enum with nested types.
struct SchemaWriter {
  let model: ManagedObjectModel
  let schema: SchemaNames.Schema
  let hierarchy: EntityHierarchy
  let pairs: RelationshipPairs
  let types: TypeNames

  /// - Parameter model: one that is `expressible`.
  init(_ model: ManagedObjectModel, _ schema: SchemaNames.Schema) {
    (self.model, self.schema) = (model, schema)
    hierarchy = EntityHierarchy(model)
    pairs = RelationshipPairs(model)
    types = TypeNames(model)
  }

  func text(_ comment: String?) -> String {
    let numbers = schema.numbers.map(String.init).joined(separator: ", ")
    let classes = (model.entities.map { "\(types.own($0.name)).self" }).listLines
    var lines = [
      "static let versionIdentifier = \(types.foreign("Schema")).Version(\(numbers))", "",
      "static var models: [any \(types.foreign("PersistentModel")).Type] {",
    ]
    lines += indented(classes) + ["}"]
    for (name, attribute) in types.enums { lines += [""] + enumLines(name, of: attribute) }
    for composite in model.composites where !isDeclaredDifferently(composite) && !isHeld(composite) {
      lines += [""] + typeLines(composite)
    }
    for entity in model.entities { lines += [""] + classLines(entity) }
    let head =
      (comment.map { ["/// \($0.visible)"] } ?? []) + model.availability
      + ["enum \(schema.name): VersionedSchema {"]
    return (head + indented(lines) + ["}", ""]).joined(separator: "\n")
  }

  /// Whether all properties of the composite are written with the type that it was made of.
  private func isDeclaredDifferently(_ composite: CompositeDescription) -> Bool {
    let holders = model.entities.flatMap(\.attributes).filter { $0.compositeName == composite.name }
    return !holders.isEmpty && holders.allSatisfy { model.declaredComposite(of: $0)?.name != composite.name }
  }

  private func classLines(_ entity: EntityDescription) -> [String] {
    let parent = hierarchy.superentityName(of: entity.name)
    let isFinal = hierarchy.subentityNames(of: entity.name).isEmpty
    let head = "\(isFinal ? "final " : "")class \(types.own(entity.name))"
    var lines = macroLines(entity)
    if !lines.isEmpty { lines.append("") }
    for attribute in entity.attributes { lines += attributeLines(attribute, of: entity) }
    for relationship in entity.relationships { lines += relationshipLines(relationship, of: entity) }
    if !entity.attributes.isEmpty || !entity.relationships.isEmpty { lines.append("") }
    lines += initLines(entity, parent)
    return ["@\(types.foreign("Model"))", "\(head)\(parent.map { ": \(types.own($0))" } ?? "") {"]
      + indented(lines) + ["}"]
  }

  /// `#Unique` and `#Index`, each once.
  private func macroLines(_ entity: EntityDescription) -> [String] {
    // One of a single attribute is an option of that.
    let constraints = entity.uniquenessConstraints.filter { constraint in
      constraint.count != 1 || !entity.attributes.contains { $0.name == constraint[0] }
    }
    let unique = constraints.map { keyPaths($0, of: entity) }
    let hasAreas = entity.fetchIndexes.contains { $0.isArea }
    let indexes = entity.fetchIndexes.map { index in
      let list = keyPaths(index.elements.map(\.property), of: entity)
      return hasAreas ? "\(index.isArea ? ".rtree" : ".binary")(\(list))" : list
    }
    return [("Unique", unique), ("Index", indexes)].filter { !$0.1.isEmpty }.map { name, lists in
      "#\(name)<\(types.own(entity.name))>(\(lists.joined(separator: ", ")))"
    }
  }

  private func keyPaths(_ names: [String], of entity: EntityDescription) -> String {
    let paths = names.map { name in
      var path = "\\"
      let parts = keys(of: name)
      for index in parts.indices {
        path += ".\(parts[index].swiftIdentifier())"
        let part = parts[...index].joined(separator: ".")
        let isLast = index == parts.count - 1
        if !isLast, hierarchy.attribute(named: part, of: entity.name)?.isOptional == true { path += "?" }
      }
      return path
    }
    return "[\(paths.joined(separator: ", "))]"
  }

  private func initLines(_ entity: EntityDescription, _ parent: String?) -> [String] {
    let own = requiredProperties(entity)
    let inherited = hierarchy.lineage(of: entity.name).dropLast().flatMap(requiredProperties)
    let parameters = (inherited + own).map { "\($0.name): \($0.type)" }
    let head = "\(parent != nil && own.isEmpty ? "override " : "")init("
    var lines = own.map { "self.\($0.name) = \($0.name)" }
    if parent != nil {
      lines.append("super.init(\(inherited.map { "\($0.name): \($0.name)" }.joined(separator: ", ")))")
    }
    let line = "\(head)\(parameters.joined(separator: ", "))) {"
    if lines.isEmpty { return ["\(line)}"] }
    guard line.utf8.count > 90 else { return [line] + indented(lines) + ["}"] }
    return ["\(head)"] + indented(parameters.dropLast().map { $0 + "," } + parameters.suffix(1)) + [") {"]
      + indented(lines) + ["}"]
  }
}

extension ManagedObjectModel {
  /// Subclasses of `@Model` classes are there since 2025: what names one is of those systems.
  var availability: [String] {
    entities.contains { $0.superentityName != nil }
      ? ["@available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)"] : []
  }
}

/// Four spaces in front, as Xcode has them.
func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    \($0)" } }

extension FetchIndexDescription { fileprivate var isArea: Bool { elements.first?.collation == .rtree } }

extension SchemaWriter {
  /// What an object cannot be made without: its class has no value for it.
  func requiredProperties(_ entity: EntityDescription) -> [(name: String, type: String)] {
    let attributes = entity.attributes.filter { !$0.isOptional && initialValue(of: $0) == nil }
    let relationships = entity.relationships.filter { !$0.isOptional && !$0.isToMany }
    return attributes.map { ($0.name.swiftIdentifier(), type(of: $0)) }
      + relationships.map { ($0.name.swiftIdentifier(), types.own($0.destinationEntityName)) }
  }

  func attributeLines(_ attribute: AttributeDescription, of entity: EntityDescription) -> [String] {
    var options: [String] = []
    if entity.uniquenessConstraints.contains([attribute.name]) { options.append(".unique") }
    options += AttributeDescription.options.filter { attribute[keyPath: $0.value] }.map { ".\($0.key)" }
    if attribute.type == .transformable, let transformer = attribute.valueTransformerName,
      collectionType(attribute) == nil
    {
      options.append(".transformable(by: \(swiftLiteral(transformer)))")
    }
    let isCoded = attribute.type == .binary && attribute.swiftTypeName == nil
    let coded = isCoded ? attribute.attributeValueClassName : nil
    let foreign = coded.flatMap { types.knows($0) || $0.hasPrefix("NS") ? nil : $0.visible }
    if coded.map(types.knows) == true { options.append(".codable") }
    options += originalName(attribute.renamingIdentifier, of: attribute.name)
    if let modifier = attribute.versionHashModifier {
      options.append("hashModifier: \(swiftLiteral(modifier))")
    }
    let lacksClass =
      attribute.type == .transformable && (collectionType(attribute) ?? valueClass(of: attribute)) == nil
    var lines = macro("Attribute", options)
    if lacksClass { lines.append("// The model does not name the class of its values.") }
    if let foreign {
      lines.append("// Its type is \(foreign), of another module: write it, `.codable` and the import.")
    }
    return lines + [variable(of: attribute)]
  }

  /// `var name: Type = value`
  func variable(of attribute: AttributeDescription) -> String {
    let value = initialValue(of: attribute).map { " = \($0)" } ?? ""
    return
      "var \(attribute.name.swiftIdentifier()): \(type(of: attribute))\(attribute.isOptional ? "?" : "")\(value)"
  }

  /// The type of its values, which an optional one may be without.
  func type(of attribute: AttributeDescription) -> String {
    if let name = types.enumName(of: attribute) { return name.swiftIdentifier() }
    if let name = attribute.swiftTypeName { return types.foreign(name) }
    if attribute.type == .binary, let name = attribute.attributeValueClassName, types.knows(name) {
      return collectionType(named: name) ?? types.own(name)
    }
    if let type = attribute.type.swiftDataType { return types.foreign(type) }
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

  func initialValue(of attribute: AttributeDescription) -> String? {
    if attribute.defaultValue == .evaluated(.placeholder) { return "<#default#>" }
    guard attribute.hasExpressibleDefault() else { return nil }
    if attribute.defaultValue == .evaluated(.plain) { return plainValue(of: attribute) }
    if case .evaluated(let value)? = attribute.defaultValue {
      return value.swiftType.map { "\(types.foreign($0))()" }
    }
    if attribute.enumTypeName != nil {
      let text = attribute.typedDefaultValue?.text
      // `@Model` takes no value whose type is left out.
      return attribute.enumCases().first { $0.value == text }.map {
        "\(type(of: attribute)).\($0.name.swiftIdentifier())"
      }
    }
    return attribute.typedDefaultValue.map { swiftLiteral(of: $0, as: attribute.type, types.foreign) }
  }

  /// The plainest value of a type, as source; nil if it cannot be told.
  func plainValue(of attribute: AttributeDescription) -> String? {
    if attribute.isOptional { return "nil" }
    if attribute.enumTypeName != nil { return firstCase(of: attribute, type(of: attribute)) }
    let named = attribute.type == .binary ? attribute.attributeValueClassName : nil
    let composite = named.map { name in model.composites.first { $0.name == name } }
    if let composite = composite ?? model.declaredComposite(of: attribute) {
      return plainValue(of: composite)
    }
    if named.flatMap(collectionType(named:)) ?? collectionType(attribute) != nil {
      return attribute.emptyCollection
    }
    guard named == nil else { return nil }
    if let type = EvaluatedDefault(ofNew: attribute.type)?.swiftType { return "\(types.foreign(type))()" }
    if attribute.type == .binary { return "\(types.foreign("Data"))()" }
    return attribute.type.plainDefault.flatMap { AttributeValue(parsing: $0, as: attribute.type) }
      .map { swiftLiteral(of: $0, as: attribute.type, types.foreign) }
  }

  func relationshipLines(_ relationship: RelationshipDescription, of entity: EntityDescription) -> [String] {
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
      options.append("inverse: \\\(destination).\(inverse.swiftIdentifier())")
    }
    if let modifier = relationship.versionHashModifier {
      options.append("hashModifier: \(swiftLiteral(modifier))")
    }
    let type = relationship.isToMany ? "[\(destination)]" : destination
    let value = relationship.isOptional ? "?" : relationship.isToMany ? " = []" : ""
    return macro("Relationship", options) + ["var \(relationship.name.swiftIdentifier()): \(type)\(value)"]
  }

  private func originalName(_ identifier: String?, of name: String) -> [String] {
    identifier.flatMap { $0 == name ? nil : ["originalName: \(swiftLiteral($0))"] } ?? []
  }

  private func macro(_ name: String, _ options: [String]) -> [String] {
    options.isEmpty ? [] : ["@\(types.foreign(name))(\(options.joined(separator: ", ")))"]
  }
}
