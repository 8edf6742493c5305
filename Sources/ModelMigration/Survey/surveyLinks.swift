import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts links between objects that both go on, and places in an order, that nothing of a custom mapping model reads.
  mutating func countUnreadLinks() throws {
    let links = MappedLinks(mappingModel, from: rows.hierarchy, to: destination)
    try rows.forEachLink { past, relationship, inverse, places in
      let ends = (from: past.entity, to: relationship.destinationEntityName)
      // Of a pair of to-ones, one tells.
      let isRepeated =
        !relationship.isToMany && inverse?.isToMany == false
        && (inverse?.name ?? "", ends.to) < (relationship.name, ends.from)
      let lost =
        isRepeated ? [] : links.pairs(ends) { !links.carriesAll(relationship, from: $0, to: $1) }
      for name in lost.map({ links.retiredName(of: past, $0) }).unique {
        let alike = lost.filter { links.retiredName(of: past, $0) == name }
        let isIntended = alike.allSatisfy { pair in
          links.isIntended(relationship, from: pair.from, to: pair.to, written)
            || links.isFiltered(pair) && links.carries(relationship, from: pair.from, to: pair.to)
        }
        account.add(
          .droppedData, of: name.entity, name.property,
          try rows.count(alike, places) { links.split(relationship, $0) }, isIntended: isIntended)
      }
      let holder = places.isJoin || places.isInOwnRow ? ends.from : ends.to
      account.add(
        .danglingReferenceDropped, of: past.entity, past.property,
        try rows.count(leadingNowhere: places, links.taken(holder)))
      for (ordered, order, isForward) in [
        (relationship, places.to.order, true), (inverse, places.from.order, false),
      ] {
        guard let ordered, let order else { continue }
        let (entity, owner) = isForward ? (ends.from, places.from) : (ends.to, places.to)
        func readsOne(_ from: String, _ to: String) -> Bool {
          links.readsOne(of: ordered, isForward ? (from, to) : (to, from))
        }
        let lost = links.pairs(ends) { from, to in
          links.carries(relationship, from: from, to: to)
            && !links.keepsOrder(of: ordered, from: isForward ? from : to) && !readsOne(from, to)
        }
        account.add(.orderDropped, of: entity, ordered.name, try rows.count(lost, places, order: order))
        // Who writes which one goes on means it.
        let others = try rows.count(links.pairs(ends, where: readsOne), places, besidesOneOf: owner.column)
        account.add(.objectsUnread, of: entity, ordered.name, others, isIntended: true)
      }
    }
  }
}

extension Survey {
  /// References of the store itself that a custom step behind the first ones, which keep them, will drop.
  func danglingLinks(droppedFor target: ModelVersion, beside losses: [MigrationPlan.Loss]) throws
    -> [Diagnostic]
  {
    guard let source = path.first.map(restricted) else { return [] }
    let (schema, diagnostics) = physical.bound(to: source.model)
    if diagnostics.hasErrors { return [] }
    let rows = ObjectRows(db, schema: schema, model: source.model)
    var account = emptyAccount
    try rows.forEachLink { past, relationship, _, places in
      if losses.contains(where: { $0.entity == past.entity && $0.property == past.property }) { return }
      let holder = places.isJoin || places.isInOwnRow ? past.entity : relationship.destinationEntityName
      let holders = rows.hierarchy.descendantNames(includingSelf: holder)
      account.add(
        .danglingReferenceDropped, of: past.entity, past.property,
        try rows.count(leadingNowhere: places, holders))
    }
    return account.losses.map { .loss($0, target) }
  }
}

extension ObjectRows {
  /// Each relationship once whose links are stored: in a table of its own the one that names it, else that of the rows with
  /// its keys.
  fileprivate func forEachLink(
    _ body: (PropertyReference, RelationshipDescription, _ inverse: RelationshipDescription?, Links) throws ->
      Void
  ) throws {
    for entity in hierarchy.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let past = PropertyReference(entity: entity.name, property: relationship.name)
        let inverse = hierarchy.storedInverse(of: relationship)
        guard let places = schema.links(of: past, in: hierarchy),
          places.isJoin
            ? schema.joinTable(of: past)?.source == past : !relationship.isToMany || inverse == nil
        else { continue }
        try body(past, relationship, inverse, places)
      }
    }
  }

  /// - Parameters:
  ///   - order: counts links with a place in this column only.
  ///   - owner: of the links with the same value in this column one is not counted.
  ///   - split: how the mappings of both ends share a pair of entities; nil where all their links are lost.
  fileprivate func count(
    _ pairs: [MappedLinks.Pair], _ places: Links, order: String? = nil, besidesOneOf owner: String? = nil,
    _ split: (MappedLinks.Pair) -> MappedLinks.Split? = { _ in nil }
  ) throws -> Int {
    func between(_ from: String, _ to: [String]) -> SQLCondition? {
      let (one, others) = (schema.numbers(of: [from]), schema.numbers(of: to))
      guard !one.isEmpty, !others.isEmpty else { return nil }
      return places.rows(from: .entity(in: one), to: .entity(in: others), in: schema)
    }
    func taken(by mappings: MappedLinks.Ends) -> SQLCondition? {
      guard let one = rows(takenBy: mappings.from), let other = rows(takenBy: mappings.to) else {
        return nil
      }
      return places.rows(from: one, to: other, in: schema)
    }
    var whole: [String: [String]] = [:]
    var conditions: [SQLCondition] = []
    for pair in pairs {
      guard let split = split(pair) else {
        whole[pair.from, default: []].append(pair.to)
        continue
      }
      let (lost, carried) = (split.lost.compactMap(taken), split.carried.compactMap(taken))
      guard lost.count == split.lost.count, carried.count == split.carried.count,
        let all = between(pair.from, [pair.to])
      else { continue }
      conditions.append(.all([all, .any(lost), .not(.any(carried))]))
    }
    conditions += whole.sorted { $0.key < $1.key }.compactMap { between($0.key, $0.value) }
    if conditions.isEmpty { return 0 }
    let hasPlace = order.map { SQLCondition.isNotNull(.column($0)) } ?? .all([])
    let condition = SQLCondition.all([hasPlace, .any(conditions)])
    let count = try countRows(db, table: places.table, where: condition)
    guard let column = owner?.quotedIdentifier else { return count }
    let links = "FROM \(places.table.quotedIdentifier) WHERE \(condition.sql)"
    return try count - countRows(db, "FROM (SELECT DISTINCT \(column) \(links))")
  }

  /// How many rows of these entities hold a key that no object has, or one of another kind.
  fileprivate func count(leadingNowhere places: Links, _ entities: [String]) throws -> Int {
    let keys = places.danglingKeys(in: schema, of: hierarchy)
    // A question about keys alone is answered by their index, in its order: nearly always there are none.
    let isAny = try keys.contains { try countRows(db, table: places.table, where: $0) > 0 }
    guard !entities.isEmpty, isAny else { return 0 }
    let condition = SQLCondition.any(keys)
    return try countRows(
      db, table: places.table,
      where: places.isJoin ? condition : .all([.entity(in: schema.numbers(of: entities)), condition]))
  }
}

extension StoreSchema {
  fileprivate func numbers(of entities: [String]) -> [Int] {
    entities.compactMap { entity(named: $0)?.number }
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

  /// See ``EntityHierarchy/retiredName(of:from:to:isStill:)``.
  func retiredName(of past: PropertyReference, _ pair: Pair) -> PropertyReference {
    source.retiredName(of: past, from: pair.from, to: pair.to) { entity, above in
      let heirs = [above] + (takers[above] ?? []).compactMap(\.destinationEntityName)
      return (takers[entity] ?? []).compactMap(\.destinationEntityName).contains { own in
        heirs.contains { destination.isKind(own, of: $0) }
      }
    }
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
      let heirs = (takers[name] ?? []).count { $0.mapsToCounterpart(in: destination) }
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
    if mapping.policyName != nil || mapping.attributeMappings.contains(where: { $0.value.reads(name) }) {
      return true
    }
    // Of an entity that is split, not all that is made of it has the relationship.
    return mapping.relationshipMappings.contains { property in
      property.value.reads(name) && leads(property.name, ends)
    }
      || referrers[ends.to.name]?.contains(reference) == true
        && ends.to.relationshipMappings.contains {
          $0.referrers.contains(reference) && leads($0.name, (ends.to, mapping))
        }
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
          property.value.reads(ordered.name)
            && destination.relationship(named: property.name, of: mapping.destinationEntityName ?? "")?
              .isOrdered == true
        }
    } ?? false
  }

  /// Whether the links between objects of two entities go on by what reads one of a list, at a place: the others do not.
  func readsOne(of ordered: RelationshipDescription, _ pair: Pair) -> Bool {
    let carriers = ends(pair.from, pair.to).filter { isCarried(ordered, $0) }
    return !carriers.isEmpty
      && carriers.allSatisfy { ends in
        let own = ends.from
        let readers = own.relationshipMappings.filter { $0.value.reads(ordered.name) }
        guard readers.count == 1, readers[0].value.isOne(of: ordered.name), own.policyName == nil,
          !own.attributeMappings.contains(where: { $0.value.reads(ordered.name) })
        else { return false }
        return source.inverse(of: ordered).map { isCarried($0.name, (ends.to, own)) } != true
      }
  }

  /// Whether a person has said that the links go: under `drops:`, or by a mapping model that is complete by itself.
  func isIntended(
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
  /// Whether it reads a relationship of the source's object.
  fileprivate func reads(_ name: String) -> Bool { keysOfSource.contains { $0.first == name } }

  /// Whether it is one object of the source's list, as in `destinationInstances("StopToStop", $source.stops[FIRST])`.
  fileprivate func isOne(of name: String) -> Bool {
    guard case .expression(let expression) = self,
      case .index(of: let list, let place) = expression.lookup?.objects ?? expression
    else { return false }
    return list.sourcePath == [name] && place != .size
  }
}
