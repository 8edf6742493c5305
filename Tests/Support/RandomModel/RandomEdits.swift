import ManagedModel

extension RandomModel {
  typealias Edit = (inout RandomModel) -> Bool

  /// One edit that the model editor offers and lightweight migration may meet; where it does not apply, another.
  package mutating func editAtRandom() {
    editAtRandom([
      (6, { $0.addSomeAttribute() }), (4, { $0.removeAttribute() }), (6, { $0.renameAttribute() }),
      (3, { $0.swapAttributes() }), (5, { $0.changeNumericType() }), (4, { $0.toggleOptional() }),
      (1, { $0.changeTypeAltogether() }), (4, { $0.moveAttributeUp() }), (3, { $0.moveAttributeDown() }),
      (4, { $0.addPair() }), (4, { $0.removeRelationship() }), (4, { $0.renameRelationship() }),
      (3, { $0.swapRelationships() }), (5, { $0.makeToMany() }), (1, { $0.makeToOne() }),
      (4, { $0.toggleOrder() }), (4, { $0.addInverse() }), (4, { $0.removeInverse() }),
      (2, { $0.pairUp() }), (2, { $0.moveRelationshipUp() }), (2, { $0.moveRelationshipDown() }),
      (4, { $0.addSomeEntity() }), (3, { $0.removeEntity() }), (4, { $0.renameEntity() }),
      (3, { $0.addParent() }), (2, { $0.leaveHierarchy() }), (2, { $0.changeParent() }),
      (1, { $0.enterHierarchy() }), (1, { $0.toggleAbstract() }),
      (2, { $0.addUniqueness() }), (2, { $0.removeUniqueness() }), (2, { $0.changeIndexes() }),
      (3, { $0.addCount() }), (1, { $0.removeCount() }), (2, { $0.changeModifier() }),
      (1, { $0.requireRelationship() }), (1, { $0.toggleExternalStorage() }),
      (2, { $0.addCompositeAttribute() }), (3, { $0.addMember() }), (3, { $0.removeMember() }),
      (3, { $0.renameMember() }), (3, { $0.retypeMember() }), (2, { $0.toggleOptionalMember() }),
    ])
  }

  mutating func editAtRandom(_ edits: [(weight: Int, edit: Edit)]) {
    let total = edits.map(\.weight).reduce(0, +)
    for _ in 0..<20 {
      var place = random.number(0...total - 1)
      guard
        let chosen = edits.first(where: { edit in
          place -= edit.weight
          return place < 0
        })
      else { continue }
      if chosen.edit(&self) {
        prune()
        return
      }
    }
  }

  // MARK: attributes

  /// An attribute that is not derived, with the entity that declares it.
  private mutating func someAttribute(
    where isWanted: (AttributeDescription) -> Bool = { _ in true }
  ) -> (entity: Int, attribute: Int)? {
    var found: [(Int, Int)] = []
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        let description = model.entities[entity].attributes[attribute]
        if !description.isDerived, isWanted(description) { found.append((entity, attribute)) }
      }
    }
    return random.pick(found)
  }

  mutating func addSomeAttribute() -> Bool {
    guard let entity = random.pick(model.entities)?.name else { return false }
    addAttribute(to: entity, isBlocking: random.chance(3))
    return true
  }

  mutating func removeAttribute() -> Bool {
    guard let (e, a) = someAttribute() else { return false }
    log.append("remove \(model.entities[e].name).\(model.entities[e].attributes[a].name)")
    model.entities[e].attributes.remove(at: a)
    return true
  }

  mutating func renameAttribute() -> Bool {
    guard let (e, a) = someAttribute() else { return false }
    let old = model.entities[e].attributes[a]
    let name = freshPropertyName([model.entities[e].name])
    log.append("rename \(model.entities[e].name).\(old.name) to \(name)")
    model.entities[e].attributes[a].name = name
    model.entities[e].attributes[a].renamingIdentifier = old.canonicalName
    renameInIndexes(old.name, to: name, below: model.entities[e].name)
    // The hash holds the members of a composite, and not its name.
    if old.type == .composite { makeDistinct(e) }
    return true
  }

  private mutating func renameInIndexes(_ old: String, to new: String, below entity: String) {
    func renamed(_ name: String) -> String { name == old ? new : name }
    for name in hierarchy.descendantNames(includingSelf: entity) {
      guard let index = index(of: name) else { continue }
      model.entities[index].uniquenessConstraints = model.entities[index].uniquenessConstraints.map {
        $0.map(renamed)
      }
      for position in model.entities[index].fetchIndexes.indices {
        model.entities[index].fetchIndexes[position].rename(old, to: new)
      }
      for position in model.entities[index].attributes.indices {
        let derivation = model.entities[index].attributes[position].derivationExpression
        if derivation == "\(old).@count" {
          model.entities[index].attributes[position].derivationExpression = "\(new).@count"
        }
      }
    }
  }

  mutating func swapAttributes() -> Bool {
    guard let (e, a) = someAttribute() else { return false }
    let others = model.entities[e].attributes.indices.filter { index in
      index != a && !model.entities[e].attributes[index].isDerived
    }
    guard let b = random.pick(Array(others)) else { return false }
    let (first, second) = (model.entities[e].attributes[a], model.entities[e].attributes[b])
    let isConstrained = model.entities.contains { entity in
      entity.uniquenessConstraints.contains { $0.contains(first.name) || $0.contains(second.name) }
    }
    if isConstrained { explained.insert("MC3105") }
    model.entities[e].attributes[a].name = second.name
    model.entities[e].attributes[a].renamingIdentifier = first.canonicalName
    model.entities[e].attributes[b].name = first.name
    model.entities[e].attributes[b].renamingIdentifier = second.canonicalName
    log.append("swap \(model.entities[e].name).\(first.name) and .\(second.name)")
    makeDistinct(e)
    return true
  }

  /// Two properties of one type that have swapped names hash like before: without a modifier nothing would tell the
  /// versions apart, neither for Core Data nor here.
  private mutating func makeDistinct(_ entity: Int) {
    model.entities[entity].versionHashModifier = "swapped \(random.number(0...1_000_000))"
  }

  mutating func changeNumericType() -> Bool {
    guard let (e, a) = someAttribute(where: { $0.type.isNumeric }) else { return false }
    let types: [AttributeType] = [.integer16, .integer32, .integer64, .decimal, .double, .float]
    let old = model.entities[e].attributes[a]
    guard let type = random.pick(types.filter { $0 != old.type }) else { return false }
    model.entities[e].attributes[a].type = type
    if old.defaultValue != nil { model.entities[e].attributes[a].defaultValue = .text(defaultText(type)) }
    explained.insert("MC3105")
    log.append("\(model.entities[e].name).\(old.name) from \(old.type.name) to \(type.name)")
    return true
  }

  mutating func changeTypeAltogether() -> Bool {
    guard let (e, a) = someAttribute(where: { $0.type == .string }), random.chance(30) else { return false }
    model.entities[e].attributes[a].type = .integer32
    model.entities[e].attributes[a].defaultValue = nil
    // The attribute itself may be new.
    explained.formUnion(["MC3103", "MC3101"])
    log.append("\(model.entities[e].name).\(model.entities[e].attributes[a].name) from string to integer32")
    return true
  }

  mutating func toggleOptional() -> Bool {
    guard let (e, a) = someAttribute(where: { $0.type != .composite }) else { return false }
    let type = model.entities[e].attributes[a].type
    model.entities[e].attributes[a].isOptional.toggle()
    let isOptional = model.entities[e].attributes[a].isOptional
    if !isOptional {
      let hasDefault = random.chance(85)
      model.entities[e].attributes[a].defaultValue = hasDefault ? .text(defaultText(type)) : nil
      explained.formUnion(["MC3101", "MC3105"])
    }
    log.append("\(model.entities[e].name).\(model.entities[e].attributes[a].name) optional: \(isOptional)")
    return true
  }

  mutating func toggleExternalStorage() -> Bool {
    guard let (e, a) = someAttribute(where: { $0.type == .binary }), random.chance(30) else { return false }
    model.entities[e].attributes[a].allowsExternalBinaryDataStorage.toggle()
    explained.insert("MC3117")
    log.append("toggle external storage of \(model.entities[e].name).\(model.entities[e].attributes[a].name)")
    return true
  }

  mutating func moveAttributeUp() -> Bool {
    let hierarchy = hierarchy
    let children = model.entities.indices.filter {
      hierarchy.superentityName(of: model.entities[$0].name) != nil
    }
    guard let e = random.pick(Array(children)),
      let parent = hierarchy.superentityName(of: model.entities[e].name),
      let p = index(of: parent), let a = model.entities[e].attributes.indices.randomElement(using: &random)
    else { return false }
    var attribute = model.entities[e].attributes[a]
    let others = hierarchy.descendantNames(includingSelf: parent).filter { $0 != model.entities[e].name }
      .compactMap(hierarchy.entity(named:))
    let names = others.flatMap { other in
      other.attributes.flatMap { [$0.name, $0.canonicalName] }
        + other.relationships.flatMap { [$0.name, $0.canonicalName] }
    }
    guard !attribute.isDerived, !names.contains(attribute.name), !names.contains(attribute.canonicalName)
    else {
      return false
    }
    // The other heirs have no value for it.
    if !attribute.isOptional, attribute.defaultValue == nil, attribute.type != .composite {
      attribute.defaultValue = .text(defaultText(attribute.type))
    }
    model.entities[e].attributes.remove(at: a)
    model.entities[p].attributes.append(attribute)
    explained.insert("MC3105")
    log.append("move \(model.entities[e].name).\(attribute.name) up to \(parent)")
    return true
  }

  mutating func moveAttributeDown() -> Bool {
    let hierarchy = hierarchy
    let parents = model.entities.indices.filter {
      !hierarchy.subentityNames(of: model.entities[$0].name).isEmpty
    }
    guard let p = random.pick(Array(parents)),
      let a = model.entities[p].attributes.indices.randomElement(using: &random),
      !model.entities[p].attributes[a].isDerived
    else { return false }
    let attribute = model.entities[p].attributes.remove(at: a)
    for child in hierarchy.subentityNames(of: model.entities[p].name) {
      if let index = index(of: child) { model.entities[index].attributes.append(attribute) }
    }
    log.append("move \(model.entities[p].name).\(attribute.name) down")
    return true
  }

  // MARK: relationships

  private mutating func someRelationship(
    where isWanted: (RelationshipDescription) -> Bool = { _ in true }
  ) -> (entity: String, RelationshipDescription)? {
    random.pick(
      model.entities.flatMap { entity in
        entity.relationships.filter(isWanted).map { (entity.name, $0) }
      })
  }

  /// Takes a relationship out, its inverse is left without one.
  mutating func drop(_ entity: String, _ name: String) {
    guard let index = index(of: entity) else { return }
    if let relationship = model.entities[index].relationships.first(where: { $0.name == name }),
      let (other, inverse) = inverse(of: relationship), inverse.inverseName == name
    {
      edit(other, inverse.name) { $0.inverseName = nil }
    }
    model.entities[index].relationships.removeAll { $0.name == name }
  }

  mutating func removeRelationship() -> Bool {
    guard let (entity, relationship) = someRelationship() else { return false }
    let inverse = inverse(of: relationship)
    drop(entity, relationship.name)
    if let (other, inverse) = inverse { drop(other, inverse.name) }
    log.append("remove \(entity).\(relationship.name) with its inverse")
    return true
  }

  private mutating func rename(_ entity: String, _ relationship: RelationshipDescription, to name: String) {
    let inverse = inverse(of: relationship)
    edit(entity, relationship.name) {
      $0.name = name
      $0.renamingIdentifier = relationship.canonicalName
      if $0.inverseName == relationship.name, $0.destinationEntityName == entity { $0.inverseName = name }
    }
    if let (other, inverse) = inverse, inverse.name != relationship.name || other != entity {
      edit(other, inverse.name) { $0.inverseName = name }
    }
    renameInIndexes(relationship.name, to: name, below: entity)
  }

  mutating func renameRelationship() -> Bool {
    guard let (entity, relationship) = someRelationship() else { return false }
    let name = freshPropertyName([entity])
    rename(entity, relationship, to: name)
    log.append("rename \(entity).\(relationship.name) to \(name)")
    return true
  }

  mutating func swapRelationships() -> Bool {
    guard let (entity, first) = someRelationship(), let index = index(of: entity),
      let second = random.pick(
        model.entities[index].relationships.filter { $0.name != first.name && $0.isToMany == first.isToMany })
    else { return false }
    for (old, new) in [(first.name, "swapping"), (second.name, first.name), ("swapping", second.name)] {
      // Each time as it is by then: the two may be inverses of each other.
      if let moved = model.entities[index].relationships.first(where: { $0.name == old }) {
        rename(entity, moved, to: new)
      }
    }
    log.append("swap \(entity).\(first.name) and .\(second.name)")
    makeDistinct(index)
    return true
  }

  mutating func makeToMany() -> Bool {
    guard let (entity, relationship) = someRelationship(where: { !$0.isToMany }) else { return false }
    let isOwn = relationship.inverseName == relationship.name
    let isOrdered = !isOwn && random.chance(40)
    edit(entity, relationship.name) {
      $0.maxCount = 0
      $0.isOptional = true
      $0.isOrdered = isOrdered
    }
    // Without an inverse an object can have one owner only, and may have had several referrers.
    if relationship.inverseName == nil { explained.insert("MC3108") }
    log.append("\(entity).\(relationship.name) becomes to-many")
    return true
  }

  mutating func makeToOne() -> Bool {
    guard let (entity, relationship) = someRelationship(where: \.isToMany), random.chance(30) else {
      return false
    }
    edit(entity, relationship.name) {
      $0.maxCount = 1
      $0.isOrdered = false
    }
    explained.insert("MC3108")
    log.append("\(entity).\(relationship.name) becomes to-one")
    return true
  }

  mutating func toggleOrder() -> Bool {
    guard
      let (entity, relationship) = someRelationship(where: { $0.isToMany && $0.inverseName != $0.name })
    else { return false }
    edit(entity, relationship.name) { $0.isOrdered.toggle() }
    log.append("\(entity).\(relationship.name) ordered: \(!relationship.isOrdered)")
    return true
  }

  mutating func addInverse() -> Bool {
    guard let (entity, relationship) = someRelationship(where: { $0.inverseName == nil }) else {
      return false
    }
    let other = relationship.destinationEntityName
    let isToMany = random.chance(70)
    let name = freshPropertyName([entity, other])
    let inverse = RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: relationship.name,
      maxCount: isToMany ? 0 : 1, isOrdered: isToMany && random.chance(30), userInfo: identity())
    guard let index = index(of: other) else { return false }
    model.entities[index].relationships.append(inverse)
    edit(entity, relationship.name) { $0.inverseName = name }
    if !isToMany { explained.insert("MC3108") }
    log.append("\(entity).\(relationship.name) gains the inverse \(other).\(name), to-many: \(isToMany)")
    return true
  }

  mutating func removeInverse() -> Bool {
    guard
      let (entity, relationship) = someRelationship(where: {
        $0.inverseName != nil && $0.inverseName != $0.name
      }),
      let (other, inverse) = inverse(of: relationship)
    else { return false }
    if relationship.isToMany, inverse.isToMany {
      guard random.chance(20) else { return false }
      explained.insert("MC3108")
    }
    let keepsBoth = random.chance(40)
    edit(entity, relationship.name) { $0.inverseName = nil }
    if keepsBoth {
      edit(other, inverse.name) { $0.inverseName = nil }
    } else {
      drop(other, inverse.name)
    }
    log.append("\(entity).\(relationship.name) loses its inverse \(inverse.name), which stays: \(keepsBoth)")
    return true
  }

  /// Two relationships that knew nothing of each other become inverses.
  mutating func pairUp() -> Bool {
    guard let (entity, relationship) = someRelationship(where: { $0.inverseName == nil }),
      let index = index(of: relationship.destinationEntityName),
      let inverse = random.pick(
        model.entities[index].relationships.filter {
          $0.inverseName == nil && $0.destinationEntityName == entity && $0.name != relationship.name
        })
    else { return false }
    edit(entity, relationship.name) { $0.inverseName = inverse.name }
    edit(relationship.destinationEntityName, inverse.name) { $0.inverseName = relationship.name }
    explained.insert("MC3108")
    log.append(
      "\(entity).\(relationship.name) and \(relationship.destinationEntityName).\(inverse.name) become a pair"
    )
    return true
  }

  mutating func moveRelationshipUp() -> Bool {
    let hierarchy = hierarchy
    guard let (entity, relationship) = someRelationship(where: { $0.inverseName != $0.name }),
      let parent = hierarchy.superentityName(of: entity), let p = index(of: parent), let e = index(of: entity)
    else { return false }
    let others = hierarchy.descendantNames(includingSelf: parent).filter { $0 != entity }
      .compactMap(hierarchy.entity(named:))
    let names = others.flatMap { other in
      other.attributes.flatMap { [$0.name, $0.canonicalName] }
        + other.relationships.flatMap { [$0.name, $0.canonicalName] }
    }
    guard !names.contains(relationship.name), !names.contains(relationship.canonicalName),
      relationship.isOptional
    else { return false }
    if let (other, inverse) = inverse(of: relationship) {
      edit(other, inverse.name) { $0.destinationEntityName = parent }
    }
    model.entities[e].relationships.removeAll { $0.name == relationship.name }
    var moved = relationship
    if moved.destinationEntityName == entity, let name = moved.inverseName,
      model.entities[e].relationships.first(where: { $0.name == name })?.destinationEntityName == parent
    {
      moved.destinationEntityName = entity
    }
    model.entities[p].relationships.append(moved)
    log.append("move \(entity).\(relationship.name) up to \(parent)")
    return true
  }

  mutating func moveRelationshipDown() -> Bool {
    let hierarchy = hierarchy
    guard let (entity, relationship) = someRelationship(where: { $0.inverseName != $0.name }),
      let child = random.pick(hierarchy.subentityNames(of: entity)), let e = index(of: entity),
      let c = index(of: child)
    else { return false }
    if let (other, inverse) = inverse(of: relationship) {
      edit(other, inverse.name) { $0.destinationEntityName = child }
      if !inverse.isOptional { explained.insert("MC3102") }
    }
    model.entities[e].relationships.removeAll { $0.name == relationship.name }
    model.entities[c].relationships.append(relationship)
    log.append("move \(entity).\(relationship.name) down to \(child)")
    return true
  }

  mutating func requireRelationship() -> Bool {
    guard let (entity, relationship) = someRelationship(where: { !$0.isToMany && $0.isOptional }),
      random.chance(30)
    else { return false }
    edit(entity, relationship.name) {
      $0.isOptional = false
      $0.minCount = 1
    }
    explained.insert("MC3102")
    log.append("\(entity).\(relationship.name) becomes required")
    return true
  }
}
