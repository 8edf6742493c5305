import ManagedModel
import ModelMapping
import PersistentStore

extension Passes {
  /// Sets the relationships of every object that a mapping made.
  func relate() throws {
    manager.destinationContext.filledEntities = []
    for work in work {
      enter(work)
      try settle(work)
      if work.policyName != nil || !work.openRelationships.isEmpty, let shape = work.destination {
        try relateObjects(work, shape)
      }
      manager.currentSource = nil
      try call(.endRelationshipCreation, of: work) {
        try work.policy.endRelationshipCreation(forMapping: work.mapping, manager: manager)
        try manager.destinationContext.flush()
      }
    }
    manager.migrationProgress = 0.75
  }

  private func relateObjects(_ work: MappingWork, _ shape: EntityShape) throws {
    var done: Int64 = 0
    let context = manager.destinationContext
    let hidden = work.policyName == nil ? [] : work.hiddenSlots
    try manager.associations.forEachDestination(ofMapping: work.number) { source, destination in
      guard let shape = destination.entityName == shape.name ? shape : context.shape(of: destination) else {
        return
      }
      manager.currentSource = source
      try context.with(destination, shape) { object in
        try call(.createRelationships, of: work, object: destination) {
          if destination.entityName == work.destination?.name { object.hide(hidden) }
          try work.policy.createRelationships(forDestination: object, in: work.mapping, manager: manager)
          try object.emptyHidden()
        }
      }
      try context.flushIfMany()
      done += 1
      if done % 256 == 0 {
        reportProgress(.relate, entity: destination.entityName, completed: done, total: 0)
      }
    }
  }
}
