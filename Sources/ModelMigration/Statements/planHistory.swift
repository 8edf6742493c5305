import ManagedModel
import PersistentStore

/// What a migration changes in persistent history, which names entities by number and properties by place. All numbers
/// are those of the source.
///
/// No genuine store proves what the bits of `ZCOLUMNS` stand for. They are cleared where an entity's properties change:
/// the history then says which object changed, not which properties.
struct HistoryTransition {
  /// The table in which history keeps its changes (`ACHANGE`).
  let table: String
  /// Its columns for values that deleted objects leave behind.
  private let tombstones: [String]
  /// Entities that go, and their changes with them.
  private(set) var removed: [Int] = []
  private(set) var renumbered: [Int: Int] = [:]
  /// Entities whose properties are others.
  private(set) var reshaped: [Int] = []
  /// Entities whose attributes that are preserved on deletion are others, so that tombstones would be misread.
  private(set) var retombed: [Int] = []
  private var missingTombstones: [String] = []

  /// - Returns: nil if the store keeps no history, or not in the form of genuine stores.
  init?(_ transition: StoreTransition) {
    guard let table = transition.changeTable else { return nil }
    let columns = Set(table.columns.map { $0.name.uppercased() })
    guard columns.isSuperset(of: ["ZENTITY", "ZCOLUMNS", "ZCHANGETYPE"]) else { return nil }
    self.table = table.name
    tombstones = (0...).lazy.map { "ZTOMBSTONE\($0)" }.prefix { columns.contains($0) }.map(\.self)
    for entity in transition.schema.entities {
      guard let name = transition.destinationName(ofEntity: entity.name),
        let number = transition.newNumber(ofDestination: name)
      else {
        removed.append(entity.number)
        continue
      }
      if number != entity.number { renumbered[entity.number] = number }
      let (old, new) = (transition.source, transition.destination)
      if Set(old.propertyNames(of: entity.name)) != Set(new.propertyNames(of: name)) {
        reshaped.append(entity.number)
      }
      if old.preservedNames(of: entity.name) != new.preservedNames(of: name) {
        retombed.append(entity.number)
      }
    }
    let needed = transition.destination.model.entities.map {
      transition.destination.preservedNames(of: $0.name).count
    }
    missingTombstones = (tombstones.count..<max(tombstones.count, needed.max() ?? 0)).map {
      "ZTOMBSTONE\($0)"
    }
  }

  var changesRemoved: SQLCondition? { condition(removed) }
  var changesUnlabelled: SQLCondition? {
    condition(reshaped).map { .all([$0, .isNotNull(.column("ZCOLUMNS"))]) }
  }
  var tombstonesCleared: SQLCondition? {
    guard !tombstones.isEmpty else { return nil }
    return condition(retombed).map { .all([$0, .any(tombstones.map { .isNotNull(.column($0)) })]) }
  }

  private func condition(_ numbers: [Int]) -> SQLCondition? {
    numbers.isEmpty ? nil : .number(of: "ZENTITY", in: numbers)
  }

  var statements: [StoreStatement] {
    var statements = missingTombstones.map {
      StoreStatement.addColumn(table: table, column: $0, declaredType: "BLOB")
    }
    func clear(_ columns: [String], _ condition: SQLCondition?) {
      guard let condition else { return }
      statements.append(
        .update(table: table, assignments: columns.map { .init($0, .null) }, where: condition))
    }
    if let changesRemoved { statements.append(.delete(from: table, where: changesRemoved)) }
    clear(["ZCOLUMNS"], changesUnlabelled)
    clear(tombstones, tombstonesCleared)
    if let moved = condition(renumbered.keys.sorted()) {
      statements.append(
        .update(
          table: table,
          assignments: [.init("ZENTITY", .renumbered(.column("ZENTITY"), renumbered))], where: moved))
    }
    return statements
  }
}

extension EntityHierarchy {
  fileprivate func preservedNames(of entity: String) -> Set<String> {
    Set(attributes(of: entity).filter(\.preservesValueInHistoryOnDeletion).map(\.name))
  }
}
