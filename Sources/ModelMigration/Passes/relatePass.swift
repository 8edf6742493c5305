import ManagedModel
import ModelMapping
import PersistentStore

extension Passes {
  /// Sets the relationships of every object that a mapping made.
  func relate() throws {
    for work in work {
      enter(work)
      if work.policyName != nil || !work.relationships.isEmpty, work.destination != nil {
        var done: Int64 = 0
        try manager.associations.forEachDestination(ofMapping: work.number) { source, destination in
          guard let object = manager.destinationContext.object(destination) else { return }
          manager.currentSource = source
          try call(.createRelationships, of: work, object: destination) {
            try work.policy.createRelationships(forDestination: object, in: work.mapping, manager: manager)
            try manager.destinationContext.flushIfMany()
          }
          done += 1
          if done % 256 == 0 {
            reportProgress(.relate, entity: destination.entityName, completed: done, total: 0)
          }
        }
      }
      manager.currentSource = nil
      try call(.endRelationshipCreation, of: work) {
        try work.policy.endRelationshipCreation(forMapping: work.mapping, manager: manager)
        try manager.destinationContext.flush()
      }
    }
    manager.migrationProgress = 0.75
  }
}
