/// Which source relationship each destination relationship continues, and which side of a pair gives the references.
///
/// A relationship and its inverse are one fact, stored twice. Where only one side continues a source relationship, that
/// side gives the references for both. Where both do but were no pair, they may contradict each other. Then one side
/// counts: the to-one before the to-many, then the side that continues more relationships, then canonical names.
struct RelationshipSources {
  private let source: EntityHierarchy
  private let destination: EntityHierarchy
  /// Destination entity → source entity.
  private let pairs: [String: String]
  /// Source entity → destination entities; inference gives one at most.
  private let successors: [String: Set<String>]
  /// Destination entity → its relationship → the source entity's relationship.
  private let matches: [String: [String: String]]

  init(
    _ inference: Inference, pairs: [String: String], matches: [String: [String: String]],
    successors: [String: Set<String>]? = nil
  ) {
    (source, destination) = (inference.sourceHierarchy, inference.destinationHierarchy)
    self.pairs = pairs
    self.successors = successors ?? Dictionary(pairs.map { ($1, [$0]) }, uniquingKeysWith: { $0.union($1) })
    self.matches = matches
  }

  /// The mapping of one relationship of an entity that has a past itself.
  func mapping(of relationship: RelationshipDescription, entity: String) -> PropertyMapping {
    let name = relationship.name
    let own = matches[entity]?[name].map { match in
      let old = pairs[entity].flatMap { source.relationship(named: match, of: $0) }
      // Entities of the source that the relationship led to and leads to still are reachable.
      return PropertyMapping(
        name: name, value: .source(match), keepsOrder: relationship.isOrdered && old?.isOrdered == true,
        reachableEntities: Set(
          (old.map { source.descendantNames(includingSelf: $0.destinationEntityName) } ?? [])
            .filter { leads(relationship, to: $0) }))
    }
    let empty = PropertyMapping(name: name, value: .constant(nil))
    guard let side = destination.reference(to: name, seenFrom: entity),
      let inverse = destination.storedInverse(of: side), inverse != side
    else { return own ?? empty }
    let others = sources(of: inverse)
    if others.isEmpty || !yields(side, to: inverse) { return own ?? empty }
    var given = empty
    if let own, own.keepsOrder, isJoined(side, by: inverse) { given = own }
    given.referrers = others
    given.reachableEntities = Set(others.map(\.entity).filter { leads(relationship, to: $0) })
    return given
  }

  /// Whether a list goes on with its objects, and others join these that led to it from another table: they are made one by
  /// one, and follow those that have places.
  private func isJoined(_ list: PropertyReference, by inverse: PropertyReference) -> Bool {
    let own = sources(of: list)
    let roots = own.compactMap { source.relationship($0) }.map {
      source.rootName(of: $0.destinationEntityName)
    }
    let others = sources(of: inverse)
    let members = others.filter { roots.contains(source.rootName(of: $0.entity)) }
    // Rows of other tables can only be made anew: no statement keeps them.
    let bringsRows = others.contains {
      !members.contains($0) && source.entity(named: $0.entity)?.isAbstract == false
    }
    return bringsRows && destination.relationship(inverse)?.isToMany == false
      && wereInverses(own, members) && wereInverses(members, own)
  }

  private func leads(_ relationship: RelationshipDescription, to sourceName: String) -> Bool {
    successors[sourceName, default: []].contains {
      destination.isKind($0, of: relationship.destinationEntityName)
    }
  }

  /// The source relationships that the declared one continues, for every entity that has it.
  func sources(of side: PropertyReference) -> [PropertyReference] {
    destination.descendantNames(includingSelf: side.entity).compactMap { name in
      guard let sourceName = pairs[name], let match = matches[name]?[side.property] else { return nil }
      return PropertyReference(entity: sourceName, property: match)
    }
  }

  /// Whether the inverse gives the references.
  private func yields(_ side: PropertyReference, to inverse: PropertyReference) -> Bool {
    let own = sources(of: side)
    if own.isEmpty { return true }
    // In some genuine models the inverse's own inverse is a third relationship. Each then gives its own references.
    guard destination.storedInverse(of: inverse) == side else { return false }
    let others = sources(of: inverse)
    if wereInverses(own, others), wereInverses(others, own) { return false }
    return rank(inverse, sources: others.count) < rank(side, sources: own.count)
  }

  private func wereInverses(_ left: [PropertyReference], _ right: [PropertyReference]) -> Bool {
    let known = Set(right.compactMap { source.reference(to: $0.property, seenFrom: $0.entity) })
    return left.allSatisfy { source.inverse(of: $0).map(known.contains) ?? false }
  }

  private func rank(_ side: PropertyReference, sources: Int) -> (Int, Int, String, String) {
    let relationship = destination.relationship(side)
    return (
      relationship?.isToMany == true ? 1 : 0, -sources,
      destination.entity(named: side.entity)?.canonicalName ?? side.entity,
      relationship?.canonicalName ?? side.property
    )
  }
}
