import ManagedModel

/// Edits of hierarchies that `editAtRandom()` has not, so that its seeds stay what they are.
extension RandomModel {
  /// One edit of a hierarchy, or, one time in three, any other.
  package mutating func editHierarchyAtRandom() {
    for _ in 0..<5 {
      var edited = self
      if edited.random.chance(33) { edited.editAtRandom() } else { edited.editAtRandom(Self.hierarchyEdits) }
      random = edited.random
      if edited.keepsMeanings {
        self = edited
        return
      }
    }
  }

  private static var hierarchyEdits: [(weight: Int, edit: Edit)] {
    [
      (6, { $0.takeParentApart() }), (4, { $0.addCommonParent() }), (4, { $0.changeDestination() }),
      (3, { $0.leaveHierarchy() }), (3, { $0.changeParent() }), (2, { $0.enterHierarchy() }),
      (3, { $0.addParent() }), (3, { $0.moveAttributeUp() }), (3, { $0.moveAttributeDown() }),
      (3, { $0.moveRelationshipUp() }), (3, { $0.moveRelationshipDown() }), (2, { $0.toggleAbstract() }),
      (2, { $0.renameEntity() }), (2, { $0.removeEntity() }), (3, { $0.addSubentity() }),
    ]
  }

  /// Whether no entity inherits, under a name of the version before, something else than it had there: inference would take
  /// it for the same, and the account for another.
  private var keepsMeanings: Bool {
    let (old, new) = (EntityHierarchy(former), hierarchy)
    return model.entities.allSatisfy { entity in
      guard let past = former.entities.first(where: { $0.canonicalName == entity.canonicalName }) else {
        return true
      }
      let known = identities(old.lineage(of: past.name))
      return identities(new.lineage(of: entity.name)).allSatisfy { known[$0] ?? $1 == $1 }
    }
  }

  private func identities(_ lineage: [EntityDescription]) -> [String: String] {
    let attributes = lineage.flatMap(\.attributes).map { ($0.canonicalName, $0.userInfo["id"] ?? "") }
    let relationships = lineage.flatMap(\.relationships).map { ($0.canonicalName, $0.userInfo["id"] ?? "") }
    return Dictionary(attributes + relationships, uniquingKeysWith: { first, _ in first })
  }

  /// A parent goes, and its own objects with it. The entities below it declare what they inherited; of its relationships
  /// with an inverse, and of those that lead to it, one of them goes on with some.
  mutating func takeParentApart() -> Bool {
    let hierarchy = hierarchy
    let parents = model.entities.filter { !hierarchy.subentityNames(of: $0.name).isEmpty }
    guard model.entities.count > 2, let parent = random.pick(parents) else { return false }
    let heirs = hierarchy.subentityNames(of: parent.name)
    guard let heir = random.pick(heirs) else { return false }
    for relationship in parent.relationships { handDown(relationship, of: parent.name, to: heirs, heir) }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.destinationEntityName == parent.name {
        if relationship.inverseName == nil, random.chance(50) {
          edit(entity.name, relationship.name) { $0.destinationEntityName = heir }
        } else {
          dropPair(entity.name, relationship)
        }
      }
    }
    for name in heirs {
      guard let index = index(of: name) else { continue }
      model.entities[index].superentityName = parent.superentityName
      model.entities[index].attributes += parent.attributes.filter { !$0.isDerived }
      if random.chance(50) { model.entities[index].uniquenessConstraints += parent.uniquenessConstraints }
    }
    model.entities.removeAll { $0.name == parent.name }
    if hasRequiredToOne { explained.insert("MC3102") }
    explained.insert("MC3105")
    log.append("take \(parent.name) apart, into \(heirs.joined(separator: ", ")); links go on with \(heir)")
    return true
  }

  private mutating func handDown(
    _ relationship: RelationshipDescription, of parent: String, to heirs: [String], _ heir: String
  ) {
    let isWithin = relationship.destinationEntityName == parent
    guard !isWithin, let (other, inverse) = inverse(of: relationship) else {
      if isWithin { return dropPair(parent, relationship) }
      for name in heirs where random.chance(70) {
        if let index = index(of: name) { model.entities[index].relationships.append(relationship) }
      }
      return
    }
    guard random.chance(60), other != parent, let index = index(of: heir) else {
      return dropPair(parent, relationship)
    }
    edit(other, inverse.name) { $0.destinationEntityName = heir }
    model.entities[index].relationships.append(relationship)
  }

  private mutating func dropPair(_ entity: String, _ relationship: RelationshipDescription) {
    if let (other, inverse) = inverse(of: relationship) { drop(other, inverse.name) }
    drop(entity, relationship.name)
  }

  /// Two entities with tables of their own get a new parent, and one table.
  mutating func addCommonParent() -> Bool {
    guard random.chance(50), let first = random.pick(hierarchy.rootNames),
      let second = random.pick(hierarchy.rootNames.filter { $0 != first }),
      let (one, other) = index(of: first).flatMap({ one in index(of: second).map { (one, $0) } })
    else { return false }
    let names = Set(takenNames([first])).subtracting(formerNames)
    guard names.isDisjoint(with: Set(takenNames([second])).subtracting(formerNames)) else { return false }
    let name = freshEntityName()
    model.entities.append(EntityDescription(name: name, isAbstract: random.chance(60), userInfo: identity()))
    model.entities[one].superentityName = name
    model.entities[other].superentityName = name
    explained.formUnion(["MC3107", "MC3101", "MC3102"])
    log.append("\(first) and \(second) get the new parent \(name)")
    return true
  }

  /// A relationship without an inverse leads to an entity above or below the one that it led to.
  mutating func changeDestination() -> Bool {
    let hierarchy = hierarchy
    let found = model.entities.flatMap { entity in
      entity.relationships.filter { $0.inverseName == nil }.map { (entity.name, $0) }
    }
    guard let (entity, relationship) = random.pick(found) else { return false }
    let old = relationship.destinationEntityName
    let others = hierarchy.subentityNames(of: old) + [hierarchy.superentityName(of: old)].compactMap(\.self)
    guard let new = random.pick(others) else { return false }
    edit(entity, relationship.name) { $0.destinationEntityName = new }
    if !relationship.isOptional { explained.insert("MC3102") }
    log.append("\(entity).\(relationship.name) leads to \(new) instead of \(old)")
    return true
  }

  mutating func addSubentity() -> Bool {
    let hierarchy = hierarchy
    guard
      let parent = random.pick(
        model.entities.map(\.name).filter { hierarchy.ancestorNames(of: $0).count < 3 })
    else { return false }
    let name = freshEntityName()
    model.entities.append(EntityDescription(name: name, superentityName: parent, userInfo: identity()))
    addAttribute(to: name, isBlocking: false)
    log.append("add entity \(name) under \(parent)")
    return true
  }
}
