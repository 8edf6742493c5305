package import ManagedModel

extension StoreSchema {
  /// Where the keys of the objects at the near end of a to-many stand: in a join table, or in the destination's.
  package func ownerKeys(
    of relationship: String, seenFrom entity: String, hierarchy: EntityHierarchy
  ) -> (table: String, column: String)? {
    guard let description = hierarchy.relationship(named: relationship, of: entity), description.isToMany,
      let declaring = hierarchy.declaringEntityName(of: relationship, seenFrom: entity)
    else { return nil }
    let reference = PropertyReference(entity: declaring, property: relationship)
    if let join = joinTable(of: reference) {
      return (join.name, join.source == reference ? join.sourceColumn : join.destinationColumn)
    }
    guard let table = table(ofEntity: description.destinationEntityName) else { return nil }
    var role = ColumnRole.owner(reference)
    if let inverse = hierarchy.storedInverse(of: description),
      let inverseEntity = hierarchy.declaringEntityName(
        of: inverse.name, seenFrom: description.destinationEntityName)
    {
      role = .toOne(PropertyReference(entity: inverseEntity, property: inverse.name))
    }
    return table.column(for: role).map { (table.name, $0.name) }
  }
}

extension EntityHierarchy {
  /// The inverse, where it is stored.
  package func storedInverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    inverse(of: relationship).flatMap { $0.isTransient ? nil : $0 }
  }
}
