import ManagedModel
import ModelMapping
import PersistentStore

extension StoreTransition {
  /// Whether the references of a source's relationship reach the destination from this side, for any entity that
  /// has it.
  func isTold(_ past: PropertyReference) -> Bool {
    source.descendantNames(includingSelf: past.entity).contains {
      mappingModel.carries(SourceRelationship(entity: $0, name: past.property))
    }
  }

  /// Whether the entity is among those that a to-many of another entity leads to.
  func isLedTo(_ entity: String, by past: PropertyReference) -> Bool {
    source.relationship(named: past.property, of: past.entity).map {
      source.isKind(entity, of: $0.destinationEntityName)
    } ?? false
  }

  /// Which of an entity's rows hold, in the column of a reference, one that the destination has no place for; nil
  /// where that can be none.
  ///
  /// References to objects that go are no losses of their own: the objects are counted.
  func lostReferences(of past: PropertyReference, row entity: String, column: String) -> SQLCondition? {
    let own = SQLExpression.column(column)
    let isToldHere =
      source.isKind(entity, of: past.entity)
      ? mappingModel.carries(SourceRelationship(entity: entity, name: past.property)) : isTold(past)
    if isToldHere { return outsideReferences(of: past, row: entity, column: column) }
    if let relationship = source.relationship(named: past.property, of: past.entity),
      let inverse = source.inverse(of: relationship),
      let back = sourceReference(inverse.name, seenFrom: relationship.destinationEntityName), isTold(back)
    {
      return nil
    }
    return untoldReferences(of: past, own: own) ?? .isNotNull(own)
  }

  /// References to objects that stay, but not as what the relationship leads to.
  private func outsideReferences(of past: PropertyReference, row entity: String, column: String)
    -> SQLCondition?
  {
    guard let links = links(ofSource: past), links.isInOwnRow,
      let target = schema.table(ofEntity: links.to.entity),
      let property = destinationName(ofEntity: entity).flatMap({ mapping(toEntity: $0) })?
        .relationshipMappings.first(where: { $0.value.sourceName == past.property })
    else { return nil }
    let outside = unreachableNumbers(at: links.to, except: property.reach)
      .filter { renumbering[$0] != nil }
    if outside.isEmpty { return nil }
    return .refers(column: column, table: target.name, to: .entity(in: outside.sorted()))
  }

  /// Where a relationship gives way to its new inverse, with which it was no pair: what the inverse does not tell.
  private func untoldReferences(of past: PropertyReference, own: SQLExpression) -> SQLCondition? {
    guard let heir = successor(of: past),
      let relationship = source.relationship(named: past.property, of: past.entity)
    else { return nil }
    let links = links(into: heir.property, of: heir.entity)
    guard links.count == 1, let only = links.first, !only.isJoin, only.to.column == Links.rowKey else {
      return nil
    }
    // A column of the other table that has the key's name would stand for it in a lookup: all count as lost then.
    let others = schema.tables.first { $0.name == only.table }?.columns.map { $0.name.uppercased() } ?? []
    if !relationship.isToMany, case .column(let name) = own, others.contains(name.uppercased()) { return nil }
    // A to-many without inverse has its owner in the row that holds the inverse's key, a to-one in another row.
    let told: SQLExpression =
      relationship.isToMany
      ? .column(only.from.column) : .lookup(column: only.from.column, table: only.table, key: own)
    let expected = relationship.isToMany ? own : .column(Links.rowKey)
    return .all([.isNotNull(own), .any([.isNull(told), .differs(told, expected)])])
  }

  /// The destination's relationship that goes by the source's canonical name.
  private func successor(of past: PropertyReference) -> PropertyReference? {
    guard let old = source.relationship(named: past.property, of: past.entity) else { return nil }
    for name in source.descendantNames(includingSelf: past.entity) {
      guard let heir = destinationName(ofEntity: name),
        let relationship = destination.relationships(of: heir).first(where: {
          $0.canonicalName == old.canonicalName
        })
      else { continue }
      return PropertyReference(entity: heir, property: relationship.name)
    }
    return nil
  }
}
