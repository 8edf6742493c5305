import ManagedModel
import ModelMigration
import PersistentStore

/// A relationship to many that both sides have, where the columns of its members do not tell all of it: links of join
/// tables, and places.
struct ComparedLinks {
  let old: ToManyReader
  let new: ToManyReader
  let isOrdered: Bool
  /// Whether the members' own columns say whose they are; then their order alone is compared.
  let isInMembers: Bool
  /// The entities whose objects may be members still; empty for all.
  let reachable: Set<String>
  /// Whether mappings of other entities write links of their own, which are not compared.
  let givesWay: Bool
  /// The owners whose members differ.
  var changed: StoreComparison.Property

  mutating func compare(of owner: Int64) throws {
    var before = try old.members(of: owner).filter {
      reachable.isEmpty || reachable.contains($0.entityName)
    }.map(\.primaryKey)
    var after = try new.members(of: owner).map(\.primaryKey)
    let kept = givesWay ? Set(before) : []
    if givesWay { after.removeAll { !kept.contains($0) } }
    if !isOrdered { (before, after) = (before.sorted(), after.sorted()) }
    if isInMembers, before != after {
      let both = Set(before).intersection(after)
      before.removeAll { !both.contains($0) }
      after.removeAll { !both.contains($0) }
    }
    if before != after { changed.objects.add(owner) }
  }
}

extension ComparedPath {
  func links(
    _ mapping: EntityMapping, _ source: BoundSide, _ destination: BoundSide
  ) throws -> [ComparedLinks] {
    guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else { return [] }
    let shapes = (source.shape(of: from), destination.shape(of: to))
    return try mapping.relationshipMappings.compactMap { property -> ComparedLinks? in
      guard !property.givesWay || !property.reachableEntities.isEmpty, let name = property.value.sourceName,
        case .toMany(let old)? = shapes.0?.properties[name],
        case .toMany(let new)? = shapes.1?.properties[property.name],
        let relationship = destination.hierarchy.relationship(new.reference),
        keepsKeys(of: relationship, in: destination.hierarchy)
      else { return nil }
      let isOrdered = property.keepsOrder && old.isOrdered && new.isOrdered
      // What members say themselves is compared with them, and a link is compared from one of its ends.
      let isSeenElsewhere =
        new.usesJoinTable
        ? destination.schema.joinTable(of: new.reference)?.source != new.reference : !old.usesJoinTable
      if !isOrdered, isSeenElsewhere { return nil }
      guard let before = try source.members(old), let after = try destination.members(new) else { return nil }
      return ComparedLinks(
        old: before, new: after, isOrdered: isOrdered, isInMembers: !old.usesJoinTable && !new.usesJoinTable,
        reachable: property.reachableEntities, givesWay: property.givesWay,
        changed: StoreComparison.Property(name: property.name, objects: .init()))
    }
  }
}

extension BoundSide {
  fileprivate func shape(of entity: String) -> EntityShape? {
    EntityShape(entity, schema: schema, hierarchy: hierarchy)
  }

  /// A custom step drops links that lead nowhere, and says so.
  fileprivate func members(_ toMany: ToManyShape) throws -> ToManyReader? {
    try ToManyReader(toMany, db, schema, hierarchy, takesDangling: false)
  }
}
