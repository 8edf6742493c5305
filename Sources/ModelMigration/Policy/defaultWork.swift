import Foundation
public import ManagedModel
import PersistentStore

extension MigrationManager {
  /// What a policy's `super` does in the copy pass.
  func createDestinationInstance(forSource source: MigratingObject) throws {
    let work = currentWork
    guard let shape = work.destination else { return }
    let context = destinationContext
    let given = try isCurrentSource(source) ? preferredKey(shape) : nil
    let object: MigratingObject
    var isKeyed = given != nil && !isAssociated && associations.isKeyed(work.number)
    if let given, let plan = work.plan, let cursor = source.currentCursor {
      object = context.adopt(
        MigratingObject(given, plan.shape, context, at: cursor, by: plan, isInserted: true))
      if !work.workedOut.isEmpty { try apply(work.workedOut, of: work, from: source, to: object) }
    } else {
      object = try context.adopt(
        MigratingObject(given ?? context.newKey(shape), shape, context, isInserted: true))
      // References come with the row of a cursor only.
      isKeyed = isKeyed && work.fills.isEmpty
      try apply(work.attributes, of: work, from: source, to: object)
    }
    if !work.setExpressions.byProperty.isEmpty {
      applySetExpressions(from: source, to: object, relationships: false)
    }
    if isKeyed {
      isAssociated = true
      return associations.addKeyed(1, mapping: work.number)
    }
    guard let sourceShape = work.source, source.shape === sourceShape else {
      associate(sourceInstance: source, withDestinationInstance: object, for: work.mapping)
      return
    }
    try materializeAllButCurrent(work)
    try associations.associate(
      sourceShape.number, source.key, with: shape.number, object.key, mapping: work.number)
  }

  /// The source object's key, while it is free, for the first object that is made of it or inserted meanwhile; nil otherwise.
  func preferredKey(_ shape: EntityShape) throws -> Int64? {
    guard isCopying, !hasGivenKey, sourceShape != nil, currentWork.keepsKeys,
      shape === currentWork.destination
    else { return nil }
    hasGivenKey = true
    guard currentWork.sharesKeys else { return sourceKey }
    try destinationContext.flush()
    let holder = try destinationContext.rows.entityName(ofKey: sourceKey, inTableOf: shape.name)
    return holder == nil ? sourceKey : nil
  }

  /// Gives an object that several became the values that it lacks from another one of them.
  func fillAttributes(of object: MigratingObject, from source: MigratingObject) throws {
    try apply(currentWork.attributes, of: currentWork, from: source, to: object, isFilling: true)
  }

  /// Works out what the current mapping gives to a source object's attributes, for the place of what it fails with.
  func tryAttributes(of source: MigratingObject) throws {
    let work = currentWork
    guard let shape = work.destination else { return }
    let object = MigratingObject(source.key, shape, destinationContext, isInserted: true)
    object.isPending = true
    try apply(work.attributes, of: work, from: source, to: object)
  }

  /// Before another pair than one of equal keys is written, those are, without an object that only has the key.
  func materializeAllButCurrent(_ work: MappingWork) throws {
    let isAlone = hasGivenKey && !isAssociated
    try associations.materialize(mapping: work.number, excluding: isAlone ? sourceKey : nil)
  }

  private func apply(
    _ attributes: [AttributeWork], of work: MappingWork, from source: MigratingObject,
    to object: MigratingObject, isFilling: Bool = false
  ) throws {
    var context: EvaluationContext?
    for attribute in attributes {
      if isFilling, try object.cell(attribute.slot) != .null { continue }
      switch attribute {
      case .copy(let from, let to): try object.setCell(try source.cell(from), to)
      case .constant(let cell, let to): try object.setCell(cell, to)
      case .value(let mapping, let shape):
        try failing(at: source, mapping.name) {
          let evaluation = try context ?? evaluationContext(of: work, source: source, destination: object)
          context = evaluation
          let found = try self.value(mapping.value, mapping, shape, source, evaluation)
          guard let found else { return try object.setCell(.null, shape.slot) }
          let cell = try storedCell(
            found, of: shape.attribute, property: mapping.name, object: object.id,
            in: destinationContext.rows.largeValues)
          guard let cell else {
            throw PolicyMisuse.wrongValue(mapping.name, of: object.shape.name, type: shape.attribute.type)
          }
          try object.setCell(cell, shape.slot)
        }
      }
    }
  }

  private func value(
    _ value: PropertyMappingValue, _ mapping: PropertyMapping, _ shape: AttributeShape,
    _ source: MigratingObject, _ context: EvaluationContext
  ) throws -> AttributeValue? {
    switch value {
    case .source(let name):
      return try source.expressionValue(forKey: name).attributeValue(as: shape.attribute.type)
    case .constant(let constant): return constant
    case .converted(let inner, _, let type):
      // It is read as what it is, by the source's own attribute, before it is converted.
      var own = shape
      if let name = inner.sourceName, case .attribute(let found)? = source.shape.properties[name] {
        own = found
      }
      return try self.value(inner, mapping, own, source, context).flatMap { converted($0, to: type) }
    case .defaulted(let inner, let fallback):
      return try self.value(inner, mapping, shape, source, context) ?? fallback
    case .expression(let expression):
      let context = context.setting("propertyMapping", expressionValue(of: mapping))
      return try evaluate(expression, on: .object(source), in: context)
        .attributeValue(as: shape.attribute.type)
    }
  }

  /// What a policy's `super` does in the relate pass.
  func relateDestinationInstance(_ object: MigratingObject) throws {
    let work = currentWork
    if !work.filledSlots.isEmpty { try object.reveal(work.filledSlots) }
    for relationship in work.openRelationships {
      let name = relationship.name
      try failing(at: object, name) {
        var found: [MigratingObject] = []
        let isShared = sharesMembers(relationship, object.shape.properties[name], work)
        let isToOne = if case .toOne? = object.shape.properties[name] { true } else { false }
        for source in try sources(of: object, work, all: isShared).compactMap({ sourceContext.object($0) }) {
          let members = try members(of: relationship, of: object, from: source, work)
          found += members
          // Of a group, the first object with a value says what a to-one leads to.
          if !found.isEmpty, isToOne { break }
        }
        if case .source = relationship.value {
          try found.removeAll { try isHeld($0, from: object, name) }
          // What leads to a list from the other side follows those that have places in it.
          if !relationship.referrers.isEmpty || relationship.givesWay {
            let linked = try object.relatedObjects(name)
            found = isToOne && !linked.isEmpty ? linked : found + linked
          }
        }
        try object.setRelationship(name, to: found)
      }
    }
    if work.setExpressions.byProperty.isEmpty { return }
    guard let first = try sources(of: object, work, all: false).first.flatMap({ sourceContext.object($0) })
    else { return }
    applySetExpressions(from: first, to: object, relationships: true)
  }

  /// Whether what a group became has another object at the other side already: the object that was kept says which, and
  /// not one that was dropped. So does a mapping of another kind of objects that writes what only this one takes over.
  private func isHeld(_ member: MigratingObject, from object: MigratingObject, _ name: String) throws -> Bool
  {
    guard let back = object.shape.properties[name]?.end?.inverseName,
      case .toOne? = member.shape.properties[back]
    else { return false }
    func writes(_ other: MappingWork) -> Bool {
      guard case .expression? = other.mapping.propertyMapping(named: name)?.value else { return false }
      return other.destination?.properties[name]?.end?.inverseName == back
    }
    let isGrouped = work.contains { $0.mapping.grouping != nil && $0.destination === member.shape }
    guard isGrouped || work.contains(where: writes),
      let holder = try member.relatedObjects(back).first, holder.id != object.id
    else { return false }
    return isGrouped || work.contains { $0.destination === holder.shape && writes($0) }
  }

  /// Whether the object that a group became has the members of all of them: where references follow it, those of its
  /// own to-manys stay as well, so that no link goes with an object that does; also where a person wrote it.
  private func sharesMembers(
    _ relationship: PropertyMapping, _ property: PropertyShape?, _ work: MappingWork
  ) -> Bool {
    guard let rule = work.mapping.grouping else { return false }
    if rule.keep == .merge { return true }
    guard case .toMany? = property, work.mapping.onDrop == .repoint else { return false }
    return relationship.value.keysOfSource.map(\.count) == [1]
  }

  /// The source object of a destination object, or all of its group.
  private func sources(
    of object: MigratingObject, _ work: MappingWork, all: Bool
  ) throws -> [ManagedObject.ID] {
    // The source object that destination objects are made for just now.
    let current = sourceShape.map { ManagedObject.ID(entityName: $0.name, primaryKey: sourceKey) }
    let first =
      try current
      ?? associations.counterparts(of: object.id, on: .destination, mapping: work.number).first
    guard let first else { return [] }
    guard all else { return [first] }
    return try groups.members(ofMapping: work.number, kept: first.primaryKey).map {
      ManagedObject.ID(entityName: first.entityName, primaryKey: $0)
    }
  }

  private func members(
    of relationship: PropertyMapping, of object: MigratingObject, from source: MigratingObject,
    _ work: MappingWork
  ) throws -> [MigratingObject] {
    let name = relationship.name
    switch relationship.value {
    case .source(let followed):
      let members = try source.relatedObjects(followed).filter {
        !relationship.givesWay || relationship.reachableEntities.contains($0.shape.name)
      }
      return try destinations(reachableBy: name, of: object.shape.name, members).compactMap {
        destinationContext.object($0)
      }
    case .expression(let expression):
      let context = try evaluationContext(of: work, source: source, destination: object)
      let mapping = expressionValue(of: relationship)
      let value = try evaluate(
        expression, on: .object(source), in: context.setting("propertyMapping", mapping))
      let entity = object.shape.name
      return try value.elements.map { element in
        guard case .object(let object) = element, let object = object as? MigratingObject else {
          throw PolicyMisuse("the value for '\(name)' of '\(entity)' is \(element.label), not an object")
        }
        return object
      }
    case .constant, .converted, .defaulted: return []
    }
  }

  func evaluationContext(
    of work: MappingWork, source: MigratingObject, destination: MigratingObject?
  ) throws -> EvaluationContext {
    var context = evaluation
    context.variables.merge(work.variables) { _, new in new }
    context.variables["source"] = .object(source)
    context.variables["destination"] = destination.map { .object($0) }
    if work.asksForGroup {
      let objects = try groups.members(ofMapping: work.number, kept: source.key).compactMap {
        sourceContext.object(ManagedObject.ID(entityName: source.shape.name, primaryKey: $0))
      }
      context.variables["sources"] = .collection(ValueCollection(objects.map { .object($0) }))
    }
    return context
  }

  /// The value that a property mapping of the current mapping gives for a source object, for policies that do the
  /// default work property by property.
  ///
  /// - Throws: what the expression fails with.
  public func value(of mapping: PropertyMapping, forSource source: MigratingObject) throws -> Any? {
    guard case .attribute(let shape)? = currentWork.destination?.properties[mapping.name] else { return nil }
    var context = evaluation
    context.variables.merge(currentWork.variables) { _, new in new }
    context.variables["source"] = .object(source)
    return try value(mapping.value, mapping, shape, source, context)?.foundationValue
  }

  /// Ends the default work with the property that it failed at.
  private func failing(at object: MigratingObject, _ property: String, _ body: () throws -> Void) throws {
    do { try body() } catch let error as EvaluationError {
      destinationContext.record(
        PolicyMisuse("'\(property)' has no value: \(error)", help: error.help), object, property)
      throw PolicyStopped()
    } catch {
      destinationContext.record(error, object, property)
      throw PolicyStopped()
    }
  }
}

/// A recorded error ends the callback.
struct PolicyStopped: Error {}

/// A number as another type of number, by value. A fraction is cut off, and a number too large for an integer type becomes
/// its nearest bound, as in the statements of an inferred migration.
private func converted(_ value: AttributeValue, to type: AttributeType) -> AttributeValue? {
  if let range = type.traits.integerRange {
    return integer(value).map { .integer(min(max($0, range.lowerBound), range.upperBound)) }
  }
  switch (type, value) {
  case (.boolean, .integer(let number)): return .boolean(number != 0)
  case (.double, .integer(let number)), (.float, .integer(let number)): return .double(Double(number))
  case (.double, .decimal(let number)), (.float, .decimal(let number)): return .double(number.nearestDouble)
  case (.decimal, .integer(let number)): return .decimal(Decimal(number))
  case (.decimal, .double(let number)): return .decimal(number.decimal ?? .nan)
  default: return value
  }
}

private func integer(_ value: AttributeValue) -> Int64? {
  switch value {
  case .integer(let number): number
  case .double(let number): whole(number)
  case .decimal(let number): Int64("\(number)") ?? whole(number.nearestDouble)
  case .boolean(let isTrue): isTrue ? 1 : 0
  default: nil
  }
}

private func whole(_ number: Double) -> Int64? {
  if number.isNaN { return nil }
  let cut = number.rounded(.towardZero)
  return Int64(exactly: cut) ?? (cut < 0 ? .min : .max)
}
