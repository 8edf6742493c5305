import ManagedModel
import PersistentStore

/// Where the references of one source relationship are: a row for each, with the keys of the two objects.
///
/// A to-one, a to-many with a to-one inverse, a to-many without inverse and a many-to-many differ only in the table and
/// the columns, so each can become any other.
struct Links: Hashable {
  /// The source's name of a table; of a join table where ``isJoin``, else of the table whose rows are one of the
  /// ends.
  var table: String
  /// The objects that have the relationship, and those that it leads to.
  var from: End
  var to: End
  var isJoin: Bool

  /// One end of a reference.
  struct End: Hashable {
    /// The column that holds its keys; ``Links/rowKey`` where the rows are the objects themselves.
    var column: String
    /// The entity that the relationship names; its sub-entities come with it.
    var entity: String
    /// The column of its place in the ordered relationship of the other end, where that is ordered.
    var order: String?
    /// The column of its entity's number, where there is one.
    var discriminator: String?
  }

  static let rowKey = "Z_PK"

  var reversed: Links { Links(table: table, from: to, to: from, isJoin: isJoin) }

  /// Whether the rows are the objects that have the relationship.
  var isInOwnRow: Bool { !isJoin && from.column == Self.rowKey }

  /// The rows whose two objects fulfil the conditions.
  func rows(from one: SQLCondition, to other: SQLCondition, in schema: StoreSchema) -> SQLCondition? {
    let ends = [(from, one, true), (to, other, !isJoin)].compactMap { end, rows, usesIndex -> SQLCondition? in
      if end.column == Self.rowKey { return rows }
      return schema.table(ofEntity: end.entity).map {
        .refers(column: end.column, table: $0.name, to: rows, usesIndex: usesIndex)
      }
    }
    return ends.count == 2 ? .all(ends) : nil
  }

  /// Which rows hold a key that no object has, by each column of keys.
  func danglingKeys(in schema: StoreSchema, of source: EntityHierarchy) -> [SQLCondition] {
    [from, to].flatMap { end -> [SQLCondition] in
      guard end.column != Self.rowKey, let target = schema.table(ofEntity: end.entity) else { return [] }
      let kinds = schema.numbers(of: source.descendantNames(includingSelf: end.entity))
      let others = SQLCondition.refers(column: end.column, table: target.name, to: .noEntity(in: kinds))
      return [.refersToNone(column: end.column, table: target.name)]
        + (target.rootEntityName == end.entity ? [] : [others])
    }
  }
}

extension StoreSchema {
  func links(of past: PropertyReference, in source: EntityHierarchy) -> Links? {
    guard let relationship = source.relationship(past),
      let here = table(ofEntity: past.entity),
      let there = table(ofEntity: relationship.destinationEntityName)
    else { return nil }
    var from = Links.End(column: Links.rowKey, entity: past.entity)
    var to = Links.End(column: Links.rowKey, entity: relationship.destinationEntityName)
    if let join = joinTable(seenFrom: past) {
      (from.column, from.order) = (join.near.column, join.near.order)
      (to.column, to.order) = (join.far.column, join.far.order)
      return Links(table: join.name, from: from, to: to, isJoin: true)
    }
    if !relationship.isToMany {
      guard let column = here.column(for: .toOne(past)) else { return nil }
      to.column = column.name
      to.discriminator = here.column(for: .discriminator(past))?.name
      from.order = here.column(for: .order(past))?.name
      return Links(table: here.name, from: from, to: to, isJoin: false)
    }
    if let inverse = relationship.inverseName,
      let back = source.reference(to: inverse, seenFrom: relationship.destinationEntityName),
      let column = there.column(for: .toOne(back))
    {
      from.column = column.name
      from.discriminator = there.column(for: .discriminator(back))?.name
      to.order = there.column(for: .order(back))?.name
      return Links(table: there.name, from: from, to: to, isJoin: false)
    }
    guard let column = there.column(for: .owner(past)) else { return nil }
    from.column = column.name
    to.order = there.column(for: .ownerOrder(past))?.name
    return Links(table: there.name, from: from, to: to, isJoin: false)
  }
}

extension StoreTransition {
  /// The references of a relationship of the source, in the source's names.
  func links(ofSource past: PropertyReference) -> Links? { schema.links(of: past, in: source) }

  /// The references with which a destination entity's relationship begins; several where relationships of several
  /// entities have become one.
  func links(into relationship: String, of entity: String) -> [Links] {
    guard let sourceName = sourceName(ofEntity: entity), let property = property(relationship, of: entity)
    else { return [] }
    if let name = property.value.sourceName {
      return source.reference(to: name, seenFrom: sourceName).flatMap(links(ofSource:)).map { [$0] } ?? []
    }
    return property.referrers.compactMap { source.reference(to: $0.property, seenFrom: $0.entity) }
      .compactMap(links(ofSource:)).map(\.reversed).unique
  }

  /// The same for every entity that has the relationship, which is named by the one that declares it.
  func links(of reference: PropertyReference) -> [Links] {
    destination.descendantNames(includingSelf: reference.entity)
      .flatMap { links(into: reference.property, of: $0) }.unique
  }

  /// Whether the places of an ordered relationship go on, for every entity that brings references.
  func keepsOrder(of reference: PropertyReference) -> Bool {
    let mappings = destination.descendantNames(includingSelf: reference.entity)
      .compactMap { property(reference.property, of: $0) }.filter(\.hasSource)
    return !mappings.isEmpty && mappings.allSatisfy(\.keepsOrder)
  }

  /// Entities of the source whose objects a relationship of the destination may lead to.
  func reachableEntities(of reference: PropertyReference) -> Set<String> {
    Set(propertyMappings(of: reference).flatMap(\.property.reachableEntities))
  }

  /// Entities of the source whose objects bring references to a relationship of the destination.
  func sourceEntities(of reference: PropertyReference) -> Set<String> {
    Set(propertyMappings(of: reference).filter(\.property.hasSource).map(\.source))
  }

  private func propertyMappings(
    of reference: PropertyReference
  ) -> [(source: String, property: PropertyMapping)] {
    destination.descendantNames(includingSelf: reference.entity).compactMap { name in
      sourceName(ofEntity: name).flatMap { source in
        property(reference.property, of: name).map { (source, $0) }
      }
    }
  }

  /// Entities of the source that may stand at the two ends of a many-to-many, told by either side.
  func ends(of join: JoinTableLayout) -> (source: Set<String>, destination: Set<String>) {
    if join.isOwnInverse { return (sourceEntities(of: join.source), reachableEntities(of: join.source)) }
    return (
      sourceEntities(of: join.source).intersection(reachableEntities(of: join.destination)),
      reachableEntities(of: join.source).intersection(sourceEntities(of: join.destination))
    )
  }

  /// Old numbers of the source's entity and all below it that fulfil the condition.
  func numbers(
    ofSource entity: String, where isIncluded: (_ name: String, _ destination: String?) -> Bool
  ) -> [Int] {
    source.descendantNames(includingSelf: entity).filter { isIncluded($0, destinationName(ofEntity: $0)) }
      .compactMap { oldNumber(ofSource: $0) }
  }

  /// Old numbers of the source's entity and those below it but these.
  func unreachableNumbers(of entity: String, except reached: Set<String>) -> [Int] {
    numbers(ofSource: entity) { name, _ in !reached.contains(name) }
  }
}
