package import ManagedModel
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
        ownRows: carried.keepsColumns, now: manager.evaluation.now, sortedFrom: step.custom.sortsLookupsFrom)
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

  /// Makes the objects of a mapping by its statement, where it has one.
  ///
  /// - Returns: false if they are left to be made one by one.
  func transferred(_ work: MappingWork) throws -> Bool {
    guard let transfer = work.transfer else { return false }
    guard manager.associations.isKeyed(work.number) else {
      // Somebody has stated already what became of some of its objects: each has its pair then.
      try takeBack(work.fills, of: work)
      work.transfer = nil
      return false
    }
    try failing(work) { work.takenCount = try transfer.insert(into: db, now: manager.evaluation.now) }
    manager.associations.addKeyed(work.takenCount, mapping: work.number)
    return true
  }

  /// Runs a statement of a mapping, and names the object at which it fails.
  func failing(_ work: MappingWork, _ body: () throws -> Void) throws {
    do { try body() } catch let refusal as ValueRefused {
      try nameFault(of: work)
      try call(.createDestinationInstances) { throw refusal }
    }
  }

  /// Looks for the object at which a statement failed, as the same mapping does it object by object.
  private func nameFault(of work: MappingWork) throws {
    guard let shape = work.source else { return }
    try forEachSource(work, shape) { object in
      manager.enterSource(object.key, shape)
      try call(.createDestinationInstances, object.key, shape) { try manager.tryAttributes(of: object) }
    }
  }

  /// Empties all references that came with the rows, because somebody looks at them before they are due.
  func takeBackReferences() throws {
    let context = manager.destinationContext
    guard !context.early.isEmpty else { return }
    context.early = []
    try context.flush()
    for work in work { try takeBack(work.fills, of: work) }
    try openRelationships()
    context.refault()
  }

  /// Leaves references to be set object by object.
  func takeBack(_ fills: [ReferenceFill], of work: MappingWork) throws {
    guard let pairs = work.pairs else { return }
    for fill in fills {
      try manager.destinationContext.rows.clear(
        fill.toOne, of: pairs.destination, where: "Z_PK IN (SELECT d.Z_PK \(pairs.rows))")
      work.transfer?.set(.null, fill.toOne.keySlot)
      work.plan?.origins[fill.toOne.keySlot] = .cell(.null)
    }
    let names = Set(fills.map(\.name))
    work.fills.removeAll { names.contains($0.name) }
  }
}

extension Diagnostic.Code { package static let statementFailed = Self("MC6001") }

extension StoreStatement {
  /// - Returns: the rows that it changed.
  @discardableResult
  func carryOut(in db: StoreDatabase, store: String) throws -> Int {
    do {
      return try execute(self, in: db)
    } catch  where concernsStatement(error) {
      let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
      let help: [String]? = reason.firstMatch(of: #/error in (view|trigger) (.+?)( after .+?)?:/#).map {
        let fault = $0.3 == nil ? "is broken: fix or drop it" : "reads what this step removes: drop it"
        let sql = "DROP \($0.1.uppercased()) \(String($0.2).quotedIdentifier)"
        return ["the app's own \($0.1) '\($0.2)' \(fault) in the store (`\(sql)`), then migrate"]
      }
      throw DiagnosticsError(
        .statementFailed, "a statement of the migration of '\(store)' failed: \(reason)",
        notes: [Diagnostic.Note(sql.count > 200 ? sql.prefix(200) + "…" : sql), "the store is unchanged"],
        help: help ?? [], cocoaCode: 134110)
    }
  }
}
