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
            instead: "no property can have this name: it is '\(other)', with the old name as `originalName`"
          ) { $0.rename(name, of: entity.name, to: other) })
      }
    }
    for name in types {
      guard let other = unlike(name, name.plainSwiftName(taken: takenTypes), types) else { continue }
      facts.append(
        InexpressibleFact(
          subject: ModelSubject(entity: name), what: "'\(name)' under its name",
          instead: "no class can have this name: it is '\(other)', and stores of '\(name)' do not match it"
        ) { $0.rename(name, to: other) })
    }
    return facts
  }

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
    entities.editEach { entity in
      if entity.name == name { entity.name = other }
      if entity.superentityName == name { entity.superentityName = other }
      entity.relationships.editEach { relationship in
        if relationship.destinationEntityName == name { relationship.destinationEntityName = other }
      }
      entity.attributes.editEach { $0.renameType(name, to: other) }
    }
    codings[other] = codings[name]
    composites.editEach { composite in
      if composite.name == name { composite.name = other }
      composite.elements.editEach { $0.renameType(name, to: other) }
    }
  }

  /// Renames a property, and what its entity and those below it say of it.
  fileprivate mutating func rename(_ name: String, of owner: String, to other: String) {
    let hierarchy = EntityHierarchy(self)
    func renamed(_ path: String) -> String {
      path == name ? other : path.hasPrefix(name + ".") ? other + path.dropFirst(name.count) : path
    }
    entities.editEach { entity in
      entity.relationships.editEach {
        if $0.inverseName == name,
          hierarchy.declaringEntityName(of: name, seenFrom: $0.destinationEntityName) == owner
        {
          $0.inverseName = other
        }
      }
      guard hierarchy.isKind(entity.name, of: owner) else { return }
      entity.uniquenessConstraints = entity.uniquenessConstraints.map { $0.map(renamed) }
      entity.fetchIndexes.editEach { index in
        index.elements.editEach { $0.property = renamed($0.property) }
      }
    }
    change(name, of: owner, in: \.attributes) { ($0.renamingIdentifier, $0.name) = ($0.canonicalName, other) }
    change(name, of: owner, in: \.relationships) {
      ($0.renamingIdentifier, $0.name) = ($0.canonicalName, other)
    }
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

extension AttributeDescription {
  /// Gives the type of its values another name, where they are of that one.
  fileprivate mutating func renameType(_ name: String, to other: String) {
    if compositeName == name { compositeName = other }
    if attributeValueClassName == name { attributeValueClassName = other }
  }
}
