extension ModelIndex {
  /// Configurations name entities that exist and keep families together: parent and child share a table, so one
  /// store must hold both (MC1701).
  func checkConfigurations() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for configuration in model.configurations {
      let subject = ModelSubject(key: "configurations").part(configuration.name)
      if configuration.name.isEmpty || configuration.name.unicodeScalars.contains(where: { $0.value < 0x20 })
      {
        findings.append(.invalidName(configuration.name, "a configuration's name", subject))
      }
      let members = Set(configuration.entityNames)
      for (position, name) in configuration.entityNames.enumerated() where !findings.isFull {
        if !hasEntity(named: name) {
          findings.append(
            Diagnostic(
              .configurationMember, .error,
              "configuration '\(configuration.name)' names '\(name.abridged)', which does not exist",
              subject: subject.element(position)
            ).suggesting(nearestTo: name, among: entityNames))
        } else if let parent = hierarchy.superentityName(of: name), !members.contains(parent) {
          findings.append(
            .configurationMember, .error,
            "configuration '\(configuration.name)' contains '\(name)' without its parent '\(parent)'",
            subject: subject, notes: ["both are stored in one table"],
            edits: [ModelEdit("add '\(parent)'", at: subject, .append(.text(parent)))],
            help: ["add '\(parent)', or remove '\(name)'"])
        }
      }
    }
    return findings
  }

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
  package static let configurationMember = Self(
    "MC1701",
    accepted: .init("configurations that name what does not exist, or no parent of an entity", "ignored"))
  package static let crossesConfigurations = Self(
    "MC1702", accepted: .init("relationships from one configuration to another", "kept as they are"))
}
