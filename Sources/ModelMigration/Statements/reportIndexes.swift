import PersistentStore

extension StatementPlanner {
  /// Says which indexes go that no model explains, and which of the model's are not made.
  mutating func reportIndexes() {
    var surviving: Set<String> = []
    for origin in origins {
      guard let table = tablePlans[origin.table.name] else { continue }
      if origin.kind == .kept {
        let changes = indexChanges(of: table)
        surviving.formUnion(changes.kept.union(changes.renamed.map(\.name)))
      } else if origin.kind == .rebuilt {
        surviving.formUnion(remade(of: table).map(\.name))
      }
    }
    plan.diagnostics += indexFindings(
      of: transition.schema, explainedBy: transition.derivedSchema, to: plan.schema
    ) { surviving.contains($0.name) }
  }
}
