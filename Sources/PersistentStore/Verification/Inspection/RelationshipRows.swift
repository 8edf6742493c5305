package import ManagedModel

/// Which objects lead to which by a stored relationship: for what follows from its delete rule.
package struct RelationshipRows: Sendable {
  /// The relationship, by the entity that declares it: the owner.
  package let reference: PropertyReference
  /// The entity that it leads to.
  package let ownedEntity: String
  package let owner: TableLayout
  package let owned: TableLayout
  /// The query for the keys of both, as `owner` and `owned`.
  package let pairs: String

  /// That some owner leads to the row `t` of its table.
  var isHeld: String {
    "EXISTS (SELECT 1 FROM (\(pairs)) AS p JOIN \(owner.name.quotedIdentifier) AS o ON o.Z_PK = p.owner "
      + "WHERE p.owned = t.Z_PK)"
  }
}

extension VerifiedStore {
  /// The stored relationships with a delete rule.
  package func relationships(withDeleteRule rule: DeleteRule) -> [RelationshipRows] {
    schema.entities.flatMap { entity in
      (hierarchy.entity(named: entity.name)?.relationships ?? []).filter { $0.deleteRule == rule }
        .flatMap { rows(of: PropertyReference(entity: entity.name, property: $0.name), $0) }
    }
  }

  private func rows(
    of reference: PropertyReference, _ relationship: RelationshipDescription
  ) -> [RelationshipRows] {
    guard let owner = schema.table(ofEntity: reference.entity),
      let owned = schema.table(ofEntity: relationship.destinationEntityName)
    else { return [] }
    func rows(_ table: String, owner ownerColumn: String, owned ownedColumn: String) -> RelationshipRows {
      let (ownerColumn, ownedColumn) = (ownerColumn.quotedIdentifier, ownedColumn.quotedIdentifier)
      return RelationshipRows(
        reference: reference, ownedEntity: relationship.destinationEntityName, owner: owner, owned: owned,
        pairs: "SELECT \(ownerColumn) AS owner, \(ownedColumn) AS owned FROM \(table.quotedIdentifier) "
          + "WHERE \(ownerColumn) IS NOT NULL AND \(ownedColumn) IS NOT NULL")
    }
    if let column = owner.column(for: .toOne(reference)) {
      return [rows(owner.name, owner: "Z_PK", owned: column.name)]
    }
    if let join = schema.joinTable(seenFrom: reference) {
      // A relationship that is its own inverse leads both ways.
      return (join.isOwnInverse ? [join, join.reversed] : [join]).map {
        rows($0.name, owner: $0.near.column, owned: $0.far.column)
      }
    }
    let inverse = hierarchy.storedInverse(of: reference)
    let column = owned.column(for: .owner(reference)) ?? inverse.flatMap { owned.column(for: .toOne($0)) }
    return column.map { [rows(owned.name, owner: $0.name, owned: "Z_PK")] } ?? []
  }

  /// That a row `t` of exactly this entity has lost all owners that would take it along (`cascade`).
  ///
  /// Nil where that says nothing: without such a relationship, or where the only ones lead from objects of the same kind, as
  /// from a folder to the folders in it: those at the top have no owner and are no orphans.
  ///
  /// - Parameter cascades: all relationships with that rule.
  package func isOrphan(
    _ entity: EntityLayout, _ cascades: [RelationshipRows]
  ) -> (condition: String, owners: [PropertyReference])? {
    let owners = cascades.filter { hierarchy.isKind(entity.name, of: $0.ownedEntity) }
    let others = owners.filter { owner in
      !hierarchy.isKind(entity.name, of: owner.reference.entity)
        && !hierarchy.isKind(owner.reference.entity, of: entity.name)
    }
    guard !others.isEmpty else { return nil }
    let conditions = ["t.Z_ENT = \(entity.number)"] + owners.map { "NOT \($0.isHeld)" }
    return (conditions.joined(separator: " AND "), others.map(\.reference))
  }
}
