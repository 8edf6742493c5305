import ManagedModel

extension RandomModel {
  mutating func addSomeEntity() -> Bool {
    addEntity()
    return true
  }

  mutating func removeEntity() -> Bool {
    let hierarchy = hierarchy
    let leaves = model.entities.map(\.name).filter { hierarchy.subentityNames(of: $0).isEmpty }
    guard model.entities.count > 2, let name = random.pick(leaves) else { return false }
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.destinationEntityName == name || entity.name == name {
        if let (other, inverse) = inverse(of: relationship) { drop(other, inverse.name) }
        drop(entity.name, relationship.name)
      }
    }
    model.entities.removeAll { $0.name == name }
    if hasRequiredToOne { explained.insert("MC3102") }
    log.append("remove entity \(name)")
    return true
  }

  var hasRequiredToOne: Bool {
    model.entities.contains { $0.relationships.contains { !$0.isOptional } }
  }

  mutating func renameEntity() -> Bool {
    guard let old = random.pick(model.entities), let e = index(of: old.name) else { return false }
    let name = freshEntityName()
    model.entities[e].name = name
    model.entities[e].renamingIdentifier = old.canonicalName
    for index in model.entities.indices {
      if model.entities[index].superentityName == old.name { model.entities[index].superentityName = name }
      for position in model.entities[index].relationships.indices
      where model.entities[index].relationships[position].destinationEntityName == old.name {
        model.entities[index].relationships[position].destinationEntityName = name
      }
    }
    log.append("rename entity \(old.name) to \(name)")
    return true
  }

  mutating func addParent() -> Bool {
    guard let root = random.pick(hierarchy.rootNames), let e = index(of: root) else { return false }
    let name = freshEntityName()
    model.entities[e].superentityName = name
    model.entities.append(EntityDescription(name: name, isAbstract: random.chance(60), userInfo: identity()))
    log.append("\(root) gets the new parent \(name)")
    let moved = model.entities[e].attributes.indices.randomElement(using: &random)
    if let moved, random.chance(50), !model.entities[e].attributes[moved].isDerived {
      let attribute = model.entities[e].attributes.remove(at: moved)
      model.entities[model.entities.count - 1].attributes.append(attribute)
      log.append("with \(attribute.name)")
    }
    return true
  }

  /// An entity becomes a root of its own; what it inherited it declares itself from now on.
  mutating func leaveHierarchy() -> Bool {
    let hierarchy = hierarchy
    let children = model.entities.map(\.name).filter { hierarchy.superentityName(of: $0) != nil }
    guard let name = random.pick(children), let e = index(of: name) else { return false }
    let inherited = hierarchy.ancestorNames(of: name).compactMap(hierarchy.entity(named:)).flatMap(
      \.attributes)
    model.entities[e].superentityName = nil
    if random.chance(70) { model.entities[e].attributes += inherited.filter { !$0.isDerived } }
    if hasRequiredToOne { explained.insert("MC3102") }
    log.append("\(name) leaves its hierarchy")
    return true
  }

  /// An entity gets another parent within its hierarchy.
  mutating func changeParent() -> Bool {
    let hierarchy = hierarchy
    let children = model.entities.map(\.name).filter { hierarchy.superentityName(of: $0) != nil }
    guard let name = random.pick(children), let e = index(of: name) else { return false }
    let family = Set(hierarchy.descendantNames(includingSelf: name))
    let others = hierarchy.descendantNames(includingSelf: hierarchy.rootName(of: name)).filter {
      !family.contains($0) && $0 != hierarchy.superentityName(of: name)
    }
    guard let parent = random.pick(others) else { return false }
    let own = family.compactMap(hierarchy.entity(named:)).flatMap { entity in
      entity.attributes.flatMap { [$0.name, $0.canonicalName] }
        + entity.relationships.flatMap { [$0.name, $0.canonicalName] }
    }
    let above = hierarchy.lineage(of: parent).flatMap { entity in
      entity.attributes.flatMap { [$0.name, $0.canonicalName] }
        + entity.relationships.flatMap { [$0.name, $0.canonicalName] }
    }
    let kept = hierarchy.lineage(of: name).dropLast().flatMap { entity in
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }
    guard Set(own).isDisjoint(with: above),
      Set(kept).subtracting(
        hierarchy.lineage(of: parent).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
      )
      .isDisjoint(with: own)
    else { return false }
    model.entities[e].superentityName = parent
    for attribute in hierarchy.attributes(of: parent)
    where !attribute.isOptional && attribute.defaultValue == nil {
      explained.insert("MC3101")
    }
    // What was inherited under a name may be inherited from the other side as something else.
    let inherited = hierarchy.attributes(of: name).map { ($0.name, $0.type) }
    for attribute in hierarchy.attributes(of: parent)
    where inherited.contains(where: { $0.0 == attribute.name && $0.1 != attribute.type }) {
      explained.insert("MC3103")
    }
    if hasRequiredToOne { explained.insert("MC3102") }
    log.append("\(name) gets the parent \(parent)")
    return true
  }

  mutating func enterHierarchy() -> Bool {
    let hierarchy = hierarchy
    guard random.chance(30), let root = random.pick(hierarchy.rootNames), let e = index(of: root),
      let parent = random.pick(hierarchy.rootNames.filter { $0 != root })
    else { return false }
    let own = Set(takenNames([root])).subtracting(formerNames)
    guard own.isDisjoint(with: Set(takenNames([parent])).subtracting(formerNames)) else { return false }
    let names = Set(
      hierarchy.descendantNames(includingSelf: root).compactMap(hierarchy.entity(named:)).flatMap {
        $0.attributes.map(\.name) + $0.relationships.map(\.name)
      })
    let others = Set(
      hierarchy.descendantNames(includingSelf: parent).compactMap(hierarchy.entity(named:)).flatMap {
        $0.attributes.map(\.name) + $0.relationships.map(\.name)
      })
    guard names.isDisjoint(with: others) else { return false }
    model.entities[e].superentityName = parent
    explained.formUnion(["MC3107", "MC3101", "MC3102"])
    let claimed = hierarchy.descendantNames(includingSelf: root).compactMap(hierarchy.entity(named:)).flatMap
    {
      $0.attributes.map(\.canonicalName) + $0.relationships.map(\.canonicalName)
    }
    // A name that was given up, and that the new parent brings along.
    if !others.isDisjoint(with: claimed) { explained.formUnion(["MC3103", "MC3202"]) }
    log.append("\(root) gets the parent \(parent), which has a table of its own")
    return true
  }

  mutating func toggleAbstract() -> Bool {
    let hierarchy = hierarchy
    let parents = model.entities.map(\.name).filter { !hierarchy.subentityNames(of: $0).isEmpty }
    guard let name = random.pick(parents), let e = index(of: name) else { return false }
    model.entities[e].isAbstract.toggle()
    if model.entities[e].isAbstract { explained.insert("MC3110") }
    log.append("\(name) abstract: \(model.entities[e].isAbstract)")
    return true
  }

  mutating func removeUniqueness() -> Bool {
    guard let entity = random.pick(model.entities.filter { !$0.uniquenessConstraints.isEmpty }),
      let e = index(of: entity.name)
    else { return false }
    model.entities[e].uniquenessConstraints.removeFirst()
    log.append("remove uniqueness of \(entity.name)")
    return true
  }

  mutating func changeIndexes() -> Bool {
    if random.chance(50) {
      addIndex()
      return true
    }
    guard let entity = random.pick(model.entities.filter { !$0.fetchIndexes.isEmpty }),
      let e = index(of: entity.name)
    else { return false }
    model.entities[e].fetchIndexes.removeFirst()
    log.append("remove an index of \(entity.name)")
    return true
  }

  mutating func removeCount() -> Bool {
    guard
      let e = model.entities.indices.filter({ model.entities[$0].attributes.contains(where: \.isDerived) })
        .randomElement(using: &random)
    else { return false }
    model.entities[e].attributes.removeAll(where: \.isDerived)
    log.append("remove derived attributes of \(model.entities[e].name)")
    return true
  }

  mutating func changeModifier() -> Bool {
    guard let e = model.entities.indices.randomElement(using: &random) else { return false }
    model.entities[e].versionHashModifier = "m\(random.number(0...1_000_000))"
    log.append("change the hash modifier of \(model.entities[e].name)")
    return true
  }
}
