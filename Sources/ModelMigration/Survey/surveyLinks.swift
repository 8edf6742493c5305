import GRDB
import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts links between objects that both go on, and places in an order, that nothing of a custom mapping model reads.
  mutating func countUnreadLinks() throws {
    let links = MappedLinks(mappingModel, from: rows.hierarchy, to: destination)
    let cascaded = changesOthers ? nil : try mappingModel.countCascaded(rows)
    try rows.forEachLink { past, relationship, inverse, places in
      let ends = (from: past.entity, to: relationship.destinationEntityName)
      // Of a pair of to-ones, one tells.
      let isRepeated =
        !relationship.isToMany && inverse?.isToMany == false
        && (inverse?.name ?? "", ends.to) < (relationship.name, ends.from)
      let lost = isRepeated ? [] : links.pairs(ends) { !links.carriesAll(relationship, from: $0, to: $1) }
      for name in lost.map({ links.retiredName(of: past, $0) }).unique {
        let alike = lost.filter { links.retiredName(of: past, $0) == name }
        let isIntended = alike.allSatisfy { pair in
          links.isIntended(relationship, from: pair.from, to: pair.to)
            || links.isFiltered(pair) && links.carries(relationship, from: pair.from, to: pair.to)
        }
        account.add(
          .droppedData, of: name.entity, name.property,
          try rows.count(alike, places) { links.split(relationship, $0) }, isIntended: isIntended)
      }
      // Of objects that may go with others it is not certain.
      let kinds = cascaded.map { gone in links.pairs(ends) { gone[$0] == nil && gone[$1] == nil } } ?? []
      let isOwnInverse = inverse?.name == relationship.name && ends.from == ends.to
      let other = isOwnInverse ? nil : inverse
      for (side, isForward, isOfList) in [
        (relationship, true, false), (relationship, true, true), (other, false, false), (other, false, true),
      ] {
        guard let side else { continue }
        let heirs = kinds.flatMap {
          links.exclusiveHeirs(of: side, isForward ? $0 : (from: $0.to, to: $0.from), isOfList: isOfList)
        }
        for heir in heirs.map(\.heir).unique {
          let ends = heirs.filter { $0.heir == heir }.map(\.ends)
          try refuseShared(past, by: heir, ends, places, isForward: isForward, isOfList: isOfList)
        }
      }
      account.add(
        .danglingReferenceDropped, of: past.entity, past.property,
        try rows.count(leadingNowhere: places, of: links.taken))
      for (list, order, isForward) in [
        (relationship, places.to.order, true), (inverse, places.from.order, false),
      ] {
        guard let list, list.isToMany else { continue }
        let (entity, owner) = isForward ? (ends.from, places.from) : (ends.to, places.to)
        func readsOne(_ from: String, _ to: String) -> Bool {
          links.readsOne(of: list, isForward ? (from, to) : (to, from))
        }
        let lost = links.pairs(ends) { from, to in
          links.carries(relationship, from: from, to: to)
            && !links.keepsOrder(of: list, isForward ? (from, to) : (to, from)) && !readsOne(from, to)
        }
        let moved = try order == nil ? 0 : rows.count(lost, places, order: order)
        account.add(.orderDropped, of: entity, list.name, moved)
        // Who writes which one goes on means it.
        let others = try rows.count(links.pairs(ends, where: readsOne), places, besidesOneOf: owner.column)
        account.add(.objectsUnread, of: entity, list.name, others, isIntended: true)
      }
    }
  }

  /// Refuses links to objects that others lead to as well, or those of one list, where what a relationship becomes can hold one
  /// of these.
  private mutating func refuseShared(
    _ past: PropertyReference, by heir: PropertyReference, _ ends: [MappedLinks.Ends], _ places: Links,
    isForward: Bool, isOfList: Bool
  ) throws {
    let shared = isForward == isOfList ? places.from : places.to
    // An object that one mapping makes holds nothing of one that another makes.
    let links = Dictionary(grouping: ends) { (isOfList ? $0.from : $0.to).name }.values.map { ends in
      SQLCondition.any(ends.compactMap { rows.links(isForward ? $0 : (from: $0.to, to: $0.from), places) })
    }
    let count = try links.reduce(0) { try $0 + rows.count($1, places, besidesOneOf: shared.column) }
    if count == 0 { return }
    let keys = try Set(links.flatMap { try rows.keys(in: shared.column, ofSeveral: $0, places) }).sorted()
    let surplus = "\(count) \(count == 1 ? "reference" : "references") would be lost"
    let finding = Diagnostic(
      isOfList ? .severalForToOne : .toManyBecomesToOne, .error,
      isOfList
        ? "the to-one '\(heir.property)' of '\(heir.entity)' would get several objects, but can hold one: \(surplus)"
        : "'\(past.path)' leads several times to the same objects, but in '\(target.name)' each can be there once: \(surplus)",
      subject: ModelSubject(version: target.name, entity: heir.entity, property: heir.property),
      notes: ["objects of '\(shared.entity)' with several: primary keys \(keys.map(String.init).listed)"],
      help: [
        isOfList
          ? "choose one of them in the expression, or in a policy"
          : "give '\(heir.property)' a to-many inverse, or remove the surplus references with the app"
      ], cocoaCode: isOfList ? 134170 : 134110)
    findings.diagnostics.append(survey.uncertainIfRowsMayChange(finding))
  }
}

extension Survey {
  /// References of the store itself that a custom step behind the first ones, which keep them, will drop.
  func danglingLinks(droppedFor target: ModelVersion, beside losses: [MigrationPlan.Loss]) throws
    -> [Diagnostic]
  {
    guard let source = path.first else { return [] }
    let (schema, diagnostics) = physical.bound(to: source.model)
    if diagnostics.hasErrors { return [] }
    let rows = ObjectRows(db, schema: schema, model: source.model)
    var account = emptyAccount
    try rows.forEachLink { past, _, _, places in
      if losses.contains(where: { $0.entity == past.entity && $0.property == past.property }) { return }
      account.add(
        .danglingReferenceDropped, of: past.entity, past.property,
        try rows.count(leadingNowhere: places) { rows.hierarchy.descendantNames(includingSelf: $0) })
    }
    return try account.losses.map { Diagnostic.loss($0, target) } + unansweredReferences(in: rows)
  }

  /// References of one-to-ones whose other side says otherwise: of objects that a custom step makes one side gives way.
  ///
  /// - Parameter touched: the tables of objects that it makes or relates; nil if that may be any.
  func unansweredReferences(in rows: ObjectRows, touched: Set<String>? = nil) throws -> [Diagnostic] {
    let model = rows.hierarchy.model
    let store = VerifiedStore(schema: rows.schema, model: model)
    var pairs: TouchedTables = [:]
    for key in rows.schema.referenceColumns(rows.hierarchy)
    where key.column.role == .toOne(key.reference) && store.oneToOneInverse(of: key.reference) != nil
      && touched?.isDisjoint(with: [key.table.name, key.target.name]) != true
    {
      pairs[key.table.name, default: []].insert(key.column.name)
    }
    if pairs.isEmpty { return [] }
    let found = try db.verifyObjects(
      schema: rows.schema, model: model, exampleLimit: 5, asksConstraints: false, only: pairs)
    return found.map(\.diagnostic).filter { $0.code == .unansweredReferences }.map { finding in
      finding.with {
        $0.severity = .warning
        $0.notes.append(
          "if a mapping creates these objects, one side is changed to match the other: check which one is right"
        )
      }
    }
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
    let hasPlace = order.map { SQLCondition.isNotNull(.column($0)) } ?? .all([])
    guard let condition = condition(pairs, places, split) else { return 0 }
    return try count(.all([hasPlace, condition]), places, besidesOneOf: owner)
  }

  fileprivate func count(_ links: SQLCondition, _ places: Links, besidesOneOf owner: String?) throws -> Int {
    let count = try countRows(db, table: places.table, where: links)
    guard let column = owner?.quotedIdentifier else { return count }
    let rows = "FROM \(places.table.quotedIdentifier) WHERE \(links.sql)"
    return try count - countRows(db, "FROM (SELECT DISTINCT \(column) \(rows))")
  }

  /// Up to five values of a column that several links have.
  fileprivate func keys(in column: String, ofSeveral links: SQLCondition, _ places: Links) throws -> [Int64] {
    let name = column.quotedIdentifier
    return try Row.fetchAll(
      db,
      sql: """
        SELECT \(name) FROM \(places.table.quotedIdentifier) WHERE \(links.sql) \
        GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 1 LIMIT 5
        """
    ).compactMap { Int64.fromDatabaseValue($0[0]) }
  }

  /// Links between objects that two mappings take; nil if only objects can be asked.
  fileprivate func links(_ ends: MappedLinks.Ends, _ places: Links) -> SQLCondition? {
    func taken(by mapping: EntityMapping) -> SQLCondition? {
      let numbers = schema.numbers(of: [mapping.sourceEntityName ?? ""])
      return rows(takenBy: mapping).map { .all([.entity(in: numbers), $0]) }
    }
    guard let from = taken(by: ends.from), let to = taken(by: ends.to) else { return nil }
    return places.rows(from: from, to: to, in: schema)
  }

  private func condition(
    _ pairs: [MappedLinks.Pair], _ places: Links, _ split: (MappedLinks.Pair) -> MappedLinks.Split?
  ) -> SQLCondition? {
    func between(_ from: String, _ to: [String]) -> SQLCondition? {
      let (one, others) = (schema.numbers(of: [from]), schema.numbers(of: to))
      guard !one.isEmpty, !others.isEmpty else { return nil }
      return places.rows(from: .entity(in: one), to: .entity(in: others), in: schema)
    }
    var whole: [String: [String]] = [:]
    var conditions: [SQLCondition] = []
    for pair in pairs {
      guard let split = split(pair) else {
        whole[pair.from, default: []].append(pair.to)
        continue
      }
      let (lost, carried) = (split.lost.map { links($0, places) }, split.carried.map { links($0, places) })
      if (lost + carried).contains(nil) { continue }
      conditions.append(.all([.any(lost.compactMap(\.self)), .not(.any(carried.compactMap(\.self)))]))
    }
    conditions += whole.sorted { $0.key < $1.key }.compactMap { between($0.key, $0.value) }
    return conditions.isEmpty ? nil : .any(conditions)
  }

  /// How many rows hold a key that no object has, or one of another kind.
  ///
  /// - Parameter kinds: which entities' rows count, of the entity that holds the keys.
  fileprivate func count(leadingNowhere places: Links, of kinds: (String) -> [String]) throws -> Int {
    let entities = kinds((places.isJoin || places.isInOwnRow ? places.from : places.to).entity)
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
