package import ManagedModel
import PersistentStore

extension StoreTransition {
  /// Whether references of a source's relationship between objects of two entities go on, told by either side.
  func carries(_ past: PropertyReference, from: String, to: String) -> Bool {
    if isCarried(past, from: from, to: to) { return true }
    return source.inverse(of: past).map { isCarried($0, from: to, to: from) } ?? false
  }

  private func isCarried(_ past: PropertyReference, from: String, to: String) -> Bool {
    guard let own = links(ofSource: past) else { return false }
    func isCarried(of entity: String, _ isWanted: (PropertyMapping) -> Bool) -> Bool {
      guard let mapping = mapping(fromEntity: entity), let name = mapping.destinationEntityName else {
        return false
      }
      return mapping.relationshipMappings.contains { property in
        isWanted(property) && storedLinks(into: property.name, of: name).contains { $0.isSamePlace(as: own) }
      }
    }
    return isCarried(of: from) { $0.value.sourceName == past.property && $0.reachableEntities.contains(to) }
      || isCarried(of: to) {
        $0.referrers.contains(PropertyReference(entity: from, property: past.property))
          && $0.reachableEntities.contains(from)
      }
  }

  /// Where the column or table that holds a destination's relationship has its references from: of two sides that are
  /// mapped, the one that is stored has the say.
  func storedLinks(into name: String, of entity: String) -> [Links] {
    guard let relationship = destination.relationship(named: name, of: entity), relationship.isToMany,
      let inverse = destination.storedInverse(of: relationship),
      let reference = destination.reference(to: name, seenFrom: entity)
    else { return links(into: name, of: entity) }
    if !inverse.isToMany {
      return destination.descendantNames(includingSelf: relationship.destinationEntityName)
        .flatMap { links(into: inverse.name, of: $0) }.unique.map(\.reversed)
    }
    guard let join = layout.joinTable(of: reference) else { return [] }
    let forward = links(of: join.source)
    let stored = forward.isEmpty ? links(of: join.destination).map(\.reversed) : forward
    return join.source == reference ? stored : stored.map(\.reversed)
  }

  /// Whether some column of the destination goes on with the keys of a source's relationship, even if these are of
  /// nobody.
  ///
  /// - Parameters:
  ///   - row: the entity of the rows that hold them.
  ///   - end: whether these are what has the relationship or what it leads to.
  func holdsKeys(of past: PropertyReference, row: String, at end: LinkEnd) -> Bool {
    (takers[past] ?? []).contains { mapping, property in
      guard let name = mapping.destinationEntityName else { return false }
      let isSame = property.value.sourceName == past.property
      let comes =
        isSame || end != .from
        || property.referrers.contains(PropertyReference(entity: row, property: past.property))
      let isOwn = (end == .from) == isSame
      guard comes, isOwn ? mapping.sourceEntityName == row : property.reachableEntities.contains(row),
        let storage = storage(of: property.name, in: name)
      else { return false }
      return storage == .join ? isFilled(property.name, of: name, from: past) : (storage == end) == isSame
    }
  }

  private func isFilled(_ name: String, of entity: String, from past: PropertyReference) -> Bool {
    guard let own = links(ofSource: past),
      storedLinks(into: name, of: entity).contains(where: { $0.isSamePlace(as: own) })
    else { return false }
    guard !own.isJoin, let reference = destination.reference(to: name, seenFrom: entity),
      let join = layout.joinTable(of: reference)
    else { return true }
    // Where some objects are out of reach, rows are made of references to the others, and to nobody none.
    let other = own.isInOwnRow ? own.to : own.from
    let isSource = links(of: join.source).contains { $0.isSamePlace(as: own) && $0.from == other }
    let ends = ends(of: join)
    return unreachableNumbers(of: other.entity, except: isSource ? ends.source : ends.destination).isEmpty
  }

  /// Whose rows hold the keys of a destination's relationship.
  private func storage(of name: String, in entity: String) -> LinkEnd? {
    guard let relationship = destination.relationship(named: name, of: entity) else { return nil }
    if !relationship.isToMany { return .from }
    return destination.storedInverse(of: relationship)?.isToMany == true ? .join : .to
  }

  /// Which of an entity's rows have a place in an ordered relationship that goes, though what it orders stays; its references
  /// lie in these rows.
  func lostPlaces(in ordered: PropertyReference, row entity: String) -> SQLCondition? {
    guard let links = links(ofSource: ordered), !links.isJoin, let order = links.to.order else { return nil }
    let owners = numbers(ofSource: ordered.entity) {
      $1 != nil && carries(ordered, from: $0, to: entity) && !keepsOrder(of: ordered, from: $0, to: entity)
    }
    if owners.isEmpty { return nil }
    return links.rows(from: .entity(in: owners.sorted()), to: .isNotNull(.column(order)), in: schema)
  }

  private func keepsOrder(of past: PropertyReference, from entity: String, to other: String) -> Bool {
    mapping(fromEntity: entity).map { mapping in
      mapping.relationshipMappings.contains {
        $0.value.sourceName == past.property && $0.keepsOrder && $0.reachableEntities.contains(other)
          && destination.relationship(named: $0.name, of: mapping.destinationEntityName ?? "")?.isOrdered
            == true
      }
    } ?? false
  }

  /// The rows of a join table that the destination has no place for though both objects stay, by the names that they are
  /// retired by.
  ///
  /// If no reference goes on, those to missing objects go too, under the first name.
  func lostRows(of join: JoinTableLayout) -> [LostRows] {
    let past = join.source
    let isWhole = takers[past] == nil && takers[join.destination] == nil
    let unknown: [LostRows] = isWhole ? [(past, .all([]))] : []
    guard let links = links(ofSource: past) else { return unknown }
    func staying(_ entity: String) -> [String] {
      source.descendantNames(includingSelf: entity).filter { destinationName(ofEntity: $0) != nil }
    }
    let others = staying(links.to.entity)
    let names = staying(links.from.entity).flatMap { from in
      others.map { retiredName(of: past, row: from, to: $0) }
    }.unique
    if names.isEmpty { return unknown }
    var lost = names.map { name -> LostRows in
      let rows = rows(of: links) {
        !carries(past, from: $0, to: $1) && retiredName(of: past, row: $0, to: $1) == name
      }
      return (name, rows)
    }
    if isWhole { lost[0].rows = .not(.any(lost.dropFirst().map(\.rows))) }
    return lost
  }

  /// The same for places of the one side in the list that the other has.
  func lostPlaces(in join: JoinTableLayout) -> [LostRows] {
    guard let links = links(ofSource: join.source) else { return [] }
    return [(join.source, links), (join.destination, links.reversed)].compactMap {
      ordered, links -> LostRows? in
      guard let column = links.to.order else { return nil }
      let rows = rows(of: links) { from, to in
        carries(ordered, from: from, to: to) && !keepsOrder(of: ordered, from: from, to: to)
      }
      return (ordered, .all([.isNotNull(.column(column)), rows]))
    }
  }

  /// Rows of references between objects that stay, for every entity that has the relationship and those that it leads to and
  /// that fulfil the condition with it.
  private func rows(
    of links: Links, where isIncluded: (_ from: String, _ to: String) -> Bool
  ) -> SQLCondition {
    let rows = source.descendantNames(includingSelf: links.from.entity).compactMap { name -> SQLCondition? in
      guard destinationName(ofEntity: name) != nil, let number = oldNumber(ofSource: name) else { return nil }
      let others = numbers(ofSource: links.to.entity) { $1 != nil && isIncluded(name, $0) }
      return others.isEmpty
        ? nil : links.rows(from: .entity(in: [number]), to: .entity(in: others.sorted()), in: schema)
    }
    return .any(rows)
  }
}

extension Links {
  /// Whether both lie in the same columns, from whichever end they are seen.
  func isSamePlace(as other: Links) -> Bool {
    table == other.table && Set([from.column, to.column]) == Set([other.from.column, other.to.column])
  }
}

/// Where the keys of a relationship lie: in rows of what has it, of what it leads to, or in a table of their own.
enum LinkEnd { case from, to, join }

extension Diagnostic.Code {
  /// Objects stay in a relationship, and their places in its order go.
  package static let orderDropped = Self("MC3125")
  /// A reference to a missing object does not go along.
  package static let danglingReferenceDropped = Self("MC3126")
}
