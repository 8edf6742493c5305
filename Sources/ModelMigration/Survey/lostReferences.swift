import ManagedModel
import PersistentStore

extension StoreTransition {
  /// Whether the references of a source's relationship reach the destination from this side, for any entity that
  /// has it.
  func isCarried(_ past: PropertyReference) -> Bool {
    takers[past] != nil
  }

  /// Whether the entity is among those that a to-many of another entity leads to.
  func isLedTo(_ entity: String, by past: PropertyReference) -> Bool {
    source.relationship(past).map {
      source.isKind(entity, of: $0.destinationEntityName)
    } ?? false
  }

  /// Which of an entity's rows hold, in the column of a reference, one that the destination has no place for; nil
  /// where that can be none.
  ///
  /// References to objects that go are not losses of their own: the objects are counted.
  func lostReferences(of past: PropertyReference, row entity: String, column: String) -> SQLCondition? {
    if isCarriedAtAll(past, row: entity) { return outsideReferences(of: past, row: entity, column: column) }
    let own = SQLExpression.column(column)
    return referencesWithoutInverse(of: past, own: own) ?? .isNotNull(own)
  }

  /// Which of an entity's rows hold, in the column of a reference that goes on from its other side, the key of no
  /// object: that side knows nothing of it, unless it keeps its own keys in the same column, as a list without
  /// inverse does.
  func lostDangling(of past: PropertyReference, row entity: String, column: String) -> SQLCondition? {
    guard isCarriedAtAll(past, row: entity), let links = links(ofSource: past),
      let target = schema.table(ofEntity: links.isInOwnRow ? links.to.entity : links.from.entity),
      !holdsKeys(of: past, row: entity, at: links.isInOwnRow ? .from : .to)
    else { return nil }
    // In a pair of to-ones each side has a column of its own.
    if let inverse = source.inverse(of: past), self.links(ofSource: inverse)?.isSamePlace(as: links) ?? false,
      holdsKeys(of: inverse, row: entity, at: links.isInOwnRow ? .to : .from)
    {
      return nil
    }
    return .refersToNone(column: column, table: target.name)
  }

  /// Whether any reference of the rows of an entity goes on, told by either side.
  private func isCarriedAtAll(_ past: PropertyReference, row entity: String) -> Bool {
    guard let links = links(ofSource: past) else { return false }
    let isOwn = links.isInOwnRow
    let others = source.descendantNames(includingSelf: isOwn ? links.to.entity : links.from.entity)
      .filter { destinationName(ofEntity: $0) != nil }
    if others.isEmpty { return isCarried(past) }
    return others.contains { carries(past, from: isOwn ? entity : $0, to: isOwn ? $0 : entity) }
  }

  /// References to objects that stay, but not as what the relationship leads to, or begins at.
  private func outsideReferences(of past: PropertyReference, row entity: String, column: String)
    -> SQLCondition?
  {
    guard let links = links(ofSource: past), !links.isJoin else { return nil }
    let other = links.isInOwnRow ? links.to : links.from
    guard let target = schema.table(ofEntity: other.entity) else { return nil }
    let outside = numbers(ofSource: other.entity) { name, heir in
      let (from, to) = links.isInOwnRow ? (entity, name) : (name, entity)
      return heir != nil && !carries(past, from: from, to: to)
    }
    return outside.isEmpty
      ? nil : .refers(column: column, table: target.name, to: .entity(in: outside.sorted()))
  }

  /// Where a relationship gives way to its new inverse, with which it was not a pair: what the inverse does not tell.
  private func referencesWithoutInverse(of past: PropertyReference, own: SQLExpression) -> SQLCondition? {
    guard let heir = successor(of: past),
      let relationship = source.relationship(past)
    else { return nil }
    let links = storedLinks(into: heir.property, of: heir.entity)
    guard links.count == 1, let only = links.first, !only.isJoin, only.to.column == Links.rowKey,
      self.links(ofSource: past).map({ !$0.isSamePlace(as: only) }) ?? false
    else { return nil }
    // A column of the other table that has the key's name would stand for it in a lookup: all count as lost then.
    let others = schema.tables.first { $0.name == only.table }?.columns.map { $0.name.uppercased() } ?? []
    if !relationship.isToMany, case .column(let name) = own, others.contains(name.uppercased()) { return nil }
    // A to-many without inverse has its owner in the row that holds the inverse's key, a to-one in another row.
    let stored: SQLExpression =
      relationship.isToMany
      ? .column(only.from.column) : .lookup(column: only.from.column, table: only.table, key: own)
    let expected = relationship.isToMany ? own : .column(Links.rowKey)
    return .all([.isNotNull(own), .any([.isNull(stored), .differs(stored, expected)])])
  }

  /// The destination's relationship that goes by the source's canonical name.
  private func successor(of past: PropertyReference) -> PropertyReference? {
    guard let old = source.relationship(past) else { return nil }
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
