import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Entity numbers of a relationship's objects, where the source did not have them: once every table has its rows
  /// and numbers.
  mutating func lookUpDiscriminators() {
    for table in filledTables {
      for recipe in table.recipes where recipe.values.isEmpty {
        guard case .discriminator(let reference) = recipe.column.role, hasPast(reference),
          let foreignKey = table.destination.column(for: .toOne(reference)),
          let relationship = transition.destination.relationship(reference),
          let target = plan.schema.table(ofEntity: relationship.destinationEntityName)
        else { continue }
        // By entity, not by a correlated lookup: one of the target's own columns may have the key's name.
        for entity in plan.schema.entities where entity.rootEntityName == target.rootEntityName {
          guard transition.sourceName(ofEntity: entity.name) != nil else { continue }
          set(
            recipe.column.name, .literal("\(entity.number)"), in: table.destination.name,
            where: .refers(column: foreignKey.name, table: target.name, to: .entity(in: [entity.number])))
        }
      }
    }
  }

  /// Places in to-manys that have become ordered.
  mutating func numberOrders() {
    for table in filledTables {
      for recipe in table.recipes where recipe.values.isEmpty {
        guard let role = recipe.column.role.placedBy, let reference = role.property, hasPast(reference),
          let owner = table.destination.column(for: role)
        else { continue }
        add(
          .numberOrder(
            table: table.destination.name, owner: owner.name, key: "Z_PK", order: recipe.column.name))
      }
    }
    for join in joinPlans where join.source != nil || !join.others.isEmpty {
      for column in join.numberedOrderColumns {
        add(
          .numberOrder(
            table: join.destination.name, owner: column.owner, key: column.key, order: column.name))
      }
    }
  }

  /// Whether the relationship begins with any references at all.
  private func hasPast(_ reference: PropertyReference) -> Bool { !transition.links(of: reference).isEmpty }
}
