import ModelMapping
import PersistentStore

extension Passes {
  /// Begins to look at the source for what of its cells goes on as they are, while the passes work.
  ///
  /// - Returns: nil where a policy may change any cell, or a drop rule removes objects, so that nothing is known of the
  ///   result.
  static func checkAtSource(_ step: CustomStep, _ file: PrivateStore) throws -> SideWork<CheckedCells>? {
    let tables = step.keptTables
    let isPlain = step.mappingModel.entityMappings.allSatisfy {
      $0.policyName == nil && $0.onDrop != .cascade
    }
    guard !tables.isEmpty, isPlain, let reader = file.sourceReader else { return nil }
    let (from, to, configuration) = (step.source.model, step.destination.model, step.configuration)
    return SideWork { shouldStop in
      try reader.read { db in
        try db.interrupting(when: shouldStop) {
          let physical = try readPhysicalSchema(db)
          let version = try readStoreMetadata(db).frameworkVersion ?? 0
          let (before, after) = (
            from.restricted(toConfiguration: configuration), to.restricted(toConfiguration: configuration)
          )
          let former = BoundSchema(bindSchema(physical, to: before).schema, before)
          return try checkCarriedCells(
            of: tables, joins: findKeptJoins(physical, bound: former.schema), in: db, from: former,
            to: BoundSchema(layOutStore(for: after, frameworkVersion: version), after))
        }
      }
    }
  }

  /// Cells of the result that need no look: what was found in order at the source and is what it was, and derived values,
  /// which no rule concerns.
  func settledCells() -> CheckedCells {
    var cells = derivedCells
    guard work.allSatisfy({ $0.policyName == nil }) else { return cells }
    cells.joinTables = keptTables.soundJoins
    let early = keptTables.checkedCells()
    let isRelated = work.contains { !$0.openRelationships.isEmpty }
    for work in work {
      guard let transfer = work.transfer, let table = keptTables.adopted[transfer.destination.tableName],
        let columns = early.columns[table.name]
      else { continue }
      let shape = transfer.destination
      var kept = columns.intersection(transfer.keptColumns)
      for case .toOne(let toOne) in shape.properties.values {
        let isSettled = work.fills.contains { fill in
          fill.toOne.keySlot == toOne.keySlot && fill.isWhole && work.settled.contains(fill.name)
            && keptTables.adopted[fill.targets.tableName] != nil
        }
        if isRelated || !isSettled { kept.remove(shape.columnNames[toOne.keySlot]) }
      }
      // The key stays, and one statement has given all rows the number of the entity.
      if columns.contains("Z_PK") { kept.formUnion(["Z_PK", "Z_ENT"]) }
      cells.columns[table.name, default: []].formUnion(kept)
    }
    return cells
  }

  /// They are computed from what is looked at.
  var derivedCells: CheckedCells {
    var cells = CheckedCells()
    let hierarchy = manager.destinationContext.hierarchy
    for table in schema.tables {
      let derived = table.columns.filter { column in
        guard case .attribute(let reference) = column.role else { return false }
        return hierarchy.attribute(named: reference.property, of: reference.entity)?.isDerived == true
      }
      if !derived.isEmpty { cells.columns[table.name] = Set(derived.map(\.name)) }
    }
    return cells
  }
}
