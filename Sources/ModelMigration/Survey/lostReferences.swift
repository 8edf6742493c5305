import ManagedModel
import PersistentStore

extension StoreTransition {
  /// Which of an entity's rows hold, in the column of a reference, one that the destination has no place for, by the
  /// names that they are retired by.
  ///
  /// References to objects that go are not losses of their own: the objects are counted.
  func lostReferences(of past: PropertyReference, row entity: String, column: String) -> [LostRows] {
    var outside = outsideReferences(of: past, row: entity, column: column)
    if isCarriedAtAll(past, row: entity) { return outside }
    let own = SQLExpression.column(column)
    let all = referencesWithoutInverse(of: past, own: own) ?? .isNotNull(own)
    // Those to missing objects go too, under the first name; if nothing of it goes on, the relationship itself is retired.
    if outside.isEmpty { return [(retiredName(of: past, row: entity), all)] }
    outside[0].rows = .not(.any(outside.dropFirst().map(\.rows)))
    return outside.map { ($0.reference, .all([all, $0.rows])) }
  }

  /// Rows that hold what is lost, and the name that it is retired by.
  typealias LostRows = (reference: PropertyReference, rows: SQLCondition)

  /// Each side of a pair of to-ones has a column. Where both are retired by one name, the side that has this name tells, and
  /// the other one only of links that the first does not hold.
  func toldOnce(
    _ lost: LostRows, of past: PropertyReference, column: String, in table: TableLayout
  ) -> SQLCondition {
    guard let inverse = source.inverse(of: past), inverse != past,
      source.reference(to: lost.reference.property, seenFrom: lost.reference.entity) == inverse,
      let links = links(ofSource: inverse), links.isInOwnRow
    else { return lost.rows }
    let teller = SQLExpression.referrer(
      table: links.table, foreignKey: links.to.column, outerTable: table.name)
    return .all([lost.rows, .any([.isNull(teller), .differs(teller, .column(column))])])
  }

  /// See ``EntityHierarchy/retiredName(of:from:to:isStill:)``.
  func retiredName(of past: PropertyReference, row entity: String, to: String? = nil) -> PropertyReference {
    source.retiredName(of: past, from: entity, to: to) { entity, above in
      guard source.isKind(entity, of: above), let heir = destinationName(ofEntity: entity) else {
        return true
      }
      return destination.isKind(heir, of: destinationName(ofEntity: above) ?? above)
    }
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
    if others.isEmpty { return takers[past] != nil }
    return others.contains { carries(past, from: isOwn ? entity : $0, to: isOwn ? $0 : entity) }
  }

  /// References to objects that stay, but not as what the relationship leads to, or begins at.
  private func outsideReferences(of past: PropertyReference, row entity: String, column: String) -> [LostRows]
  {
    guard let links = links(ofSource: past), !links.isJoin else { return [] }
    let other = links.isInOwnRow ? links.to : links.from
    guard let target = schema.table(ofEntity: other.entity) else { return [] }
    func ends(_ name: String) -> (from: String, to: String) {
      links.isInOwnRow ? (entity, name) : (name, entity)
    }
    let outside = source.descendantNames(includingSelf: other.entity).filter { name in
      oldNumber(ofSource: name) != nil && destinationName(ofEntity: name) != nil
        && !carries(past, from: ends(name).from, to: ends(name).to)
    }
    func name(_ other: String) -> PropertyReference {
      retiredName(of: past, row: ends(other).from, to: ends(other).to)
    }
    return outside.map(name).unique.map { reference in
      let numbers = outside.filter { name($0) == reference }.compactMap { oldNumber(ofSource: $0) }
      return (reference, .refers(column: column, table: target.name, to: .entity(in: numbers.sorted())))
    }
  }

  /// Where a relationship gives way to its new inverse, with which it was not a pair: what the inverse does not tell.
  private func referencesWithoutInverse(of past: PropertyReference, own: SQLExpression) -> SQLCondition? {
    guard let heir = successor(of: past), let relationship = source.relationship(past) else { return nil }
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
