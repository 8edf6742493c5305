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
      guard let name = destinationName(ofEntity: entity), let mapping = mapping(toEntity: name) else {
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
      let inverse = destination.inverse(of: relationship),
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
    mappingModel.entityMappings.contains { mapping in
      guard let name = mapping.destinationEntityName, let sourceName = mapping.sourceEntityName else {
        return false
      }
      return mapping.relationshipMappings.contains { property in
        // What costs least is asked first: a thousand entities may have relationships of one name.
        let isSame = property.value.sourceName == past.property
        let comes =
          isSame
          ? source.isKind(sourceName, of: past.entity)
          : property.referrers.contains {
            $0.property == past.property
              && (end == .from ? $0.entity == row : source.isKind($0.entity, of: past.entity))
          }
        let isOwn = (end == .from) == isSame
        guard comes, isOwn ? sourceName == row : property.reachableEntities.contains(row),
          let storage = storage(of: property.name, in: name)
        else { return false }
        return storage == .join
          ? isFilled(property.name, of: name, from: past) : (storage == end) == isSame
      }
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
    return destination.inverse(of: relationship)?.isToMany == true ? .join : .to
  }

  /// Which of an entity's rows have a place in an ordered relationship that goes, though what it orders stays.
  ///
  /// - Parameters:
  ///   - ordered: the source's relationship, whose references lie in rows of what it leads to.
  ///   - key: the column that names the object which has it.
  func lostPlaces(
    in ordered: PropertyReference, row entity: String, key: String, order: String
  ) -> SQLCondition? {
    guard let owner = schema.table(ofEntity: ordered.entity) else { return nil }
    let numbers = numbers(ofSource: ordered.entity) {
      $1 != nil && carries(ordered, from: $0, to: entity) && !keepsOrder(of: ordered, from: $0)
    }
    if numbers.isEmpty { return nil }
    return .all([
      .isNotNull(.column(order)),
      .refers(column: key, table: owner.name, to: .entity(in: numbers.sorted())),
    ])
  }

  private func keepsOrder(of past: PropertyReference, from entity: String) -> Bool {
    guard let name = destinationName(ofEntity: entity), let mapping = mapping(toEntity: name) else {
      return false
    }
    return mapping.relationshipMappings.contains {
      $0.value.sourceName == past.property && $0.keepsOrder
        && destination.relationship(named: $0.name, of: name)?.isOrdered == true
    }
  }

  /// The rows of a join table, some of whose references go on, that the destination has no place for though both
  /// objects stay.
  func lostRows(of join: JoinTableLayout) -> [SQLCondition] {
    pairs(of: join) { !carries(join.source, from: $0, to: $1) }
  }

  /// The same for places of the one side in the list that the other has.
  func lostPlaces(in join: JoinTableLayout) -> [(reference: PropertyReference, rows: [SQLCondition])] {
    let lists = [
      (join.source, join.destinationOrderColumn, true), (join.destination, join.sourceOrderColumn, false),
    ]
    return lists.compactMap { ordered, column, isForward in
      guard let column else { return nil }
      let rows = pairs(of: join) { one, other in
        let (from, to) = isForward ? (one, other) : (other, one)
        return carries(ordered, from: from, to: to) && !keepsOrder(of: ordered, from: from)
      }
      return (ordered, rows.map { .all([.isNotNull(.column(column)), $0]) })
    }
  }

  /// Rows between objects that stay, for every entity at the source's end and those at the other that fulfil the
  /// condition with it.
  private func pairs(
    of join: JoinTableLayout, where isIncluded: (_ source: String, _ destination: String) -> Bool
  ) -> [SQLCondition] {
    guard let one = schema.table(ofEntity: join.source.entity),
      let other = schema.table(ofEntity: join.destination.entity)
    else { return [] }
    return source.descendantNames(includingSelf: join.source.entity).compactMap { name in
      guard destinationName(ofEntity: name) != nil, let number = oldNumber(ofSource: name) else { return nil }
      let others = numbers(ofSource: join.destination.entity) { $1 != nil && isIncluded(name, $0) }
      if others.isEmpty { return nil }
      return .all([
        .refers(column: join.sourceColumn, table: one.name, to: .entity(in: [number])),
        .refers(column: join.destinationColumn, table: other.name, to: .entity(in: others.sorted())),
      ])
    }
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

extension MigrationPlan.Loss {
  /// Whether it is told without asking anybody to agree.
  var isQuiet: Bool { code == .orderDropped || code == .danglingReferenceDropped }
}
