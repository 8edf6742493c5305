import ManagedModel
import PersistentStore

/// What a migration takes from a store's persistent history, counted.
///
/// - Parameter mirrors: whether the store mirrors to CloudKit, which exports what the history tells.
func surveyHistory(
  _ db: StoreDatabase, _ history: HistoryTransition, mirrors: Bool
) throws -> [Diagnostic] {
  func count(_ condition: SQLCondition?) throws -> Int {
    try condition.map { try countRows(db, table: history.table.name, where: $0) } ?? 0
  }
  var found: [Diagnostic] = []
  let removed = try count(history.changesRemoved)
  if removed > 0 { found.append(.changesRemoved(removed, mirrors)) }
  let unlabelled = try count(history.changesUnlabelled)
  if unlabelled > 0 { found.append(.changesUnlabelled(unlabelled, mirrors)) }
  let tombstones = try count(history.tombstonesCleared)
  if tombstones > 0 { found.append(.tombstonesCleared(tombstones, mirrors)) }
  return found
}

extension Diagnostic {
  private static func history(_ message: String, _ note: Note, _ mirrors: Bool) -> Diagnostic {
    let exports: Note = "the store mirrors to CloudKit: let the app export its changes before the migration"
    return Diagnostic(
      .coreDataSystemTables, .warning, message, notes: (mirrors ? [exports] : []) + [note])
  }

  fileprivate static func changesRemoved(_ count: Int, _ mirrors: Bool) -> Diagnostic {
    history(
      "the persistent history loses \(changes(count)) of entities that the new version does not have",
      "all other changes and every transaction stay, with their numbers", mirrors)
  }

  fileprivate static func changesUnlabelled(_ count: Int, _ mirrors: Bool) -> Diagnostic {
    history(
      "\(changes(count)) in the persistent history no longer \(count == 1 ? "says" : "say") which properties changed",
      "the history names properties by place, and their entities have other properties now; the objects are still named",
      mirrors)
  }

  fileprivate static func tombstonesCleared(_ count: Int, _ mirrors: Bool) -> Diagnostic {
    history(
      "\(changes(count)) in the persistent history \(count == 1 ? "loses" : "lose") the values kept of deleted objects",
      "their entities preserve other attributes on deletion now", mirrors)
  }
}

private func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
