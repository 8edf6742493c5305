package import ManagedModel
import PersistentStore

extension Passes {
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
    try failing(work) {
      work.takenCount = try transfer.insert(into: db, now: manager.evaluation.now)
    }
    manager.associations.addKeyed(work.takenCount, mapping: work.number)
    return true
  }

  /// Runs a statement of a mapping, and names the object at which it fails.
  func failing(_ work: MappingWork, _ body: () throws -> Void) throws {
    do { try body() } catch let refusal as ValueRefused {
      try nameFault(of: work)
      try call(.createDestinationInstances, of: work) { throw refusal }
    }
  }

  /// Looks for the object at which a statement failed, as the same mapping does it object by object.
  private func nameFault(of work: MappingWork) throws {
    guard let shape = work.source else { return }
    try forEachSource(work, shape) { object in
      manager.enterSource(object.key, shape)
      try call(.createDestinationInstances, of: work, object.key, shape) {
        try manager.tryAttributes(of: object)
      }
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

extension Diagnostic.Code {
  package static let statementFailed = Self("MC6001")
}

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
