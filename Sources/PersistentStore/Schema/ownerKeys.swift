package import ManagedModel

extension StoreSchema {
  /// Where the keys of the objects at the near end of a to-many stand: in a join table, or in the destination's.
  package func ownerKeys(
    of relationship: String, seenFrom entity: String, hierarchy: EntityHierarchy
  ) -> (table: String, column: String)? {
    guard let description = hierarchy.relationship(named: relationship, of: entity), description.isToMany,
      let reference = hierarchy.reference(to: relationship, seenFrom: entity)
    else { return nil }
    if let join = joinTable(of: reference) {
      return (join.name, join.source == reference ? join.sourceColumn : join.destinationColumn)
    }
    guard let table = table(ofEntity: description.destinationEntityName) else { return nil }
    let inverse = hierarchy.storedInverse(of: reference)
    return table.column(for: inverse.map { .toOne($0) } ?? .owner(reference)).map { (table.name, $0.name) }
  }
}
