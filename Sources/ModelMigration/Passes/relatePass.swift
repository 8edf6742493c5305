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
      try call(.endRelationshipCreation) {
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
      if touchedTables != nil, carried.relationships.contains(relationship) { continue }
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
      guard let own = manager.destinationContext.rows.shape(named: destination.entityName) else { return }
      manager.enterSource(source.primaryKey, manager.sourceContext.rows.shape(named: source.entityName))
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
      try call(.createRelationships, key, shape) {
        if !hidden.isEmpty { object.hide(hidden) }
        try work.policy.createRelationships(forDestination: object, in: mapping, manager: manager)
        if !hidden.isEmpty { try object.emptyHidden() }
      }
    }
    try context.flushIfMany()
  }

  /// Sets what relationships of a mapping can be set for all its objects at once.
  func resolveRelationships(of work: MappingWork) throws {
    guard let shape = work.destination,
      work.transfer != nil || work.policyName != nil || !work.fills.isEmpty
    else { return }
    let pairs = work.pairs
    try manager.destinationContext.flush()
    let rows = manager.destinationContext.rows
    for fill in work.fills {
      guard try isSound(fill, of: work, shape) else {
        try takeBack([fill], of: work)
        continue
      }
      if !fill.isWhole, let pairs, try !(fill.stands && areAllMade(fill, work)) {
        try rows.nullifyReferences(of: pairs, fill.toOne, beside: fill.targets)
        touchedTables?[shape.tableName] = []
      }
      if !fill.stands { try rows.fillEntityNumbers(of: shape, fill.toOne, fill.targets.tableName) }
      work.resolved.insert(fill.name)
    }
    guard work.transfer != nil || work.policyName != nil else { return }
    for relationship in work.relationships {
      guard case .source(let name) = relationship.value,
        case .toMany(let toMany)? = shape.properties[relationship.name],
        case .toMany(let old)? = work.source?.properties[name], !toMany.isOrdered
      else { continue }
      if try isFromInverse(toMany, by: old)
        || (work.policyName == nil && takePairs(toMany, from: old, of: shape))
      {
        work.resolved.insert(relationship.name)
      }
    }
    // A policy's objects are watched, whether their references stay what came with the rows.
    if work.policyName != nil, !work.fills.isEmpty {
      manager.destinationContext.watches[ObjectIdentifier(shape)] = (
        slots: Set(work.filledSlots), sawChange: false
      )
    }
  }

  /// Whether mappings made an object of every one that a reference may lead to, and of none of another kind.
  private func areAllMade(_ fill: ReferenceFill, _ holder: MappingWork) throws -> Bool {
    guard let followed = fill.followed, case .toOne(let old)? = holder.source?.properties[followed] else {
      return false
    }
    let (hierarchy, rows) = (manager.sourceContext.hierarchy, manager.sourceContext.rows)
    return try hierarchy.descendantNames(includingSelf: old.destinationEntityName).allSatisfy { kind in
      let count = try rows.count(ofEntity: kind)
      let makers = fill.candidates.filter { work[$0].source?.name == kind }
      return try makers.isEmpty
        ? count == 0
        : makers.allSatisfy { try manager.associations.counts(ofMapping: $0).sources == count }
    }
  }

  private func isSound(_ fill: ReferenceFill, of work: MappingWork, _ shape: EntityShape) throws -> Bool {
    guard fill.candidates.allSatisfy(manager.associations.isKeyed),
      manager.associations.isKeyed(work.number)
    else { return false }
    let rows = manager.destinationContext.rows
    guard let name = fill.toOne.inverseName else { return true }
    for other in self.work where fill.candidates.contains(other.number) {
      guard let target = other.destination, case .toOne(let back)? = target.properties[name],
        !other.resolved.contains(name)
      else { continue }
      guard let answer = other.fills.first(where: { $0.name == name }),
        try isAnswered(fill, of: work, by: answer, of: other) || rows.agree(shape, fill.toOne, target, back)
      else {
        // Whoever is related first would be answered by the other side as well.
        try takeBack(other.fills.filter { $0.name == name }, of: other)
        return false
      }
    }
    return true
  }

  /// Whether two to-ones say the same because both lead to the object with the same key, and each of these is there.
  private func isAnswered(
    _ fill: ReferenceFill, of work: MappingWork, by answer: ReferenceFill, of other: MappingWork
  ) -> Bool {
    guard let own = work.transfer, let its = other.transfer, work.source?.name == other.source?.name else {
      return false
    }
    return fill.isWhole && answer.isWhole && fill.candidates == [other.number]
      && answer.candidates == [work.number] && own.refersToOwnKey(fill.toOne)
      && its.refersToOwnKey(answer.toOne)
  }

  /// Whether the to-ones of the members tell a to-many: they came with the rows, from the other side of the same
  /// relationship of the source.
  private func isFromInverse(_ toMany: ToManyShape, by old: ToManyShape) throws -> Bool {
    guard let back = toMany.memberKeyName, let former = old.memberKeyName else { return false }
    let context = manager.destinationContext
    let members = work.filter { $0.makes(toMany.destinationEntityName, context.hierarchy) }
    let areFromInverse = members.allSatisfy { member in
      guard let shape = member.destination, manager.associations.isKeyed(member.number),
        member.fills.contains(where: { $0.name == back && $0.followed == former })
      else { return false }
      return context.watches[ObjectIdentifier(shape)]?.sawChange != true
    }
    guard areFromInverse else { return false }
    // From here on they are set, whether the members' own policies set them or not.
    for member in members { member.shown.insert(back) }
    return true
  }

  /// Takes the pairs of a many-to-many over; keys are the same in both stores.
  private func takePairs(_ toMany: ToManyShape, from old: ToManyShape, of shape: EntityShape) throws -> Bool {
    guard toMany.isPlainJoin, old.isPlainJoin, case .join(let join) = toMany.storage else { return false }
    let table = join.name
    let (source, destination) = (manager.sourceContext, manager.destinationContext)
    let kinds = source.hierarchy.descendantNames(includingSelf: old.destinationEntityName)
    let candidates = self.work.filter { $0.makes(toMany.destinationEntityName, destination.hierarchy) }
    guard let target = destination.rows.shape(named: toMany.destinationEntityName),
      candidates.allSatisfy({ other in
        let back = toMany.inverseName.flatMap(other.mapping.propertyMapping(named:))?.value
        // Where the other side is written, that goes before what is taken over.
        if case .expression? = back { return false }
        return manager.associations.isKeyed(other.number)
          && other.source.map { kinds.contains($0.name) } ?? false
      })
    else { return false }
    // Nothing but pairs of the source may stand in it.
    guard try takenPairs[table] != nil || !db.hasRows("main.\(table.quotedIdentifier)") else { return false }
    let targets = ReferenceTargets(
      tableName: target.tableName, numbers: Set(candidates.compactMap { $0.destination?.number }))
    // The other side has taken them where it is all of them.
    let ends = [Set([shape.number]), targets.numbers]
    let isTaken = takenPairs[table]?.contains { $0.from == ends[1] && ends[0].isSubset(of: $0.to) }
    if isTaken == true { return true }
    try destination.rows.takePairs(toMany, from: old, of: shape, to: targets)
    takenPairs[table, default: []].append((from: ends[0], to: ends[1]))
    return true
  }
}
