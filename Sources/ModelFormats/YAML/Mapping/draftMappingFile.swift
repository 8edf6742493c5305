package import ManagedModel

extension ModelVersion {
  /// What the file of a step's mapping may be called, before its extension: 'A' → '1-2' and 'A-1' → '2' have one name
  /// with a hyphen.
  package func stepNames(to destination: ModelVersion) -> [String] {
    ["-", "-to-"].map { name + $0 + destination.name }
  }

  /// The mapping that inference finds between two versions, as a mapping file to be edited.
  ///
  /// Entities that are the same in both versions are left out: they are inferred as before. Of the others it has the values
  /// that are not simply copied. What would be lost, and what inference refuses, is listed under `undecided:`, which keeps the
  /// file from being used until its author has answered.
  ///
  /// - Parameter schema: the path of the schema, from the file's folder; nil for none.
  package func draftMappingFile(to destination: ModelVersion, schema: String?) -> String {
    var draft = MappingDraft(source: self, destination: destination)
    return draft.text(schema: schema)
  }
}

private struct MappingDraft {
  let source: ModelVersion
  let destination: ModelVersion
  private let mappings: [EntityMapping]
  /// Relationships of the source whose references reach the destination.
  private let carried: [PropertyReference: Set<String>]
  private let findings: [Diagnostic]
  private let sourceHierarchy: EntityHierarchy
  private let destinationHierarchy: EntityHierarchy
  private var undecided: [String] = []

  init(source: ModelVersion, destination: ModelVersion) {
    (self.source, self.destination) = (source, destination)
    let inferred = inferMappingModel(from: source, to: destination)
    (mappings, carried) = (inferred.mappingModel.entityMappings, inferred.mappingModel.carriedRelationships)
    findings = inferred.diagnostics
    sourceHierarchy = EntityHierarchy(source.model)
    destinationHierarchy = EntityHierarchy(destination.model)
  }

  mutating func text(schema: String?) -> String {
    var head = CustomMappingModel(sourceVersionName: source.name, destinationVersionName: destination.name)
    var parts: [String] = []
    for mapping in mappings {
      guard let (written, notes) = part(mapping) else { continue }
      parts.append(text(written, notes))
      if let written { head.entityMappings.append(written) }
    }
    head.undecided = undecided
    head.versionHashes = versionHashes(of: head, from: source, to: destination)
    let names = head.entityMappings
    head.entityMappings = []
    var text = schema.map { schemaComment(path: $0) + "\n" } ?? ""
    text +=
      "# The inferred mapping from \(source.name) to \(destination.name), to be edited. What is removed from this file"
    text += "\n# is inferred again.\n"
    text += writeMappingFile([head])
    // Where all of it is comment, it stands at the margin.
    text += names.isEmpty ? "# entityMappings:\n" : "entityMappings:\n"
    for line in parts.joined().split(separator: "\n") {
      text += (names.isEmpty ? line.drop { $0 == " " } : line) + "\n"
    }
    return text
  }

  private func text(_ mapping: CustomEntityMapping?, _ notes: [String]) -> String {
    let comments = notes.map { "  # \($0)\n" }.joined()
    guard let mapping else { return comments }
    var model = CustomMappingModel(sourceVersionName: "a", destinationVersionName: "b")
    model.entityMappings = [mapping]
    let lines = writeMappingFile([model]).split(separator: "\n", omittingEmptySubsequences: false).dropFirst(
      3)
    return comments + lines.joined(separator: "\n")
  }

  /// Nil for an entity of which nothing is to be said.
  private mutating func part(_ mapping: EntityMapping) -> (CustomEntityMapping?, [String])? {
    switch (mapping.sourceEntityName, mapping.destinationEntityName) {
    case (nil, let name?):
      guard destinationHierarchy.entity(named: name)?.isAbstract == false else { return nil }
      return (
        nil,
        [
          "new: '\(name)' starts empty; only a mapping with a source: gives it objects",
          "\(name): {source: …, destination: \(name)}",
        ]
      )
    case (let name?, nil):
      guard sourceHierarchy.entity(named: name)?.isAbstract == false else { return nil }
      decide(
        "the objects of '\(name)' are dropped; if that is intended: '\(name): {source: \(name), drop: true}'")
      return (nil, [])
    case (let from?, let to?):
      guard mapping.mappingType != .copy, destinationHierarchy.entity(named: to)?.isAbstract == false else {
        return nil
      }
      return transformed(mapping, from, to)
    default: return nil
    }
  }

  private mutating func transformed(
    _ mapping: EntityMapping, _ from: String, _ to: String
  ) -> (CustomEntityMapping?, [String]) {
    var written = CustomEntityMapping(
      name: "\(from)To\(to)", sourceEntityName: from, destinationEntityName: to)
    var notes: [String] = []
    for property in mapping.attributeMappings {
      guard let attribute = destinationHierarchy.attribute(named: property.name, of: to), !attribute.isDerived
      else { continue }
      if let refusal = findings.first(where: { isAbout($0, property.name, of: to) && $0.severity == .error })
      {
        decide(refusal.message)
        notes.append("\(property.name): … $source.\(property.value.sourceName ?? property.name)")
      } else if let expression = expression(property.value, property.name) {
        written.attributeMappings.append(CustomPropertyMapping(name: property.name, expression: expression))
      } else if property.value.sourceName == nil {
        let begins =
          attribute.defaultValue?.text.map { "starts with its default, \($0.isEmpty ? "''" : $0)" }
          ?? "starts without a value"
        notes.append(
          attribute.isOptional || attribute.defaultValue != nil
            ? "new: '\(property.name)' \(begins)"
            : "new: '\(property.name)' is required and has no default; give it a value under 'attributes:'")
      }
    }
    for property in mapping.relationshipMappings where !property.hasSource {
      guard let relationship = destinationHierarchy.relationship(named: property.name, of: to) else {
        continue
      }
      notes.append(
        "new: '\(property.name)'\(relationship.isOptional ? "" : " is required and") has no value yet")
    }
    let lost = sourceHierarchy.members(of: from).filter {
      !$0.isDerived && !mapping.carries(sourceProperty: $0.name)
    }
    let cut = sourceHierarchy.relationships(of: from).filter { goesNowhere($0, of: from) }
    for (what, property) in lost.map({ ("values", $0.name) }) + cut.map({ ("links", $0.name) }) {
      let owner = sourceHierarchy.declaringEntityName(of: property, seenFrom: from) ?? from
      let name = "\(owner).\(property)"
      decide(
        "the \(what) of '\(name)' are not used: use them in a value, or accept it with 'drops: [\(name)]' next to 'entityMappings'"
      )
    }
    return (written, notes)
  }

  /// Whether neither side of a relationship comes to the destination, though what it leads to does.
  private func goesNowhere(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    if relationship.isTransient { return false }
    let others = sourceHierarchy.descendantNames(includingSelf: relationship.destinationEntityName)
    guard
      others.contains(where: { name in
        mappings.contains { $0.sourceEntityName == name && $0.destinationEntityName != nil }
      })
    else { return false }
    let inverse = sourceHierarchy.inverse(of: relationship)?.name
    return carried[PropertyReference(entity: entity, property: relationship.name)] == nil
      && !others.contains { other in
        inverse.flatMap { carried[PropertyReference(entity: other, property: $0)] }?.contains(entity) == true
      }
  }

  /// Heirs have the questions of what they inherit, which are asked once.
  private mutating func decide(_ question: String) {
    if !undecided.contains(question) { undecided.append(question) }
  }

  private func isAbout(_ finding: Diagnostic, _ property: String, of entity: String) -> Bool {
    guard finding.subject?.property == property, let owner = finding.subject?.entity else { return false }
    return destinationHierarchy.isKind(entity, of: owner)
  }

  /// Nil if the value is the source's of the same name, or none.
  private func expression(_ value: PropertyMappingValue, _ name: String) -> String? {
    switch value {
    case .source(let old): return old == name ? nil : path(old)
    case .converted(let inner, _, _): return expression(inner, "") ?? path(name)
    case .defaulted(let inner, let fallback):
      guard let text = literal(fallback) else { return nil }
      return "coalesce(\(expression(inner, "") ?? path(name)), \(text))"
    case .constant, .expression: return nil
    }
  }

  private func path(_ name: String) -> String {
    Expression.keyPath(keys(of: name), of: .variable("source")).description
  }

  private func literal(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .boolean(let flag): flag ? "YES" : "NO"
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .binary: nil
    default: Expression.constant(.string(value.text)).description
    }
  }
}
