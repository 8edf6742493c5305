import ManagedModel
import PersistentStore

extension Passes {
  /// Sets the relationships of every object that a mapping made.
  func relate() throws {
    manager.destinationContext.early = []
    for work in work {
      enter(work)
      try resolveRelationships(of: work)
      if work.policyName != nil || !work.openRelationships.isEmpty, let shape = work.destination {
        try relateObjects(work, shape)
      }
      manager.leaveSource()
      try call(.endRelationshipCreation, of: work) {
        try work.policy.endRelationshipCreation(forMapping: work.mapping, manager: manager)
        try manager.destinationContext.flush()
      }
    }
    manager.migrationProgress = 0.75
  }

  /// Numbers the places of ordered relationships as Core Data does in a new store, but for those that stay what they were.
  func numberOrders() throws {
    for list in VerifiedStore(schema: schema, model: model).orderedLists {
      let relationship = schema.joinTable(of: list.relationship)?.source ?? list.relationship
      if settled.contains(relationship) { continue }
      let sorting = "\(list.place.quotedIdentifier), \(list.key.quotedIdentifier)"
      try db.executeStatement(numberOrderSQL(list.table, owner: list.owner, by: sorting, list.place))
    }
  }

  private func relateObjects(_ work: MappingWork, _ shape: EntityShape) throws {
    var done: Int64 = 0
    let (mapping, associations) = (work.mapping, manager.associations)
    let hidden = work.policyName == nil ? [] : work.hiddenSlots
    func step(_ entity: String) {
      done += 1
      if done % 256 == 0 { monitor.report(.relate, entity: entity, completed: done, total: 0) }
    }
    if associations.isKeyed(work.number) {
      return try associations.forEachKey(ofMapping: work.number) { key in
        manager.enterSource(key, work.source)
        try relate(key, shape, work, mapping, hiding: hidden)
        step(shape.name)
      }
    }
    try associations.forEachDestination(ofMapping: work.number) { source, destination in
      guard let own = manager.destinationContext.shape(of: destination) else { return }
      manager.enterSource(source.primaryKey, manager.sourceContext.shape(of: source))
      try relate(destination.primaryKey, own, work, mapping, hiding: own === shape ? hidden : [])
      step(own.name)
    }
  }

  /// - Parameter hidden: references that stand in the row already, and are set only where the policy sets them.
  private func relate(
    _ key: Int64, _ shape: EntityShape, _ work: MappingWork, _ mapping: EntityMapping, hiding hidden: [Int]
  ) throws {
    let context = manager.destinationContext
    try context.with(key, shape) { object in
      try call(.createRelationships, of: work, key, shape) {
        if !hidden.isEmpty { object.hide(hidden) }
        try work.policy.createRelationships(forDestination: object, in: mapping, manager: manager)
        if !hidden.isEmpty { try object.emptyHidden() }
      }
    }
    try context.flushIfMany()
  }
}
