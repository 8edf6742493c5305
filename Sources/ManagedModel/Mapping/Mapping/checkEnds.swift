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
        let (name, earlier) = (mapping.name, other.name)
        let finding = Diagnostic.impossible(
          "'\(property.name)' of mapping '\(name)' is the inverse of what '\(earlier)' sets, but leads to none of its objects: the links that '\(earlier)' sets would be lost",
          help: "set the relationship from one end in all mappings, or write '\(name)' before '\(earlier)'")
        report(finding, MappingPlace(model, written, destination.name), property.name)
      }
    }
  }

  /// Whether what a mapping sets holds none of the objects that an earlier one has linked to its own. A policy may link
  /// others.
  private func replaces(
    _ property: PropertyMapping, of mapping: EntityMapping, _ earlier: EntityMapping
  ) -> Bool {
    guard mapping.policyName == nil, earlier.policyName == nil,
      let entity = mapping.destinationEntityName, let other = earlier.destinationEntityName,
      let relationship = destinationHierarchy.relationship(named: property.name, of: entity),
      let inverse = destinationHierarchy.inverse(of: relationship),
      destinationHierarchy.isKind(other, of: relationship.destinationEntityName),
      case .expression(let own) = property.value, let lookup = own.lookup, lookup.mapping != earlier.name
    else { return false }
    switch earlier.propertyMapping(named: inverse.name)?.value {
    case .expression(let linked)?: return linked.lookup?.mapping == mapping.name
    case .source(let name)?:
      let old = sourceHierarchy.relationship(named: name, of: earlier.sourceEntityName ?? "")
      return old.map { sourceHierarchy.isKind(mapping.sourceEntityName ?? "", of: $0.destinationEntityName) }
        ?? false
    case .constant, .converted, .defaulted, nil: return false
    }
  }
}
