import ManagedModel
import ModelMapping
import PersistentStore

/// Which of Core Data's own tables do not go along.
package struct LeftOutTables: Hashable, Sendable {
  /// Persistent history.
  package var history = false
  /// What mirroring to CloudKit keeps.
  package var cloudKit = false
  /// Whether dropping them takes time.
  var isLarge = false

  func contains(_ table: String) -> Bool {
    history && isHistoryTable(table) || cloudKit && isCloudKitTable(table)
  }
}

extension StoreTransition {
  /// Whether every entity of the source goes on under its name with the same properties: persistent history names
  /// entities by number, and what changed in them by the places of their properties.
  var keepsProperties: Bool {
    source.model.entities.allSatisfy { entity in
      guard destinationName(ofEntity: entity.name) == entity.name else { return false }
      func facts(_ hierarchy: EntityHierarchy) -> Set<PropertyFact> {
        Set(
          hierarchy.attributes(of: entity.name).map {
            PropertyFact(name: $0.name, kind: $0.preservesValueInHistoryOnDeletion ? 2 : 1)
          } + hierarchy.relationships(of: entity.name).map { PropertyFact(name: $0.name, kind: 0) })
      }
      return facts(source) == facts(destination)
    }
  }
}

private struct PropertyFact: Hashable {
  var name: String
  var kind: Int
}
