import ManagedModel
import PersistentStore

extension Passes {
  /// Computes what the statements left open for the objects of a mapping that stay.
  ///
  /// - Returns: false if none stay.
  func carried(_ work: MappingWork) throws -> Bool {
    guard let carried = work.carried, let shape = work.destination else { return false }
    guard !shape.isAbstract, let transfer = work.transfer else { return true }
    let slots =
      carried.computed.compactMap { shape.attribute($0)?.slot }
      + work.fills.filter { !$0.stands }.map(\.toOne.keySlot)
    try failing(work) {
      try transfer.update(
        Set(slots).sorted(), of: carried.formerNumber, upTo: lastKey(of: shape), in: db,
        ownRows: carried.keepsColumns, now: manager.evaluation.now, sortedFrom: step.sortsLookupsFrom)
    }
    work.takenCount = try work.source.map { try manager.sourceContext.rows.count(ofEntity: $0.name) } ?? 0
    manager.associations.addKeyed(work.takenCount, mapping: work.number)
    return true
  }

  /// The highest key that an object which stays may have; those of new ones are above it.
  private func lastKey(of shape: EntityShape) -> Int64 {
    manager.destinationContext.reservedKeys[shape.rootEntityName]?.value ?? .max
  }

  /// Lets the objects that stay be found from now on: it is their mapping's turn.
  func show(_ work: MappingWork) {
    guard work.carried != nil, let shape = work.destination else { return }
    manager.destinationContext.rows.hiddenKeys[shape.number] = nil
    manager.associations.hidden.remove(work.number)
  }

  /// Objects that stay are there before it is their mapping's turn: until then nobody finds them.
  func hideCarried() throws {
    for work in work where work.carried != nil {
      guard let shape = work.destination, !shape.isAbstract else { continue }
      manager.destinationContext.rows.hiddenKeys[shape.number] = lastKey(of: shape)
      manager.associations.hidden.insert(work.number)
    }
    manager.destinationContext.early = carried.relationships.union(carried.references)
    for work in work {
      for fill in work.fills {
        manager.destinationContext.early.insert(fill.toOne.reference)
        if let inverse = manager.destinationContext.inverse(of: fill.toOne) {
          manager.destinationContext.early.insert(inverse)
        }
      }
    }
  }

  /// Gives up that references stay, because somebody looks at them before they are due.
  func openRelationships() throws {
    settled = []
    touchedTables = nil
    let rows = manager.destinationContext.rows
    for work in work {
      guard let names = work.carried?.relationships, !names.isEmpty, let shape = work.destination else {
        continue
      }
      for name in names { try rows.clear(name, of: shape) }
      work.carried?.relationships = []
    }
  }

  /// Gives up that objects stay whose mapping's turn is yet to come, because somebody states what becomes of them.
  func recreateObjects() throws {
    let rows = manager.destinationContext.rows
    try takeBackReferences()
    for work in work where manager.associations.hidden.contains(work.number) {
      guard let shape = work.destination else { continue }
      show(work)
      try rows.deleteAll(shape, upTo: lastKey(of: shape))
      work.carried = nil
    }
  }

  /// Ends a clone: indexes, derived values, triggers, Core Data's own tables, metadata.
  func complete() throws {
    func isTrigger(_ statement: StoreStatement) -> Bool {
      if case .createTrigger = statement { true } else { false }
    }
    for statement in carried.ending where !isTrigger(statement) { try execute(statement, in: db) }
    for sql in schema.derivedValueStatements(for: model) { try execute(.deriveValues(sql: sql), in: db) }
    for statement in carried.ending where isTrigger(statement) {
      try statement.carryOut(in: db, store: step.store)
    }
    try schema.writePrimaryKeys(formerMaxima: manager.destinationContext.reservedKeys, in: db)
    try model.writeCache(to: db)
    try physical.restartHistory(model: model, frameworkVersion: metadata.frameworkVersion ?? 0, in: db)
    try metadata.updated(for: step.destination, configuration: step.configuration).write(to: db)
  }

  /// Gives objects that are made anew, in their table and with their key, what columns hold that no model knows.
  func keepUnknownColumns(of work: MappingWork) throws {
    guard work.carried == nil, manager.associations.isKeyed(work.number), let pairs = work.pairs,
      let former = manager.sourceContext.rows.schema.table(ofEntity: pairs.source.name),
      let table = schema.table(ofEntity: pairs.destination.name)
    else { return }
    // They stay in their order, some under another name.
    let (old, new) = (former.unknownColumns, table.unknownColumns)
    if new.isEmpty || old.count != new.count { return }
    func list(_ columns: [ColumnLayout]) -> String {
      columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    }
    try manager.destinationContext.flush()
    let name = table.name.quotedIdentifier
    try db.executeStatement(
      """
      UPDATE main.\(name) SET (\(list(new))) = (SELECT \(list(old)) FROM source.\(former.name.quotedIdentifier) AS o \
      WHERE o.Z_PK = \(name).Z_PK) WHERE Z_PK IN (SELECT d.Z_PK \(pairs.rows))
      """)
  }
}
