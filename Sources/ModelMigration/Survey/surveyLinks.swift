import ManagedModel
import PersistentStore

extension Survey {
  /// Links between objects that both go on, and places in an order, that nothing of a custom mapping model reads.
  ///
  /// - Parameter written: names of the mappings that a person wrote.
  func unreadLinks(
    _ mappingModel: MappingModel, written: Set<String>, _ rows: ObjectRows, to target: ModelVersion
  ) throws -> [MigrationPlan.Loss] {
    let links = MappedLinks(mappingModel, from: rows.hierarchy, to: EntityHierarchy(target.model))
    var losses: [MigrationPlan.Loss] = []
    for entity in rows.hierarchy.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let past = PropertyReference(entity: entity.name, property: relationship.name)
        guard let places = LinkPlaces(of: past, relationship, in: rows) else { continue }
        let lost =
          places.isRepeated
          ? [] : links.pairs(places.ends) { !links.carriesAll(relationship, from: $0, to: $1) }
        if let count = try count(lost, places, rows, { links.split(relationship, $0) }) {
          let isMeant = lost.allSatisfy { pair in
            links.isMeant(relationship, from: pair.from, to: pair.to, written)
              || links.isFiltered(pair) && links.carries(relationship, from: pair.from, to: pair.to)
          }
          losses.append(
            acknowledged(
              .init(
                code: .droppedData, entity: past.entity, property: past.property, count: count,
                isAcknowledged: isMeant)))
        }
        if let count = try count(leadingNowhere: places, links.taken(places.holder), rows) {
          losses.append(
            .init(
              code: .danglingReferenceDropped, entity: past.entity, property: past.property, count: count,
              isAcknowledged: true))
        }
        for (ordered, order, isForward) in places.orders {
          let places = places.ordered(by: order)
          let lost = links.pairs(places.ends) { from, to in
            links.carries(relationship, from: from, to: to)
              && !links.keepsOrder(of: ordered, from: isForward ? from : to)
          }
          guard let count = try count(lost, places, rows) else { continue }
          let owner = isForward ? past.entity : relationship.destinationEntityName
          losses.append(
            .init(
              code: .orderDropped, entity: owner, property: ordered.name, count: count, isAcknowledged: true))
        }
      }
    }
    return losses
  }

  /// - Parameter split: how the mappings of both ends share a pair of entities; nil where all their links are lost.
  private func count(
    _ pairs: [MappedLinks.Pair], _ places: LinkPlaces, _ rows: ObjectRows,
    _ split: (MappedLinks.Pair) -> MappedLinks.Split? = { _ in nil }
  ) throws -> Int? {
    var whole: [String: [String]] = [:]
    var conditions: [SQLCondition] = []
    for pair in pairs {
      guard let split = split(pair) else {
        whole[pair.from, default: []].append(pair.to)
        continue
      }
      let (lost, carried) = (
        split.lost.compactMap { places.links(of: $0, rows) },
        split.carried.compactMap { places.links(of: $0, rows) }
      )
      guard lost.count == split.lost.count, carried.count == split.carried.count,
        let all = places.condition(from: pair.from, to: [pair.to], in: rows.schema)
      else { continue }
      conditions.append(.all([all, .any(lost), .not(.any(carried))]))
    }
    conditions += whole.sorted { $0.key < $1.key }.compactMap {
      places.condition(from: $0.key, to: $0.value, in: rows.schema)
    }
    if conditions.isEmpty { return nil }
    let count = try countRows(db, table: places.table, where: .any(conditions))
    return count > 0 ? count : nil
  }

  /// How many rows of these entities hold a key that no object has.
  private func count(
    leadingNowhere places: LinkPlaces, _ entities: [String], _ rows: ObjectRows
  ) throws -> Int? {
    let keys = places.danglingKeys(in: rows.schema)
    // A question about keys alone is answered by their index, in its order: nearly always there are none.
    let isAny = try keys.contains { try countRows(db, table: places.table, where: $0) > 0 }
    guard !entities.isEmpty, isAny else { return nil }
    let condition = SQLCondition.any(keys)
    let count = try countRows(
      db, table: places.table,
      where: places.isJoin ? condition : .all([.entity(in: rows.schema.numbers(of: entities)), condition]))
    return count > 0 ? count : nil
  }
}

extension StoreSchema {
  fileprivate func numbers(of entities: [String]) -> [Int] {
    entities.compactMap { entity(named: $0)?.number }
  }
}

/// Where the links of one relationship of a store are. Each link counts once, on the side that holds the keys.
private struct LinkPlaces {
  let table: String
  /// Holds the key of what has the relationship; nil if the rows are that.
  private let from: String?
  /// Holds the key of what it leads to; nil if the rows are that.
  private let to: String?
  let ends: (from: String, to: String)
  /// Ordered relationships whose places lie here, the column of the places, and whether it is this one or its inverse.
  private(set) var orders: [(relationship: RelationshipDescription, column: String, isForward: Bool)] = []
  private var order: String?
  /// Whether the inverse holds the same links, and is the one that tells them.
  private(set) var isRepeated = false

  init?(of past: PropertyReference, _ relationship: RelationshipDescription, in rows: ObjectRows) {
    let (schema, hierarchy) = (rows.schema, rows.hierarchy)
    guard let here = schema.table(ofEntity: past.entity),
      let there = schema.table(ofEntity: relationship.destinationEntityName)
    else { return nil }
    ends = (past.entity, relationship.destinationEntityName)
    let inverse = hierarchy.storedInverse(of: relationship)
    if let join = schema.joinTable(of: past) {
      // A relationship that is its own inverse, and of two the one that names the table.
      guard join.source == past else { return nil }
      (table, from, to) = (join.name, join.sourceColumn, join.destinationColumn)
      if let column = join.destinationOrderColumn { orders.append((relationship, column, true)) }
      if let column = join.sourceOrderColumn, let inverse { orders.append((inverse, column, false)) }
    } else if !relationship.isToMany {
      guard let key = here.column(for: .toOne(past)) else { return nil }
      if let inverse, !inverse.isToMany {
        isRepeated =
          (inverse.name, relationship.destinationEntityName) < (relationship.name, past.entity)
      }
      (table, from, to) = (here.name, nil, key.name)
      if let column = here.column(for: .order(past)), let inverse {
        orders.append((inverse, column.name, false))
      }
    } else {
      guard inverse == nil, let key = there.column(for: .owner(past)) else { return nil }
      (table, from, to) = (there.name, key.name, nil)
      if let column = there.column(for: .ownerOrder(past)) {
        orders.append((relationship, column.name, true))
      }
    }
  }

  /// The same, only where there is a place in an order.
  func ordered(by column: String) -> LinkPlaces {
    var places = self
    places.order = column
    return places
  }

  func condition(from entity: String, to others: [String], in schema: StoreSchema) -> SQLCondition? {
    let numbers = others.compactMap { schema.entity(named: $0)?.number }
    guard let number = schema.entity(named: entity)?.number, !numbers.isEmpty,
      let one = end(from, of: entity, [number], in: schema),
      let other = end(to, of: ends.to, numbers, in: schema)
    else { return nil }
    return .all([one, other] + (order.map { [.isNotNull(.column($0))] } ?? []))
  }

  /// The entity whose rows hold the keys, or whose keys come first in a table of their own.
  var holder: String { from == nil ? ends.from : to == nil ? ends.to : ends.from }

  var isJoin: Bool { from != nil && to != nil }

  /// Which rows hold a key that no object has, by each column of keys.
  func danglingKeys(in schema: StoreSchema) -> [SQLCondition] {
    [(from, ends.from), (to, ends.to)].compactMap { column, entity -> SQLCondition? in
      guard let column, let target = schema.table(ofEntity: entity) else { return nil }
      return .refersToNone(column: column, table: target.name)
    }
  }

  private func end(_ column: String?, of entity: String, _ numbers: [Int], in schema: StoreSchema)
    -> SQLCondition?
  {
    end(column, of: entity, .entity(in: numbers), in: schema)
  }

  private func end(_ column: String?, of entity: String, _ rows: SQLCondition, in schema: StoreSchema)
    -> SQLCondition?
  {
    guard let column else { return rows }
    return schema.table(ofEntity: entity).map { .refers(column: column, table: $0.name, to: rows) }
  }

  /// Links between objects that two mappings take; nil if only objects can be asked.
  func links(of mappings: MappedLinks.Ends, _ rows: ObjectRows) -> SQLCondition? {
    guard let taken = rows.rows(takenBy: mappings.from), let others = rows.rows(takenBy: mappings.to),
      let one = end(from, of: ends.from, taken, in: rows.schema),
      let other = end(to, of: ends.to, others, in: rows.schema)
    else { return nil }
    return .all([one, other])
  }
}

/// Which links of the source a mapping model reads.
struct MappedLinks {
  typealias Pair = (from: String, to: String)
  /// The mappings of the objects at both ends of a link.
  typealias Ends = (from: EntityMapping, to: EntityMapping)
  /// Which mappings of two entities carry the links between their objects, and which do not.
  typealias Split = (lost: [Ends], carried: [Ends])

  let source: EntityHierarchy
  private let destination: EntityHierarchy
  /// The mappings that make objects, by the source's entity.
  private let takers: [String: [EntityMapping]]
  /// Relationships that a mapping tells from the other side, by its name.
  private let referrers: [String: Set<PropertyReference>]

  init(_ mappingModel: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy) {
    (self.source, self.destination) = (source, destination)
    takers = Dictionary(
      grouping: mappingModel.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" })
    referrers = Dictionary(
      firstOf: mappingModel.entityMappings.map {
        ($0.name, Set($0.relationshipMappings.flatMap(\.referrers)))
      })
  }

  /// The entities at both ends whose objects go on and that fulfil the condition.
  func pairs(_ ends: Pair, where isIncluded: (String, String) -> Bool) -> [Pair] {
    let others = taken(ends.to)
    return taken(ends.from).flatMap { name in
      others.filter { isIncluded(name, $0) }.map { (from: name, to: $0) }
    }
  }

  /// An entity and those below it whose objects go on.
  func taken(_ entity: String) -> [String] {
    source.descendantNames(includingSelf: entity).filter { takers[$0] != nil }
  }

  /// Whether one side or the other reads some links between objects of two entities; a policy may read any.
  func carries(_ relationship: RelationshipDescription, from: String, to: String) -> Bool {
    ends(from, to).contains { isCarried(relationship, $0) }
  }

  /// Whether mappings that take every object of the two entities do.
  func carriesAll(_ relationship: RelationshipDescription, from: String, to: String) -> Bool {
    let ends = ends(from, to)
    return ends.allSatisfy { isCarried(relationship, $0) }
      || ends.contains { $0.from.filter == nil && $0.to.filter == nil && isCarried(relationship, $0) }
  }

  /// Whether the filter of what an entity itself becomes may leave objects out that others take.
  func isFiltered(_ pair: Pair) -> Bool {
    [pair.from, pair.to].contains { name in
      let heirs = (takers[name] ?? []).count { $0.makesHeir(in: destination) }
      return heirs > 0 && heirs < takers[name]?.count ?? 0
    }
  }

  /// Nil where no mappings carry any.
  func split(_ relationship: RelationshipDescription, _ pair: Pair) -> Split? {
    let ends = ends(pair.from, pair.to)
    let carried = ends.filter { isCarried(relationship, $0) }
    return carried.isEmpty ? nil : (ends.filter { !isCarried(relationship, $0) }, carried)
  }

  private func ends(_ from: String, _ to: String) -> [Ends] {
    (takers[from] ?? []).flatMap { one in (takers[to] ?? []).map { (from: one, to: $0) } }
  }

  private func isCarried(_ relationship: RelationshipDescription, _ ends: Ends) -> Bool {
    isCarried(relationship.name, ends)
      || source.inverse(of: relationship).map { isCarried($0.name, (ends.to, ends.from)) } ?? false
  }

  private func isCarried(_ name: String, _ ends: Ends) -> Bool {
    let mapping = ends.from
    let reference = PropertyReference(entity: mapping.sourceEntityName ?? "", property: name)
    return referrers[ends.to.name]?.contains(reference) == true || mapping.policyName != nil
      || mapping.relationshipMappings.contains { property in
        property.value.sourceName == name && leads(property.name, ends)
      }
      || (mapping.attributeMappings + mapping.relationshipMappings).contains { $0.value.reads(name) }
  }

  /// Whether the destination's relationship may lead to what becomes of the other end's objects.
  private func leads(_ name: String, _ ends: Ends) -> Bool {
    guard let own = ends.from.destinationEntityName,
      let relationship = destination.relationship(named: name, of: own)
    else { return false }
    return destination.isKind(ends.to.destinationEntityName ?? "", of: relationship.destinationEntityName)
  }

  /// Whether the places in an ordered relationship go on with the objects of an entity.
  func keepsOrder(of ordered: RelationshipDescription, from entity: String) -> Bool {
    takers[entity]?.contains { mapping in
      mapping.policyName != nil
        || mapping.relationshipMappings.contains { property in
          (property.value.sourceName == ordered.name || property.value.reads(ordered.name))
            && destination.relationship(named: property.name, of: mapping.destinationEntityName ?? "")?
              .isOrdered == true
        }
    } ?? false
  }

  /// Whether a person has said that the links go: under `drops:`, or by a mapping model that is complete by itself.
  func isMeant(
    _ relationship: RelationshipDescription, from: String, to: String, _ written: Set<String>
  ) -> Bool {
    let inverse = source.inverse(of: relationship)?.name
    return isDropped(relationship.name, by: from, written)
      || inverse.map { isDropped($0, by: to, written) } ?? false
  }

  private func isDropped(_ name: String, by entity: String, _ written: Set<String>) -> Bool {
    takers[entity]?.contains { mapping in
      mapping.droppedProperties.map { $0.contains(name) } ?? written.contains(mapping.name)
    } ?? false
  }
}

extension PropertyMappingValue {
  /// Whether an expression reads a relationship of the source's object.
  fileprivate func reads(_ name: String) -> Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.referencedKeyPaths.contains {
      $0.root == .variable("source") && $0.keys.first == name
    }
  }
}
