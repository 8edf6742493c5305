extension ModelIndex {
  /// Relationships stay within the configurations (MC1702): no store can hold a link to an object of another one.
  ///
  /// The border is crossed where the two entities are in configurations, and in none together.
  func checkConfigurationBorders() -> [Diagnostic] {
    guard !model.configurations.isEmpty else { return [] }
    var homes: [String: Set<String>] = [:]
    for configuration in model.configurations {
      for entity in configuration.entityNames { homes[entity, default: []].insert(configuration.name) }
    }
    return model.entities.flatMap { entity -> [Diagnostic] in
      guard let here = homes[entity.name] else { return [] }
      return entity.relationships.compactMap { relationship in
        guard !relationship.isTransient, let there = homes[relationship.destinationEntityName],
          here.isDisjoint(with: there)
        else { return nil }
        let (owner, destination) = (entity.name, relationship.destinationEntityName)
        let checked = CheckedRelationship(relationship: relationship, owner: owner)
        return Diagnostic(
          .crossesConfigurations, .error,
          "\(checked.quotedName) leads to '\(destination)', but no configuration contains both '\(owner)' and '\(destination)'",
          subject: checked.destinationSubject,
          notes: [
            "'\(owner)' is in \(here.sorted().quotedList), '\(destination)' in \(there.sorted().quotedList)",
            "a relationship cannot lead to another store",
          ],
          help: ["put both in one configuration, or use a fetched property"])
      }
    }
  }
}

extension Diagnostic.Code {
  package static let crossesConfigurations = Self(
    "MC1702", accepted: .init("relationships from one configuration to another", "kept as they are"))
}
