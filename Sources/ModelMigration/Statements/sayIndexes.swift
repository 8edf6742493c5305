import PersistentStore

extension StatementPlanner {
  /// Says which indexes go that no model explains, and which of the model's are not made.
  mutating func sayIndexes() {
    var surviving: Set<String> = []
    for origin in origins {
      guard let table = tablePlans[origin.table.name] else { continue }
      if origin.kind == .kept {
        let fates = indexFates(of: table)
        surviving.formUnion(fates.kept.union(fates.renamed.map(\.name)))
      } else if origin.kind == .rebuilt {
        surviving.formUnion(remade(of: table).map(\.name))
      }
    }
    plan.diagnostics += indexFindings(
      of: transition.schema, explainedBy: transition.derivedSchema, to: plan.schema
    ) { surviving.contains($0.name) }
  }
}
