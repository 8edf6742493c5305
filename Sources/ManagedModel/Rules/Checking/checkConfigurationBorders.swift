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
    var findings: [Diagnostic] = []
    for entity in model.entities {
      guard let here = homes[entity.name] else { continue }
      for relationship in entity.relationships where !relationship.isTransient {
        guard let there = homes[relationship.destinationEntityName], here.isDisjoint(with: there) else {
          continue
        }
        findings.append(.crossing(relationship, of: entity.name, here, there))
      }
    }
    return findings
  }
}

extension Diagnostic.Code {
  package static let crossesConfigurations = Self(
    "MC1702", accepted: .init("relationships from one configuration to another", "kept as they are"))
}

extension Diagnostic {
  fileprivate static func crossing(
    _ relationship: RelationshipDescription, of entity: String, _ here: Set<String>, _ there: Set<String>
  ) -> Diagnostic {
    let destination = relationship.destinationEntityName
    return Diagnostic(
      .crossesConfigurations, .error,
      "'\(entity).\(relationship.name)' leads to '\(destination)', which no configuration holds together with '\(entity)'",
      subject: ModelSubject(
        entity: entity, property: relationship.name, key: relationship.isToMany ? "toMany" : "to"),
      notes: [
        "'\(entity)' is in \(here.sorted().quotedList), '\(destination)' in \(there.sorted().quotedList)",
        "a relationship cannot leave its store",
      ],
      help: ["put both in one configuration, or use a fetched property"])
  }
}
