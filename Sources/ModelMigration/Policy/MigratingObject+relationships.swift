import ManagedModel
import PersistentStore

extension MigratingObject {
  /// Sets a relationship with its inverse.
  ///
  /// - Throws: ``PolicyMisuse`` for objects of another context or entity, and for several objects of a to-one.
  func setRelationship(_ key: String, to members: [MigratingObject]) throws {
    for member in members { try requireFit(member, key) }
    switch try property(key) {
    case .toOne(let toOne):
      let distinct = Set(members)
      guard distinct.count <= 1 else {
        throw PolicyMisuse(
          "the to-one '\(key)' of '\(shape.name)' would get \(distinct.count) objects",
          code: .severalForToOne, help: ["choose one of them in the expression, or in a policy"])
      }
      try setToOne(toOne, members.first)
    case .toMany(let toMany): try setToMany(toMany, members)
    case .attribute, .composite, .transient:
      throw PolicyMisuse("'\(key)' of '\(shape.name)' is not a relationship")
    }
  }

  /// Adds an object to a to-many, at the end of an ordered one.
  func addMember(_ member: MigratingObject, _ key: String) throws {
    try managedObjectContext.requireWritable(self, key)
    try requireFit(member, key)
    guard case .toMany(let toMany) = try property(key) else {
      throw PolicyMisuse("'\(key)' of '\(shape.name)' is not a to-many relationship")
    }
    try place(member, in: toMany, at: managedObjectContext.nextOrder(toMany.reference))
  }

  private func requireFit(_ member: MigratingObject, _ key: String) throws {
    guard member.managedObjectContext === managedObjectContext else {
      throw DiagnosticsError(
        .builtFromSource, "'\(key)' of '\(shape.name)' would point to source objects",
        subject: ModelSubject(entity: shape.name, property: key),
        notes: ["a destination relationship can only point to destination objects"],
        help: ["look up their counterparts: destinationInstances(\"<mapping>\", …)"], cocoaCode: 134170)
    }
    guard let destination = try property(key).end?.entityName else { return }
    guard managedObjectContext.hierarchy.isKind(member.shape.name, of: destination) else {
      throw PolicyMisuse(
        "'\(key)' of '\(shape.name)' leads to '\(destination)' and cannot hold an object of '\(member.shape.name)'"
      )
    }
  }

  private func setToOne(_ toOne: ToOneShape, _ target: MigratingObject?) throws {
    try managedObjectContext.follow(toOne.reference)
    if let inverse = managedObjectContext.inverse(of: toOne) { try managedObjectContext.follow(inverse) }
    let cells = try loadedCells()
    let former = try managedObjectContext.rows.destination(of: toOne, cells)
    // A key that came with the row may be of no object here.
    if former == target?.id, former != nil || cells[toOne.keySlot] == .null { return }
    var order: Int64?
    if let inverse = target.flatMap({ inverse(of: toOne, entity: $0.shape.name) })
      ?? former.flatMap({ inverse(of: toOne, entity: $0.entityName) })
    {
      switch inverse {
      case .toOne(let back):
        if let former, let object = managedObjectContext.object(former) { try object.point(back, to: nil) }
        if let target {
          if let owner = try target.managedObjectContext.rows.destination(of: back, target.loadedCells()),
            owner != id, let object = managedObjectContext.object(owner)
          {
            try object.point(toOne, to: nil)
          }
          try target.point(back, to: self)
        }
      case .toMany(let toMany): order = managedObjectContext.nextOrder(toMany.reference)
      case .attribute, .composite, .transient: break
      }
    }
    try point(toOne, to: target, order: order)
  }

  /// The other side of a to-one, where both sides name one another.
  private func inverse(of toOne: ToOneShape, entity: String) -> PropertyShape? {
    let found = toOne.inverseName.flatMap { managedObjectContext.rows.shape(named: entity)?.properties[$0] }
    return found?.end?.inverseName == toOne.reference.property ? found : nil
  }

  private func point(_ toOne: ToOneShape, to target: MigratingObject?, order: Int64? = nil) throws {
    try change { cells in managedObjectContext.rows.point(toOne, to: target?.id, order: order, in: &cells) }
  }

  private func setToMany(_ toMany: ToManyShape, _ members: [MigratingObject]) throws {
    try managedObjectContext.follow(toMany.reference)
    try managedObjectContext.flush()
    let former = try managedObjectContext.rows.members(of: toMany, owner: id.primaryKey)
    let kept = Set(members.map(\.id))
    for id in former where !kept.contains(id) {
      guard let member = managedObjectContext.object(id) else { continue }
      try place(member, in: toMany, at: nil)
    }
    // A list without order needs no write for those that are there already.
    let known = toMany.isOrdered ? [] : Set(former)
    var seen: Set<MigratingObject> = []
    for member in members where seen.insert(member).inserted && !known.contains(member.id) {
      try place(member, in: toMany, at: Int64(OrderKey.at(seen.count - 1)))
    }
  }

  /// Gives an object a place in a to-many; takes it out without one.
  private func place(_ member: MigratingObject, in toMany: ToManyShape, at order: Int64?) throws {
    let (rows, owner) = (managedObjectContext.rows, order.map { _ in self })
    try managedObjectContext.follow(toMany.reference)
    if toMany.usesJoinTable {
      guard let order else { return try rows.unlink(toMany, id.primaryKey, member.id.primaryKey) }
      try rows.link(
        toMany, id.primaryKey, member.id.primaryKey, order: order,
        otherOrder: managedObjectContext.nextOrder(toMany.reference))
    } else if let name = toMany.inverseName, case .toOne(let back)? = member.shape.properties[name] {
      try member.point(back, to: owner, order: order)
    } else {
      try member.change { cells in
        rows.point(ownerOf: toMany, of: member.shape, to: owner?.id.primaryKey, order: order, in: &cells)
      }
    }
  }

  /// The object and all that go with it by the rule `cascade`.
  ///
  /// - Throws: ``PolicyMisuse`` where a rule `deny` of one of them speaks against it.
  func removedByRules() throws -> [MigratingObject] {
    var (removed, seen, denied) = ([self], Set([id]), [(MigratingObject, String)]())
    // It grows while it is gone through.
    var place = 0
    while place < removed.count {
      let object = removed[place]
      for relationship in object.entity.relationships where object.shape.properties[relationship.name] != nil
      {
        switch relationship.deleteRule {
        case .cascade:
          removed += try object.relatedObjects(relationship.name).filter { seen.insert($0.id).inserted }
        case .deny: denied.append((object, relationship.name))
        case .nullify, .noAction: break
        }
      }
      place += 1
    }
    for (object, name) in denied
    where try object.relatedObjects(name).contains(where: { !seen.contains($0.id) }) {
      throw PolicyMisuse(
        "object \(object.key) of '\(object.shape.name)' cannot be deleted: its '\(name)' leads to objects, and the delete rule is deny",
        help: ["delete those first, or remove them from the relationship"])
    }
    return removed
  }
}
