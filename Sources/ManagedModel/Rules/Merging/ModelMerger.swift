/// Puts the parts of one model into another one, as `NSManagedObjectModel(byMerging:)` does.
///
/// What both have under one name must say the same in both; then it counts once. Configurations of one name are
/// joined. Relationships and parents may lead from one model into the other.
struct ModelMerger {
  private(set) var model: ManagedObjectModel
  private(set) var diagnostics: [Diagnostic] = []
  let map: SourceMap?

  /// - Parameter modelName: how findings call the other model.
  mutating func merge(_ other: ManagedObjectModel, map otherMap: SourceMap?, modelName: String) {
    let own = Dictionary(firstOf: model.entities.map { ($0.name, $0) })
    for entity in other.entities {
      guard let present = own[entity.name] else {
        model.entities.append(entity)
        continue
      }
      if present.inOrderOfNames != entity.inOrderOfNames {
        let subject = ModelSubject(entity: entity.name)
        diagnostics.append(
          .duplicateEntity, .error,
          "entity '\(entity.name.abridged)' differs between this model and the included model '\(modelName.abridged)'",
          subject: ModelSubject(entity: entity.name), place: map?.nearestRange(to: subject),
          notes: [Diagnostic.Note("there", place: otherMap?.nearestRange(to: subject))],
          help: ["declare it in one of the two, or identically in both"])
      }
    }
    merge(other.composites, into: \.composites, kind: "composite", modelName)
    merge(other.fetchRequestTemplates, into: \.fetchRequestTemplates, kind: "fetch request", modelName)
    mergeConfigurations(of: other)
    for identifier in other.versionIdentifiers where !model.versionIdentifiers.contains(identifier) {
      model.versionIdentifiers.append(identifier)
    }
    model.localizationDictionary.merge(other.localizationDictionary) { own, _ in own }
    model.retired += other.retired.filter { !model.retired.contains($0) }
    model.profile = model.profile ?? other.profile
  }

  private mutating func merge<Part: Renamable & Equatable>(
    _ parts: [Part], into path: WritableKeyPath<ManagedObjectModel, [Part]>, kind: String, _ modelName: String
  ) {
    for part in parts {
      let present = model[keyPath: path].first { $0.name == part.name }
      if present == nil {
        model[keyPath: path].append(part)
      } else if present != part {
        diagnostics.append(
          .duplicateEntity, .error,
          "\(kind) '\(part.name.abridged)' differs between this model and the included model '\(modelName.abridged)'",
          subject: ModelSubject(), place: map?.nearestRange(to: ModelSubject()),
          help: ["rename one of the two, or make them identical"])
      }
    }
  }

  private mutating func mergeConfigurations(of other: ManagedObjectModel) {
    for configuration in other.configurations {
      guard let index = model.configurations.firstIndex(where: { $0.name == configuration.name }) else {
        model.configurations.append(configuration)
        continue
      }
      let known = Set(model.configurations[index].entityNames)
      model.configurations[index].entityNames += configuration.entityNames.filter { !known.contains($0) }
    }
  }
}

extension EntityDescription {
  /// The order of properties is one of the source, not of the entity.
  fileprivate var inOrderOfNames: EntityDescription {
    var entity = self
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    entity.fetchedProperties.sort { $0.name < $1.name }
    entity.fetchIndexes.sort { $0.name < $1.name }
    return entity
  }
}
