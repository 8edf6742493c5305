/// Which links of the source a mapping model reads.
package struct MappedLinks {
  package typealias Pair = (from: String, to: String)
  /// The mappings of the objects at both ends of a link.
  package typealias Ends = (from: EntityMapping, to: EntityMapping)
  /// Which mappings of two entities carry the links between their objects, and which do not.
  package typealias Split = (lost: [Ends], carried: [Ends])

  private let source: EntityHierarchy
  private let destination: EntityHierarchy
  /// The mappings that make objects, by the source's entity.
  private let takers: [String: [EntityMapping]]

  package init(_ mappingModel: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy) {
    (self.source, self.destination) = (source, destination)
    takers = Dictionary(
      grouping: mappingModel.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" })
  }

  /// The entities at both ends whose objects go on and that fulfil the condition.
  package func pairs(_ ends: Pair, where isIncluded: (String, String) -> Bool) -> [Pair] {
    let others = taken(ends.to)
    return taken(ends.from).flatMap { name in
      others.filter { isIncluded(name, $0) }.map { (from: name, to: $0) }
    }
  }

  /// An entity and those below it whose objects go on.
  package func taken(_ entity: String) -> [String] {
    source.descendantNames(includingSelf: entity).filter { takers[$0] != nil }
  }

  /// See ``EntityHierarchy/retiredName(of:from:to:isStill:)``.
  package func retiredName(of past: PropertyReference, _ pair: Pair) -> PropertyReference {
    source.retiredName(of: past, from: pair.from, to: pair.to, isStill: isStill)
  }

  /// The same for an attribute.
  func retiredName(of attribute: String, from entity: String) -> PropertyReference {
    let past = source.reference(to: attribute, seenFrom: entity)
    return source.retiredName(
      of: past ?? PropertyReference(entity: entity, property: attribute), from: entity, to: nil,
      isStill: isStill)
  }

  private func isStill(_ entity: String, _ above: String) -> Bool {
    let heirs = [above] + (takers[above] ?? []).compactMap(\.destinationEntityName)
    return (takers[entity] ?? []).compactMap(\.destinationEntityName).contains { own in
      heirs.contains { destination.isKind(own, of: $0) }
    }
  }

  /// Whether one side or the other reads some links between objects of two entities; a policy may read any.
  package func carries(_ relationship: RelationshipDescription, from: String, to: String) -> Bool {
    ends(from, to).contains { isCarried(relationship, $0) }
  }

  /// The same of any that lead to objects of an entity.
  package func carriesAny(of past: PropertyReference, to entity: String) -> Bool {
    guard let relationship = source.relationship(past) else { return false }
    return !pairs((past.entity, entity)) { carries(relationship, from: $0, to: $1) }.isEmpty
  }

  /// Whether mappings that take every object of the two entities do.
  package func carriesAll(_ relationship: RelationshipDescription, from: String, to: String) -> Bool {
    let ends = ends(from, to)
    return ends.allSatisfy { isCarried(relationship, $0) }
      || ends.contains { $0.from.filter == nil && $0.to.filter == nil && isCarried(relationship, $0) }
  }

  /// Whether the filter of what an entity itself becomes may leave objects out that others take.
  package func isFiltered(_ pair: Pair) -> Bool {
    [pair.from, pair.to].contains { name in
      let heirs = (takers[name] ?? []).count { $0.mapsToCounterpart(in: destination) }
      return heirs > 0 && heirs < takers[name]?.count ?? 0
    }
  }

  /// Nil where no mappings carry any.
  package func split(_ relationship: RelationshipDescription, _ pair: Pair) -> Split? {
    let ends = ends(pair.from, pair.to)
    let carried = ends.filter { isCarried(relationship, $0) }
    return carried.isEmpty ? nil : (ends.filter { !isCarried(relationship, $0) }, carried)
  }

  private func ends(_ from: String, _ to: String) -> [Ends] {
    (takers[from] ?? []).flatMap { one in (takers[to] ?? []).map { (from: one, to: $0) } }
  }

  private func isCarried(_ relationship: RelationshipDescription, _ ends: Ends) -> Bool {
    isCarried(relationship.name, ends)
      || source.inverse(of: relationship).map { isCarried($0.name, (ends.to, ends.from)) } ?? false
  }

  private func isCarried(_ name: String, _ ends: Ends) -> Bool {
    let mapping = ends.from
    let reference = PropertyReference(entity: mapping.sourceEntityName ?? "", property: name)
    if mapping.policyName != nil || isInValues(name, of: mapping) { return true }
    // Of an entity that is split, not all that is made of it has the relationship.
    return mapping.relationshipMappings.contains { property in
      property.value.follows(name) && property.leads(to: ends.to) && leads(property.name, ends)
    }
      || ends.to.relationshipMappings.contains {
        $0.referrers.contains(reference) && leads($0.name, (ends.to, mapping))
      }
  }

  /// Whether an attribute gets a value through the relationship. Of a list only one object at a position counts: counts and
  /// sums do not say which objects are linked.
  private func isInValues(_ name: String, of mapping: EntityMapping) -> Bool {
    let isList = source.relationship(named: name, of: mapping.sourceEntityName ?? "")?.isToMany == true
    return mapping.attributeMappings.map(\.value).contains { value in
      guard isList, case .expression(let expression) = value else { return value.reads(name) }
      return expression.takesOne(of: name)
    }
  }

  /// Whether the destination's relationship may lead to what becomes of the other end's objects.
  private func leads(_ name: String, _ ends: Ends) -> Bool {
    guard let own = ends.from.destinationEntityName,
      let relationship = destination.relationship(named: name, of: own)
    else { return false }
    return destination.isKind(ends.to.destinationEntityName ?? "", of: relationship.destinationEntityName)
  }

  /// Whether the places in an ordered relationship go on: of the objects of an entity, with those of the other.
  package func keepsOrder(of ordered: RelationshipDescription, _ pair: Pair) -> Bool {
    ends(pair.from, pair.to).contains { ends in
      let mapping = ends.from
      return mapping.policyName != nil
        || mapping.relationshipMappings.contains { property in
          property.value.follows(ordered.name) && property.leads(to: ends.to)
            && leads(property.name, ends)
            && destination.relationship(named: property.name, of: mapping.destinationEntityName ?? "")?
              .isOrdered == true
        }
    }
  }

  /// Relationships that take all links between objects of two entities, of which several may lead to one, and that can hold one of
  /// these: lists without an inverse, and relationships with a to-one inverse that no mapping writes.
  ///
  /// - Parameter isOfList: those that take a list and can hold one object of it, to-ones that a mapping writes.
  /// - Returns: each with the mappings whose objects it links.
  package func exclusiveHeirs(
    of relationship: RelationshipDescription, _ pair: Pair, isOfList: Bool = false
  ) -> [(heir: PropertyReference, ends: Ends)] {
    if isOfList ? !relationship.isToMany : source.inverse(of: relationship)?.isToMany == false { return [] }
    return ends(pair.from, pair.to).flatMap { ends -> [(heir: PropertyReference, ends: Ends)] in
      let (one, other) = ends
      guard one.grouping == nil, other.grouping == nil else { return [] }
      return one.relationshipMappings.compactMap { property -> (heir: PropertyReference, ends: Ends)? in
        guard property.value.takesAll(of: relationship.name), property.leads(to: other),
          leads(property.name, ends), let own = one.destinationEntityName,
          let new = destination.relationship(named: property.name, of: own),
          let heir = destination.reference(to: property.name, seenFrom: own)
        else { return nil }
        let found = (heir: heir, ends: ends)
        if isOfList { return new.isToMany || property.value.sourceName != nil ? nil : found }
        let back = destination.storedInverse(of: new)
        if case .expression? = back.flatMap({ other.propertyMapping(named: $0.name) })?.value { return nil }
        return back.map { !$0.isToMany } ?? new.isToMany ? found : nil
      }
    }
  }

  /// Whether the links between objects of two entities go on by what reads one of a list, at a place: the others do not.
  package func readsOne(of ordered: RelationshipDescription, _ pair: Pair) -> Bool {
    let carriers = ends(pair.from, pair.to).filter { isCarried(ordered, $0) }
    return !carriers.isEmpty
      && carriers.allSatisfy { ends in
        let own = ends.from
        let readers = own.relationshipMappings.filter { $0.value.follows(ordered.name) }
        guard readers.count == 1, readers[0].value.isOne(of: ordered.name), own.policyName == nil,
          !isInValues(ordered.name, of: own)
        else { return false }
        return source.inverse(of: ordered).map { isCarried($0.name, (ends.to, own)) } != true
      }
  }

  /// The names of the links between objects that go on which nothing reads, and nobody means to drop; those of a pair by
  /// both ends.
  var lost: [PropertyReference] {
    let concrete = Set(source.model.entities.filter { !$0.isAbstract }.map(\.name))
    return source.model.entities.flatMap { entity in
      entity.relationships.filter { !$0.isTransient }.flatMap { relationship in
        let past = PropertyReference(entity: entity.name, property: relationship.name)
        return pairs((entity.name, relationship.destinationEntityName)) { from, to in
          concrete.isSuperset(of: [from, to]) && !carries(relationship, from: from, to: to)
            && !isIntended(relationship, from: from, to: to)
        }.map { retiredName(of: past, $0) }
      }
    }
  }

  /// Whether a person has said that the links go: under `drops:`, or by a mapping model that is complete by itself.
  /// An inferred mapping means to drop nothing.
  package func isIntended(_ relationship: RelationshipDescription, from: String, to: String) -> Bool {
    let inverse = source.inverse(of: relationship)?.name
    return takers[from]?.contains { $0.isMeantToDrop(relationship.name) } ?? false
      || inverse.map { name in takers[to]?.contains { $0.isMeantToDrop(name) } ?? false } ?? false
  }
}

extension EntityMapping {
  /// Whether it makes what inference would make of its objects: the same entity, or the renamed one.
  package func mapsToCounterpart(in destination: EntityHierarchy) -> Bool {
    destination.entity(named: destinationEntityName ?? "")?.canonicalName == sourceEntityName
  }

  /// Whether a person has said that a property goes where nothing reads it: under `drops:`, or by a mapping model of Xcode's,
  /// which is complete by itself.
  package func isMeantToDrop(_ property: String) -> Bool {
    droppedProperties.map { isNamed(property, in: $0) } ?? true
  }

  /// Key paths of the source object that its values take or compute with.
  package var valueKeys: [[String]] {
    (attributeMappings + relationshipMappings).flatMap(\.value.keysOfSource)
  }

  /// Key paths of the source object whose values may go on: also those that its filter compares with a constant for equality.
  /// Of `kind == 2`, and of `kind != 2` if there are two kinds, what an object becomes says which value it had.
  package var readKeys: [[String]] {
    valueKeys
      + (filter?.signedComparisons().flatMap { $0.comparison.decidedKeys(isNegated: $0.isNegated) } ?? [])
  }
}

extension PropertyMappingValue {
  /// Key paths of the source object that it takes or computes with.
  package var keysOfSource: [[String]] {
    if case .expression(let expression) = self { return expression.keysOfSource }
    return sourceName.map { [keys(of: $0)] } ?? []
  }

  /// Whether it reads a relationship of the source's object.
  fileprivate func reads(_ name: String) -> Bool { keysOfSource.contains { $0.first == name } }

  /// Whether it is made of the objects that the relationship leads to. `$source.author.mentor` says nothing of authors.
  fileprivate func follows(_ name: String) -> Bool {
    keysOfSource.contains { path in path.filter { !$0.hasPrefix("@") } == [name] }
  }

  /// Whether it is made of all objects that the relationship leads to: not of one at a place, nor of those that fulfill a
  /// condition.
  fileprivate func takesAll(of name: String) -> Bool {
    guard case .expression(let value) = self else { return follows(name) }
    return (value.lookup?.objects ?? value).sourcePath == [name]
  }

  /// Whether it is one object of the source's list, as in `destinationInstances("StopToStop", $source.stops[FIRST])`.
  fileprivate func isOne(of name: String) -> Bool {
    guard case .expression(let expression) = self else { return false }
    return (expression.lookup?.objects ?? expression).indexedList?.sourcePath == [name]
  }
}

extension ComparisonPredicate {
  /// What it compares with a constant for equality. `year >= 2000`, `note != nil` and `length:(note) == 1` do not say which
  /// value it was.
  fileprivate func decidedKeys(isNegated: Bool) -> [[String]] {
    let sides = [left, right]
    guard [.equalTo, .notEqualTo, .in].contains(`operator`),
      sides.contains(where: \.referencedKeyPaths.isEmpty),
      !sides.contains(.constant(.null)) || (`operator` == .equalTo) != isNegated
    else { return [] }
    return sides.filter { if case .keyPath = $0 { true } else { false } }.flatMap(\.keysOfSource)
  }
}

extension Expression {
  /// Key paths of the object, or of those of its group, from the property on: `$sources.@sum.beds` reads `beds`. What
  /// `$destination` has is the result itself.
  package var keysOfSource: [[String]] {
    referencedKeyPaths.filter {
      [.evaluatedObject, .variable("source"), .variable("sources")].contains($0.root)
    }
    .map { Array($0.keys.drop { $0.hasPrefix("@") }) }
  }

  /// Whether it reads an object of the source's list at a place, as in `$source.stops[FIRST].name`.
  fileprivate func takesOne(of name: String) -> Bool {
    if let indexedList { return indexedList.keysOfSource.first?.first == name }
    return parts.contains { $0.takesOne(of: name) }
  }

  /// The list from which it takes what is at a place. Xcode's archives have the function as a place; in a file it is one.
  var indexedList: Expression? {
    switch self {
    case .index(of: let list, let place) where place != .size: list
    case .function(let call) where call.selector == "objectFrom:withIndex:": call.arguments.first
    default: nil
    }
  }
}
