import ManagedModel

extension ManagedObjectModel {
  /// Names that no class and no stored property of a `@Model` can have, and those that stand for them.
  func inexpressibleNames() -> [InexpressibleFact] {
    let hierarchy = EntityHierarchy(self)
    var facts: [InexpressibleFact] = []
    let types = entities.map(\.name) + composites.map(\.name)
    for entity in entities {
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      let known =
        hierarchy.attributes(of: entity.name).map(\.name)
        + hierarchy.relationships(of: entity.name).map(\.name)
      for name in names {
        guard let other = unlike(name, name.plainSwiftName(taken: takenMembers), known) else { continue }
        facts.append(
          InexpressibleFact(
            subject: ModelSubject(entity: entity.name, property: name),
            what: "'\(entity.name).\(name)' under its name",
            instead: "no property should be called so: it is '\(other)', with the name as its original one"
          ) { $0.rename(name, of: entity.name, to: other) })
      }
    }
    for name in types {
      guard let other = unlike(name, name.plainSwiftName(taken: takenTypes), types) else { continue }
      facts.append(
        InexpressibleFact(
          subject: ModelSubject(entity: name), what: "'\(name)' under its name",
          instead: "no class is called so: it is '\(other)', which a store of '\(name)' does not lead to"
        ) { $0.rename(name, to: other) })
    }
    return facts
  }
}

/// Another name than the one that Swift refuses; nil if it does not.
private func unlike(_ name: String, _ plain: String, _ known: [String]) -> String? {
  guard plain != name else { return nil }
  var other = plain
  while known.contains(other) { other += "_" }
  return other
}

/// The members of a `VersionedSchema`.
let takenTypes: Set<String> = ["models", "versionIdentifier"]

extension ManagedObjectModel {
  /// What every `@Model` has already, or Swift takes for something else; but for two, a source that has one shows that it
  /// can be stored.
  var takenMembers: Set<String> {
    editorSettings.usedWithSwiftData
      ? ["self", "description"]
      : [
        "self", "description", "debugDescription", "hash", "hashValue", "persistentModelID", "modelContext",
        "persistentBackingData", "schemaMetadata", "hasChanges", "isDeleted",
      ]
  }

  fileprivate mutating func rename(_ name: String, to other: String) {
    for place in entities.indices {
      if entities[place].name == name { entities[place].name = other }
      if entities[place].superentityName == name { entities[place].superentityName = other }
      for index in entities[place].relationships.indices
      where entities[place].relationships[index].destinationEntityName == name {
        entities[place].relationships[index].destinationEntityName = other
      }
      changeComposites(&entities[place].attributes, name, other)
    }
    codings[other] = codings[name]
    for place in composites.indices {
      if composites[place].name == name { composites[place].name = other }
      changeComposites(&composites[place].elements, name, other)
    }
  }

  private func changeComposites(_ attributes: inout [AttributeDescription], _ name: String, _ other: String) {
    for index in attributes.indices {
      if attributes[index].compositeName == name { attributes[index].compositeName = other }
      if attributes[index].attributeValueClassName == name {
        attributes[index].attributeValueClassName = other
      }
    }
  }

  /// Renames a property, and what its entity and those below it say of it.
  fileprivate mutating func rename(_ name: String, of owner: String, to other: String) {
    let hierarchy = EntityHierarchy(self)
    func renamed(_ path: String) -> String {
      path == name ? other : path.hasPrefix(name + ".") ? other + path.dropFirst(name.count) : path
    }
    for place in entities.indices {
      for index in entities[place].relationships.indices
      where entities[place].relationships[index].inverseName == name {
        let destination = entities[place].relationships[index].destinationEntityName
        if hierarchy.declaringEntityName(of: name, seenFrom: destination) == owner {
          entities[place].relationships[index].inverseName = other
        }
      }
      guard hierarchy.isKind(entities[place].name, of: owner) else { continue }
      entities[place].uniquenessConstraints = entities[place].uniquenessConstraints.map { $0.map(renamed) }
      for index in entities[place].fetchIndexes.indices {
        for element in entities[place].fetchIndexes[index].elements.indices {
          let property = entities[place].fetchIndexes[index].elements[element].property
          entities[place].fetchIndexes[index].elements[element].property = renamed(property)
        }
      }
    }
    change(name, of: owner, in: \.attributes) { ($0.renamingIdentifier, $0.name) = ($0.canonicalName, other) }
    change(name, of: owner, in: \.relationships) {
      ($0.renamingIdentifier, $0.name) = ($0.canonicalName, other)
    }
  }
}
