import PersistentStore

extension Passes {
  /// Whether the objects that a policy's mapping made are one for each of the source's, with its key and, in the indexed
  /// columns, its cells: then the indexes have the entries that they had.
  ///
  /// What was written is known without a look at it.
  func keepsIndexes(of table: KeptTable) throws -> Bool {
    let (sourceRows, rows) = (manager.sourceContext.rows, manager.destinationContext.rows)
    guard let work = work.first(where: { $0.destination?.name == table.entityName }), let plan = work.plan,
      let source = work.source, let shape = work.destination, !rows.changes.hasDeletions,
      !rows.changes.hasInsertions(in: shape.tableName),
      try plan.insertedCount == sourceRows.count(ofEntity: source.name),
      try sourceRows.strayCount(inTableOf: source.name) == 0
    else { return false }
    return table.indexedColumns.allSatisfy {
      plan.keepsColumn($0, of: source) && !rows.changes.hasUpdates(of: $0, shape)
    }
  }
}
