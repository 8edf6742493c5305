extension MappingSuggestion {
  /// Objects of an entity that becomes abstract go to the first of its children; the children's own go on.
  mutating func moveToChild(_ entity: String) {
    let children = destination.descendantNames(includingSelf: entity).dropFirst()
      .filter { destination.entity(named: $0)?.isAbstract == false }
    guard let sourceName = pairs[entity], let child = children.first else { return }
    if let own = pairs[child] { _ = mapping(from: own, to: child) }
    _ = mapping(from: sourceName, to: child)
  }

  /// One object of each group of duplicates stays, and references to the others follow it.
  mutating func group(_ entity: String) {
    let former = pairs[entity].flatMap { source.entity(named: $0) }?.uniquenessConstraints ?? []
    let constraints = destination.entity(named: entity)?.uniquenessConstraints ?? []
    guard let constraint = constraints.first(where: { !former.contains($0) }) ?? constraints.first else {
      return
    }
    for index in mappings(toHeirsOf: entity) {
      guard let sourceName = entityMappings[index].sourceEntityName else { continue }
      let keys = constraint.compactMap { name -> String? in
        if let new = destination.attribute(named: name, of: entity) {
          return past(of: new, among: source.members(of: sourceName))?.name
        }
        guard let new = destination.relationship(named: name, of: entity) else { return nil }
        return past(of: new, among: source.relationships(of: sourceName))?.name
      }
      setGrouping(keys.map { "$source.\($0)" }, of: index)
    }
  }

  private mutating func setGrouping(_ keys: [String], of index: Int) {
    // A constant does not tell objects apart: then a policy has to give each a value of its own.
    if keys.isEmpty { return usePolicy(index) }
    entityMappings[index].groupBy = keys
    entityMappings[index].keep = .first
  }

  /// What a broken chain of renames, or two claims to one name, leave open: which entity continues which.
  mutating func renameEntity(_ entity: String) {
    guard let new = destination.entity(named: entity), let old = past(of: new, among: source.model.entities)
    else { return }
    _ = mapping(from: old.name, to: entity)
  }

  /// A value whose attribute goes, where a new entity beside it has one of its type: each object with a value gets an object
  /// of the new entity, which takes it.
  mutating func move(_ attribute: AttributeDescription, of entity: String) {
    for name in source.descendantNames(includingSelf: entity)
    where source.entity(named: name)?.isAbstract == false {
      guard let heir = pairs.first(where: { $0.value == name })?.key,
        let new = newAttribute(for: attribute, besides: heir)
      else { continue }
      let own = mapping(from: name, to: heir)
      let index = mapping(from: name, to: new.entity)
      // Another value has the place already.
      if entityMappings[index].attributeMappings.contains(where: { $0.name == new.attribute.name }) {
        continue
      }
      if destination.entity(named: new.entity)?.uniquenessConstraints.contains([new.attribute.name]) == true {
        setGrouping(["$source.\(attribute.name)"], of: index)
      }
      if attribute.isOptional {
        let condition = "\(attribute.name) != nil"
        entityMappings[index].filter =
          entityMappings[index].filter.map { "\($0) OR \(condition)" } ?? condition
      }
      set(new.attribute.name, "$source.\(attribute.name)", of: index)
      setRequiredAttributes(of: index, from: name, to: new.entity)
      let (maker, holder) = new.isOwn ? (own, index) : (index, own)
      set(
        new.relationship.name, "destinationInstances(\"\(entityMappings[maker].name)\", $source)",
        \.relationshipMappings, of: holder)
    }
  }

  /// Where a value can go; nil if there is no place, or more than one.
  private func newAttribute(for attribute: AttributeDescription, besides entity: String) -> NewAttribute? {
    let candidates = destination.model.entities.flatMap { new -> [NewAttribute] in
      guard pairs[new.name] == nil, !new.isAbstract else { return [] }
      let back = destination.relationships(of: new.name).first {
        !$0.isTransient && !$0.isToMany && destination.isKind(entity, of: $0.destinationEntityName)
      }
      let there = destination.relationships(of: entity).first {
        !$0.isTransient && destination.isKind(new.name, of: $0.destinationEntityName)
      }
      guard let relationship = back ?? there else { return [] }
      // What it inherits has a meaning for others too: only one of the same name takes the value.
      let own = Set(new.attributes.map(\.name))
      return destination.attributes(of: new.name).filter {
        $0.type == attribute.type && !$0.isDerived && !$0.isTransient
          && ($0.name == attribute.name || own.contains($0.name))
      }.map { NewAttribute(entity: new.name, attribute: $0, relationship: relationship, isOwn: back != nil) }
    }
    let namesakes = candidates.filter { $0.attribute.name == attribute.name }
    if namesakes.count == 1 { return namesakes[0] }
    // An entity that has more than a value and its owner is about something else.
    guard candidates.count == 1, let new = candidates.first?.entity,
      destination.attributes(of: new).count == 1, destination.relationships(of: new).count <= 1
    else { return nil }
    return candidates[0]
  }

  /// What the new entity requires besides, and its objects would not have.
  private mutating func setRequiredAttributes(of index: Int, from entity: String, to name: String) {
    let stated = Set(entityMappings[index].attributeMappings.map(\.name))
    for attribute in destination.attributes(of: name)
    where !attribute.isOptional && attribute.defaultValue == nil && !attribute.isDerived
      && !attribute.isTransient && !stated.contains(attribute.name)
      && source.attribute(named: attribute.name, of: entity)?.type != attribute.type
    {
      if let value = emptyExpression(of: attribute) {
        set(attribute.name, value, of: index)
      } else {
        usePolicy(index)
      }
    }
  }
}

/// An attribute of a new entity that is related to the one that a value was of.
private struct NewAttribute {
  var entity: String
  var attribute: AttributeDescription
  var relationship: RelationshipDescription
  /// Whether the relationship is the new entity's; else it leads there and has no inverse.
  var isOwn: Bool
}
