extension MappingResolution {
  /// Two mappings that link the two ends of one relationship to different objects: the later one takes the place of what
  /// the earlier one has set, as in Core Data.
  ///
  /// For example, `Doc` gives `up` the `Folder` that it was in, and `Folder` then gives `down`, the inverse, the folders in
  /// it: no document is among them, so all documents leave their folders.
  mutating func checkEnds() {
    for (model, written) in mappingModels.flatMap({ model in model.entityMappings.map { (model, $0) } }) {
      guard let place = entityMappings.firstIndex(where: { $0.name == written.name }) else { continue }
      let mapping = entityMappings[place]
      for property in mapping.relationshipMappings {
        let other = entityMappings[..<place].first { replaces(property, of: mapping, $0) }
        guard let other else { continue }
        let finding = Diagnostic.replacesLinks(property.name, of: mapping.name, other.name)
        report(finding, MappingPlace(model, written, destination.name), property.name)
      }
    }
  }

  /// Whether what a mapping sets holds none of the objects that an earlier one has linked to its own.
  private func replaces(
    _ property: PropertyMapping, of mapping: EntityMapping, _ earlier: EntityMapping
  ) -> Bool {
    guard let inverse = inverse(of: property, mapping, earlier), case .expression(let own) = property.value,
      let lookup = own.lookup, lookup.mapping != earlier.name
    else { return false }
    if case .expression(let linked)? = earlier.propertyMapping(named: inverse.name)?.value {
      return linked.lookup?.mapping == mapping.name
    }
    return copies(inverse, earlier, from: mapping)
  }

  /// The other end of what a mapping sets, where another mapping makes objects that have it. A policy may link others.
  private func inverse(
    of property: PropertyMapping, _ mapping: EntityMapping, _ other: EntityMapping
  ) -> RelationshipDescription? {
    guard mapping.policyName == nil, other.policyName == nil, let entity = mapping.destinationEntityName,
      let relationship = destinationHierarchy.relationship(named: property.name, of: entity),
      destinationHierarchy.isKind(other.destinationEntityName ?? "", of: relationship.destinationEntityName)
    else { return nil }
    return destinationHierarchy.inverse(of: relationship)
  }

  /// Whether a mapping takes a relationship over that led to objects of another mapping's source.
  private func copies(
    _ relationship: RelationshipDescription, _ owner: EntityMapping, from mapping: EntityMapping
  ) -> Bool {
    guard case .source(let name)? = owner.propertyMapping(named: relationship.name)?.value,
      let old = sourceHierarchy.relationship(named: name, of: owner.sourceEntityName ?? "")
    else { return false }
    return sourceHierarchy.isKind(mapping.sourceEntityName ?? "", of: old.destinationEntityName)
  }
}

extension Diagnostic {
  fileprivate static func replacesLinks(_ property: String, of mapping: String, _ earlier: String) -> Self {
    .impossible(
      "'\(property)' of mapping '\(mapping)' replaces the links that '\(earlier)' has made to the same objects, and leads to none of them: the links would be lost",
      help: "set the relationship from one end in all mappings, or write '\(mapping)' before '\(earlier)'")
  }
}
