extension [Diagnostic] {
  /// A custom mapping model for what inference, or the rows of a store, refuse. It has the entity mappings that the
  /// refusals need and no others; the rest is inferred.
  ///
  /// It is a draft that says what it does to every object. Where no expression can give a value, it names a policy that
  /// has to be written.
  ///
  /// - Parameters:
  ///   - source: the version before the step.
  ///   - destination: the version after it.
  ///   - dateFormats: by `Entity.attribute` of the destination, the format of texts that become dates, where it is known.
  /// - Returns: nil if a mapping helps none of them.
  package func suggestedMapping(
    from source: ModelVersion, to destination: ModelVersion, dateFormats: [String: String] = [:]
  ) -> CustomMappingModel? {
    var suggestion = MappingSuggestion(source: source, destination: destination)
    suggestion.dateFormats = dateFormats
    for refusal in self { suggestion.answer(refusal) }
    if suggestion.entityMappings.isEmpty { return nil }
    return CustomMappingModel(
      sourceVersionName: source.name, destinationVersionName: destination.name,
      entityMappings: suggestion.entityMappings)
  }
}

/// The work in progress: one entity mapping for each pair of entities.
struct MappingSuggestion {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// Destination entity → source entity.
  let pairs: [String: String]
  var entityMappings: [CustomEntityMapping] = []
  var dateFormats: [String: String] = [:]

  init(source: ModelVersion, destination: ModelVersion) {
    self.source = EntityHierarchy(source.model)
    self.destination = EntityHierarchy(destination.model)
    pairs = matchNames(from: source.model.entities, to: destination.model.entities).sourceNames
  }

  mutating func answer(_ refusal: Diagnostic) {
    guard let entity = refusal.subject?.entity else { return }
    if refusal.code == .droppedData, let name = refusal.subject?.property,
      let attribute = source.attribute(named: name, of: entity)
    {
      return move(attribute, of: entity)
    }
    guard destination.entity(named: entity) != nil else { return }
    switch (refusal.code, refusal.subject?.property) {
    // Tables that become one: every entity of the hierarchy is copied, with new keys where two had the same.
    case (.hierarchyMerge, _): _ = mappings(toHeirsOf: entity)
    case (.abstractEntityWithRows, nil): moveToChild(entity)
    case (.duplicateValues, nil): group(entity)
    case (.brokenRenameChain, nil), (.ambiguousRenaming, nil): renameEntity(entity)
    case (_, let property?): answer(refusal.code, property, of: entity)
    default: return
    }
  }

  private mutating func answer(_ code: Diagnostic.Code, _ property: String, of entity: String) {
    if let attribute = destination.attribute(named: property, of: entity) {
      let codes: Set<Diagnostic.Code> = [
        .incompatibleAttributeTypes, .missingAttributeValues, .numericNarrowing, .storageFormChanged,
        .brokenRenameChain, .ambiguousRenaming,
      ]
      if codes.contains(code) { mapAttribute(attribute, code, of: entity) }
    } else if let relationship = destination.relationship(named: property, of: entity) {
      mapRelationship(relationship, code, of: entity)
    }
  }

  /// The mappings to the entity and those below it that have objects, by their index.
  ///
  /// An inherited property has to be mapped for every heir: entity mappings inherit nothing.
  mutating func mappings(toHeirsOf entity: String) -> [Int] {
    destination.descendantNames(includingSelf: entity).compactMap { name in
      guard destination.entity(named: name)?.isAbstract == false, let sourceName = pairs[name] else {
        return nil
      }
      return mapping(from: sourceName, to: name)
    }
  }

  mutating func mapping(from sourceName: String, to name: String) -> Int {
    let known = entityMappings.firstIndex {
      $0.sourceEntityName == sourceName && $0.destinationEntityName == name
    }
    if let known { return known }
    entityMappings.append(
      CustomEntityMapping(
        name: "\(sourceName)To\(name)", sourceEntityName: sourceName, destinationEntityName: name))
    return entityMappings.count - 1
  }

  mutating func set(
    _ name: String, _ expression: String?,
    _ list: WritableKeyPath<CustomEntityMapping, [CustomPropertyMapping]> = \.attributeMappings, of index: Int
  ) {
    entityMappings[index][keyPath: list].removeAll { $0.name == name }
    entityMappings[index][keyPath: list].append(CustomPropertyMapping(name: name, expression: expression))
  }

  /// Where no expression can tell the value, a policy has to.
  mutating func usePolicy(_ index: Int) {
    let name = entityMappings[index].destinationEntityName ?? ""
    entityMappings[index].policyName = entityMappings[index].policyName ?? "\(name)MigrationPolicy"
  }

  /// The source's property that the destination's continues, or would continue if its renaming identifier were
  /// whole: by canonical name, else by the name that the identifier says, else by its own name.
  func past<Item: Renamable>(of item: Item, among candidates: [Item]) -> Item? {
    candidates.first { $0.canonicalName == item.canonicalName }
      ?? candidates.first { $0.name == item.canonicalName } ?? candidates.first { $0.name == item.name }
  }
}
