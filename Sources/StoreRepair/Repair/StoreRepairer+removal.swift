import Foundation
import GRDB
package import ManagedModel
import PersistentStore

/// What is removed because somebody asked for it, not because it is damaged.
extension StoreRepairer {
  /// Deletes objects that have lost every owner whose deletion would have deleted them, and what goes with them by the
  /// model's delete rules.
  ///
  /// As in Core Data `cascade` takes along, and `deny` keeps an object as long as it leads to one that stays, with all that
  /// would take it along; other references to what is deleted are cleared. Objects of other entities that are taken along
  /// count as lost: nobody has named them.
  ///
  /// - Parameter names: the entities, with their sub-entities; all that have owners where it is "all".
  /// - Returns: the entities that had orphans, and what was kept by which relationship.
  func dropOrphans(of names: [String], ofStoreAt path: String) throws -> (
    entities: [String], kept: [Diagnostic]
  ) {
    try refuseMirrored(
      ": CloudKit would restore objects that are deleted here",
      help: "delete them in the app, with NSPersistentCloudKitContainer, so that the deletion is exported")
    let cascades = store.relationships(withDeleteRule: .cascade)
    let isAll = names == ["all"] && store.schema.entity(named: "all") == nil
    var chosen: Set<String> = []
    for name in isAll ? [] : names {
      guard store.schema.entity(named: name) != nil else {
        throw DiagnosticsError(.noEntity(name, in: target.version))
      }
      chosen.formUnion(store.hierarchy.descendantNames(includingSelf: name))
    }
    let entities = store.schema.entities.compactMap { entity in
      store.isOrphan(entity, cascades).map { (entity: entity, $0.condition, $0.owners) }
    }.filter { isAll || chosen.contains($0.entity.name) }
    guard !entities.isEmpty else {
      throw DiagnosticsError(
        .removalRefused,
        isAll
          ? "no object of '\(target.version.name)' can be an orphan: no cascade relationship leads to another entity"
          : "objects of \(names.listed) cannot be orphans: no cascade relationship from another entity leads to them",
        notes: ["nothing was written"],
        help: [
          "`modelc inspect --sizes STORE` shows what takes room in a store, and which objects are orphans"
        ])
    }
    // An object of a table: an orphan (0), taken along (1), or kept by `deny` (-1).
    try prepare(
      "CREATE TEMP TABLE gone (home TEXT, id INTEGER, state INTEGER, PRIMARY KEY (home, id)) WITHOUT ROWID")
    var owners: [String: [PropertyReference]] = [:]
    for (entity, condition, references) in entities {
      guard let table = store.schema.table(ofEntity: entity.name) else { continue }
      let count = try prepare(
        "INSERT INTO gone SELECT \(table.name.sqlText), t.Z_PK, 0 FROM \(table.name.quotedIdentifier) AS t WHERE \(condition)"
      )
      if count > 0 { owners[entity.name] = references }
    }
    let kept = try applyDeleteRules(cascades)
    try delete(orphans: owners, ofStoreAt: path)
    try prepare("DROP TABLE temp.gone")
    try repairRows()
    try repairDerivedValues()
    return (store.schema.entities.map(\.name).filter { owners[$0] != nil }, kept)
  }

  /// Adds to the orphans what they take along, and leaves out those that are not to be deleted.
  private func applyDeleteRules(_ cascades: [RelationshipRows]) throws -> [Diagnostic] {
    let denials = store.relationships(withDeleteRule: .deny)
    var kept = denials.map { (reference: $0.reference, count: 0) }
    while true {
      try spread(from: "state >= 0", along: cascades.map(\.downwards)) {
        "INSERT OR IGNORE INTO gone SELECT home, id, 1 FROM \($0)"
      }
      var count = 0
      for (index, link) in denials.enumerated() {
        let denied = try prepare(
          """
          UPDATE gone SET state = -1 WHERE home = \(link.owner.name.sqlText) AND state >= 0 AND id IN (SELECT owner FROM (\(link.pairs)) \
          WHERE owned NOT IN (SELECT id FROM gone WHERE home = \(link.owned.name.sqlText) AND state >= 0))
          """)
        kept[index].count += denied
        count += denied
      }
      if count == 0 {
        return kept.filter { $0.count > 0 }.map { owner, count in
          Diagnostic(
            .removalRefused, .warning,
            "\(count) \(verb(count, "object", "objects")) of '\(owner.entity)' \(verb(count, "stays", "stay")), with \(verb(count, "its", "their")) owners: "
              + "'\(owner.property)' leads to objects that stay, and its delete rule is deny",
            subject: ModelSubject(entity: owner.entity, property: owner.property),
            notes: ["an app could not delete \(verb(count, "it", "them")) either"])
        }
      }
      // What would take those along stays too. What else goes along is found once more, from the orphans that are left.
      try spread(from: "state < 0", along: cascades.map(\.upwards)) {
        "UPDATE gone SET state = -1 WHERE state >= 0 AND (home, id) IN (SELECT home, id FROM \($0))"
      }
      try prepare("DELETE FROM gone WHERE state = 1")
    }
  }

  /// Follows references from objects in `gone`, and from those in turn; each object is reached once.
  ///
  /// - Parameter statement: uses what was reached.
  private func spread(
    from condition: String, along steps: [String], _ statement: (_ reached: String) -> String
  ) throws {
    // SQLite joins at most 500 queries.
    let parts = stride(from: 0, to: steps.count, by: 400).map { steps[$0..<min($0 + 400, steps.count)] }
    var hasMore = true
    while hasMore {
      hasMore = false
      for part in parts {
        let count = try prepare(
          "WITH RECURSIVE reached (home, id) AS (SELECT home, id FROM gone WHERE \(condition) UNION "
            + part.joined(separator: " UNION ") + ") " + statement("reached"))
        hasMore = hasMore || count > 0 && parts.count > 1
      }
    }
  }

  private func delete(orphans: [String: [PropertyReference]], ofStoreAt path: String) throws {
    let folder = try dataFolder(ofStoreAt: path)
    for table in store.schema.tables {
      let gone = "Z_PK IN (SELECT id FROM temp.gone WHERE home = \(table.name.sqlText) AND state >= 0)"
      for column in table.columns {
        guard let folder else { break }
        let files = try store.externalFiles(db, of: column, in: table, where: gone, folder: folder)
        report.unusedFiles += files.count
        report.unusedFileBytes = report.unusedFileBytes.addingClamped(files.bytes)
      }
      for entity in store.schema.entities(in: table) {
        let owners = orphans[entity.name]?.map { "'\($0.path)'" }.joined(separator: " or ")
        try change(
          .orphans, entity: entity.name, isLoss: owners == nil,
          "DELETE FROM \(table.name.quotedIdentifier) WHERE Z_ENT = \(entity.number) AND \(gone)"
        ) { count in
          let reason =
            owners.map { "that no \($0) leads to" } ?? "that \(verb(count, "belongs", "belong")) to them"
          return "\(objects(count, of: entity.name)) \(reason) \(verb(count, "is", "are")) dropped"
        }
      }
    }
  }

  /// Drops the transactions of persistent history that are older than a date, with their changes.
  ///
  /// The last one stays: tokens are its number, which is not to be given out again.
  ///
  /// - Throws: MC6504 where the store keeps no history, or where CloudKit's mirroring reads it.
  func purgeHistory(before date: Date) throws {
    try refuseMirrored(
      ", which still needs its persistent history", "; no documented one shows how far mirroring has read",
      help:
        "let the app do it, with NSPersistentHistoryChangeRequest.deleteHistory(before:) and a date some months ago"
    )
    let physical = try db.readPhysicalSchema()
    guard let saves = physical.table(named: "ATRANSACTION"), let changes = physical.table(named: "ACHANGE")
    else {
      throw DiagnosticsError(
        .removalRefused, "the store keeps no persistent history", notes: ["nothing was written"],
        help: ["leave out `--purge-before`"])
    }
    let (table, time) = (saves.name.quotedIdentifier, date.timeIntervalSinceReferenceDate)
    let old =
      "typeof(ZTIMESTAMP) IN ('real', 'integer') AND ZTIMESTAMP < \(time) AND Z_PK < (SELECT MAX(Z_PK) FROM \(table))"
    try change(
      .history,
      "DELETE FROM \(changes.name.quotedIdentifier) WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM \(table) WHERE \(old))"
    ) { "\($0) \(verb($0, "change", "changes")) in the persistent history \(verb($0, "is", "are")) dropped" }
    try change(.history, "DELETE FROM \(table) WHERE \(old)") {
      "\($0) \(verb($0, "transaction", "transactions")) of the persistent history \(verb($0, "is", "are")) dropped"
    }
  }

  /// What CloudKit has not got yet stands in the history, and no documented place tells how far mirroring has read it.
  private func refuseMirrored(_ reason: String, _ detail: String = "", help: String) throws {
    let count = try db.readPhysicalSchema().tables.count { $0.name.isCloudKitTable }
    if count == 0 { return }
    throw DiagnosticsError(
      .removalRefused, "the store is mirrored to CloudKit\(reason)",
      notes: ["it has \(count) tables for that\(detail)", "nothing was written"], help: [help])
  }
}

extension Diagnostic.Code { package static let removalRefused = Self("MC6504", exit: .store) }

extension RelationshipRows {
  /// From owners that were reached to what they lead to.
  fileprivate var downwards: String { step(from: owner, "owner", to: owned, "owned") }
  fileprivate var upwards: String { step(from: owned, "owned", to: owner, "owner") }

  private func step(from start: TableLayout, _ known: String, to end: TableLayout, _ found: String) -> String
  {
    "SELECT \(end.name.sqlText), p.\(found) FROM reached CROSS JOIN (\(pairs)) AS p "
      + "WHERE reached.home = \(start.name.sqlText) AND p.\(known) = reached.id"
  }
}
