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
          let relationship = transition.destination.relationship(
            named: reference.property, of: reference.entity),
          let target = plan.schema.table(ofEntity: relationship.destinationEntityName)
        else { continue }
        let value = SQLExpression.lookup(column: "Z_ENT", table: target.name, key: .column(foreignKey.name))
        add(
          .update(
            table: table.destination.name, assignments: [.init(recipe.column.name, value)],
            where: .isNotNull(.column(foreignKey.name))))
      }
    }
  }

  /// Places in to-manys that have become ordered.
  mutating func numberOrders() {
    for table in filledTables {
      for recipe in table.recipes where recipe.values.isEmpty {
        switch recipe.column.role {
        case .order(let reference): number(recipe.column, in: table, by: .toOne(reference), reference)
        case .ownerOrder(let reference): number(recipe.column, in: table, by: .owner(reference), reference)
        default: break
        }
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

  private mutating func number(
    _ column: ColumnLayout, in table: TablePlan, by role: ColumnRole, _ reference: PropertyReference
  ) {
    guard hasPast(reference), let owner = table.destination.column(for: role) else { return }
    add(.numberOrder(table: table.destination.name, owner: owner.name, key: "Z_PK", order: column.name))
  }

  /// Whether the relationship begins with any references at all.
  private func hasPast(_ reference: PropertyReference) -> Bool { !transition.links(of: reference).isEmpty }

  private var filledTables: [TablePlan] {
    origins.filter { $0.kind != .new }.compactMap { tablePlans[$0.table.name] }
  }
}
