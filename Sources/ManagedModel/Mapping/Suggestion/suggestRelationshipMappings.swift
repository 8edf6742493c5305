extension MappingSuggestion {
  mutating func mapRelationship(
    _ relationship: RelationshipDescription, _ code: Diagnostic.Code, of entity: String
  ) {
    switch code {
    case .missingRelationshipValues: require(relationship, of: entity)
    case .toManyBecomesToOne: chooseOne(relationship, of: entity)
    case .relationshipDestinationChanged: convertDestination(relationship, of: entity)
    case .relationshipBecomesOwnInverse, .brokenRenameChain: follow(relationship, of: entity)
    default: return
    }
  }

  /// Leaves out objects whose required relationship would be empty, where the old relationship says which they are.
  private mutating func require(_ relationship: RelationshipDescription, of entity: String) {
    for index in mappings(toHeirsOf: entity) {
      guard let old = past(of: relationship, at: index) else {
        usePolicy(index)
        continue
      }
      let condition = old.isToMany ? "\(old.name).@count > 0" : "\(old.name) != nil"
      entityMappings[index].filter = condition
    }
  }

  /// Of several objects the first stays: by place where they are ordered, else by primary key.
  private mutating func chooseOne(_ relationship: RelationshipDescription, of entity: String) {
    // Where the relationship stays to-many, its inverse is what holds one object from now on.
    if relationship.isToMany {
      guard let inverse = destination.inverse(of: relationship), !inverse.isToMany else {
        for index in mappings(toHeirsOf: entity) { usePolicy(index) }
        return
      }
      return chooseOne(inverse, of: relationship.destinationEntityName)
    }
    for index in mappings(toHeirsOf: entity) {
      guard let old = past(of: relationship, at: index) else {
        usePolicy(index)
        continue
      }
      let value = old.isToMany ? "$source.\(old.name)[FIRST]" : "$source.\(old.name)"
      set(relationship.name, old.name.relationshipLookup(of: value), \.relationshipMappings, of: index)
    }
    // The other side follows from this one.
    guard let inverse = destination.inverse(of: relationship), inverse != relationship else { return }
    for index in mappings(toHeirsOf: relationship.destinationEntityName) {
      set(inverse.name, nil, \.relationshipMappings, of: index)
    }
  }

  /// The relationship's old destination becomes its new one: an object of the new entity for each of the old one's.
  private mutating func convertDestination(_ relationship: RelationshipDescription, of entity: String) {
    if isShared(relationship, of: entity) { return }
    let target = relationship.destinationEntityName
    for index in mappings(toHeirsOf: entity) {
      guard let old = past(of: relationship, at: index) else { continue }
      for name in [old.destinationEntityName, pairs[target]].compactMap(\.self) {
        // What a mapping names is no longer inferred, so both entities' own mappings are stated too.
        for (heir, own) in pairs where own == name { _ = mapping(from: own, to: heir) }
      }
      let conversion = mapping(from: old.destinationEntityName, to: target)
      set(
        relationship.name,
        "destinationInstances(\"\(entityMappings[conversion].name)\", $source.\(old.name))",
        \.relationshipMappings, of: index)
    }
  }

  /// Whether another relationship leads to objects of the new destination and to what the old one's objects become by
  /// themselves: it would get both.
  private func isShared(_ own: RelationshipDescription, of entity: String) -> Bool {
    let target = own.destinationEntityName
    let former = pairs[entity].flatMap { past(of: own, among: source.relationships(of: $0)) }
    let heirs = pairs.filter { $0.value == former?.destinationEntityName && $0.key != target }.keys
    let declaring = destination.declaringEntityName(of: own.name, seenFrom: entity)
    return destination.model.entities.contains { holder in
      holder.relationships.contains { other in
        (other != own || holder.name != declaring)
          && destination.isKind(target, of: other.destinationEntityName)
          && heirs.contains { destination.isKind($0, of: other.destinationEntityName) }
      }
    }
  }

  /// The same objects as before, whatever the two models make of the names.
  private mutating func follow(_ relationship: RelationshipDescription, of entity: String) {
    for index in mappings(toHeirsOf: entity) {
      guard let old = past(of: relationship, at: index) else { continue }
      set(relationship.name, old.name.relationshipLookup(), \.relationshipMappings, of: index)
    }
  }

  private func past(of relationship: RelationshipDescription, at index: Int) -> RelationshipDescription? {
    guard let sourceName = entityMappings[index].sourceEntityName else { return nil }
    return past(of: relationship, among: source.relationships(of: sourceName).filter { !$0.isTransient })
  }
}
