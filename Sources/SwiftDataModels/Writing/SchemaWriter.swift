import ManagedModel

/// Writes a version as an enum with nested types.
struct SchemaWriter {
  let model: ManagedObjectModel
  let schema: SchemaNames.Schema
  let hierarchy: EntityHierarchy
  let pairs: RelationshipPairs
  let types: TypeNames
  let enums: EnumNames

  /// - Parameter model: one that is ``expressible(_:)``.
  init(_ model: ManagedObjectModel, _ schema: SchemaNames.Schema) {
    (self.model, self.schema) = (model, schema)
    hierarchy = EntityHierarchy(model)
    pairs = RelationshipPairs(model)
    enums = EnumNames(model)
    types = TypeNames(model, enums)
  }

  func text(_ comment: String?) -> String {
    let numbers = schema.numbers.map(String.init).joined(separator: ", ")
    let classes = listLines(model.entities.map { "\(types.own($0.name)).self" })
    var lines = [
      "static let versionIdentifier = \(types.foreign("Schema")).Version(\(numbers))", "",
      "static var models: [any \(types.foreign("PersistentModel")).Type] {",
    ]
    lines += indented(classes) + ["}"]
    for (name, attribute) in enums.all { lines += [""] + enumLines(name, of: attribute) }
    for composite in model.composites where !isDeclaredDifferently(composite) {
      lines += [""] + structLines(composite)
    }
    for entity in model.entities { lines += [""] + classLines(entity) }
    let head = (comment.map { ["/// \(visible($0))"] } ?? []) + ["enum \(schema.name): VersionedSchema {"]
    return (head + indented(lines) + ["}", ""]).joined(separator: "\n")
  }

  /// Whether all properties of the composite are written with the type that it was made of.
  private func isDeclaredDifferently(_ composite: CompositeDescription) -> Bool {
    let holders = model.entities.flatMap(\.attributes).filter { $0.compositeName == composite.name }
    return !holders.isEmpty && holders.allSatisfy { model.declaredComposite(of: $0)?.name != composite.name }
  }

  /// A composite.
  private func structLines(_ composite: CompositeDescription) -> [String] {
    let name = types.own(composite.name)
    if let raw = composite.rawValue { return enumLines(composite.name, of: raw) }
    if composite.isChoice {
      let cases = composite.elements.map { "case \(swiftIdentifier($0.name))" }
      return ["enum \(name): \(types.foreign("Codable")) {"] + indented(cases) + ["}"]
    }
    let members = composite.elements.map { variable(of: $0) }
    return ["struct \(name): \(types.foreign("Codable")) {"] + indented(members) + ["}"]
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
    let constraints = entity.uniquenessConstraints.filter { !isOption($0, of: entity) }
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

  /// Whether the constraint is one of a single attribute, which says so itself.
  func isOption(_ constraint: [String], of entity: EntityDescription) -> Bool {
    constraint.count == 1 && entity.attributes.contains { $0.name == constraint[0] }
  }

  private func keyPaths(_ names: [String], of entity: EntityDescription) -> String {
    let paths = names.map { name in
      var path = "\\"
      let parts = keys(of: name)
      for index in parts.indices {
        path += ".\(swiftIdentifier(parts[index]))"
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

/// Four spaces in front, as Xcode has them.
func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    \($0)" } }

extension FetchIndexDescription {
  fileprivate var isArea: Bool { elements.first?.collation == .rtree }
}
