import ManagedModel
import PersistentStore

/// Compares a store that was changed in place with its plan, before the change is committed: always the schema, and rows
/// and references where the statements touched them. A change of the schema alone reads no row.
///
/// - Parameter formerlyDangling: how many references led nowhere before; nil where no reference is touched.
/// - Returns: the number of objects, as the plan says it.
/// - Throws: ``DiagnosticsError`` with every finding (MC6006, MC6301, MC6302).
func proveInPlace(_ plan: MigrationPlan, on db: StoreDatabase, formerlyDangling: Int?) throws -> Int {
  var (schema, findings) = try proveSchema(plan, on: db)
  let footprint = StatementFootprint(plan.statementPlan, shares: [:])
  for table in plan.schema.tables where footprint.changedRowSets.contains(table.name) {
    findings += try proveRows(of: table, plan, on: db).findings
  }
  if let formerlyDangling {
    findings += try proveReferences(plan, on: db, schema: schema) { formerlyDangling }.findings
  }
  if !findings.isEmpty { throw DiagnosticsError(findings) }
  return plan.objectBound
}

extension MigrationPlan {
  /// Whether a statement gives references other values, or removes what they lead to.
  var touchesReferences: Bool {
    let footprint = StatementFootprint(statementPlan, shares: [:])
    return !footprint.changedRowSets.isEmpty || schema.hasReferences(among: footprint)
  }
}

extension StoreSchema {
  /// Whether a column that is given values holds keys of other objects.
  func hasReferences(among footprint: StatementFootprint) -> Bool {
    tables.contains { table in
      let changed = footprint.changedColumns[table.name] ?? []
      return table.columns.contains { column in
        switch column.role {
        case .toOne, .owner: changed.contains(column.name)
        default: false
        }
      }
    }
  }
}
