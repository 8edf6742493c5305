/// What stores of a step's source may hold and its destination has no place for: an entity's objects, or the values of
/// a property.
///
/// The one rule, told from the two models and the mapping between them, as ``Requirement`` is.
package struct Removal: Hashable, Sendable {
  package var entity: String
  package var property: String?

  package init(entity: String, property: String? = nil) { (self.entity, self.property) = (entity, property) }

  package init(_ lost: PropertyReference) { self.init(entity: lost.entity, property: lost.property) }

  package var name: String { property.map { "\(entity).\($0)" } ?? entity }

  /// - Parameter retired: what a version names under `retired:`.
  package func isListed(in retired: some Sequence<String>) -> Bool {
    ManagedModel.isListed(entity, property, in: Set(retired))
  }
}

extension EntityHierarchy {
  /// Whether a list such as `retired:` names what is lost: by itself, by the entity that declares it, or, since a link is one
  /// datum, by the relationship at its other end.
  package func isListed(_ lost: Removal, in names: Set<String>) -> Bool {
    guard let property = lost.property else { return lost.isListed(in: names) }
    let owner = reference(to: property, seenFrom: lost.entity)
    return ([owner, owner.flatMap(inverse)].compactMap(\.self).map { Removal($0) } + [lost])
      .contains { $0.isListed(in: names) }
  }

  /// The name that a version retires a property by, for objects of one entity, or links to those of another: that of what
  /// declares it, or of the objects themselves if they have left what declares it, or the inverse.
  ///
  /// If the objects at both ends have left, as in a family that was taken apart, the to-one has the say: a link has one name.
  ///
  /// - Parameter isStill: whether objects of an entity are still objects of what was above it.
  package func retiredName(
    of past: PropertyReference, from: String, to: String?,
    isStill: (_ entity: String, _ above: String) -> Bool
  ) -> PropertyReference {
    let own = PropertyReference(entity: from, property: past.property)
    let hasLeft = !isStill(from, past.entity)
    guard let to, let inverse = inverse(of: past), inverse != past, !isStill(to, inverse.entity) else {
      return hasLeft ? own : past
    }
    let (one, other) = (relationship(past)?.isToMany == true, relationship(inverse)?.isToMany == true)
    let isFirst = one == other ? (past.property, past.entity) < (inverse.property, inverse.entity) : other
    return hasLeft && isFirst ? own : PropertyReference(entity: to, property: inverse.property)
  }

  /// An entity or a property of a later version, by the name that it has here; nil if it is not here.
  fileprivate func name(of part: String, in later: Self) -> String? {
    let names = part.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = names.first, let heir = later.entity(named: name),
      let own = model.entities.first(where: { $0.canonicalName == heir.canonicalName })
    else { return nil }
    guard names.count == 2 else { return own.name }
    let canonicalName = later.canonicalNames(of: heir.name).first { $0.name == names[1] }?.canonicalName
    let past = canonicalNames(of: own.name).first { $0.canonicalName == canonicalName }
    return past.map { "\(own.name).\($0.name)" }
  }

  private func canonicalNames(of entity: String) -> [(name: String, canonicalName: String)] {
    (attributes(of: entity) + members(of: entity)).map { ($0.name, $0.canonicalName) }
      + relationships(of: entity).map { ($0.name, $0.canonicalName) }
  }
}

extension [ModelVersion] {
  /// What versions after the first retire: names that they list, which are those of the version before, and what the first
  /// one calls these; and of entities among them also the relationships that led to their objects alone.
  package var retiredNames: Set<String> {
    var listed = Set(dropFirst().flatMap(\.retired))
    let hierarchy = EntityHierarchy(
      listed.isEmpty ? ManagedObjectModel() : first?.model ?? ManagedObjectModel())
    for (former, version) in zip(dropFirst(), dropFirst(2)) where !version.retired.isEmpty {
      let later = EntityHierarchy(former.model)
      listed.formUnion(version.retired.compactMap { hierarchy.name(of: $0, in: later) })
    }
    if listed.allSatisfy({ $0.contains(".") }) { return listed }
    return dropLast().reduce(into: listed) { names, version in
      let hierarchy = EntityHierarchy(version.model)
      for entity in version.model.entities {
        for relationship in entity.relationships
        where hierarchy.descendantNames(includingSelf: relationship.destinationEntityName).allSatisfy({
          listed.contains($0) || hierarchy.entity(named: $0)?.isAbstract == true
        }) {
          names.insert("\(entity.name).\(relationship.name)")
        }
      }
    }
  }
}

extension MappingModel {
  /// What a step has no place for, of which no mapping says that it is meant: objects, values, and links between objects that
  /// go on.
  ///
  /// It is the one account of losses by the models alone: `check` asks it of each step, `plan` of steps whose rows it cannot
  /// count, and the losses that a migration counts have these names.
  ///
  /// - Parameter written: the mappings that a person wrote; none of an inferred step.
  package func removals(
    from source: EntityHierarchy, to destination: EntityHierarchy, written: Set<String> = []
  ) -> [Removal] {
    let links = MappedLinks(self, from: source, to: destination)
    var found: [Removal] = []
    var values: [PropertyReference: [String]] = [:]
    for entity in source.model.entities where !entity.isAbstract {
      let mappings = mappings(fromEntity: entity.name)
      let takers = mappings.filter { $0.destinationEntityName != nil }
      // A policy may read, and make, anything; a copy has all.
      if mappings.contains(where: { $0.policyName != nil || $0.mappingType == .copy }) { continue }
      if takers.isEmpty {
        if !mappings.contains(where: { written.contains($0.name) }) {
          found.append(Removal(entity: entity.name))
        }
        continue
      }
      let read = takers.flatMap(\.readKeys)
      for attribute in source.members(of: entity.name)
      where !attribute.isDerived && !reads(attribute.name, read)
        && !takers.contains(where: { $0.isMeantToDrop(attribute.name) })
      {
        let name = links.retiredName(of: attribute.name, from: entity.name)
        found.append(Removal(name))
        values[name, default: []].append(entity.name)
      }
    }
    // What only some lose, because a mapping reads it for others, is theirs.
    for (name, losers) in values where !isInferred && losers != [name.entity] {
      let concrete = links.taken(name.entity).filter { source.entity(named: $0)?.isAbstract == false }
      if Set(losers).isSuperset(of: concrete) { continue }
      let own = losers.map { Removal(entity: $0, property: name.property) }
      found = found.flatMap { $0 == Removal(name) ? own : [$0] }
    }
    found += links.lost.map { Removal($0) }
    return found.unique
  }
}
