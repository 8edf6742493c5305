import GRDB
import ManagedModel
import PersistentStore

/// Writes the rows of a fixture's plan, entity by entity, each through one statement.
struct FixtureRowWriter {
  let db: Database
  let schema: StoreSchema
  let plan: FixturePlan
  let externalData: ExternalDataWriter?
  /// The number of each root's first object, by the place of every entity that shares its table.
  private let tableStarts: [Int]
  /// By place of the entity.
  private let entityNumbers: [Int64]

  init(_ db: Database, schema: StoreSchema, plan: FixturePlan, externalData: ExternalDataWriter?) {
    (self.db, self.schema, self.plan, self.externalData) = (db, schema, plan, externalData)
    let shape = plan.shape
    tableStarts = shape.entityNames.map { name in
      plan.objects(of: shape.kinds(of: shape.hierarchy.rootName(of: name))).lowerBound
    }
    entityNumbers = shape.entityNames.map { Int64(schema.entity(named: $0)?.number ?? 0) }
  }

  /// - Returns: the highest primary key, by root entity.
  func write() throws -> [String: Int64] {
    var maxima: [String: Int64] = [:]
    for (place, name) in plan.shape.entityNames.enumerated() where plan.counts[place] > 0 {
      try writeRows(of: name, at: place)
      let last = key(plan.starts[place + 1] - 1, of: place)
      let root = plan.shape.hierarchy.rootName(of: name)
      maxima[root] = max(maxima[root] ?? 0, last)
    }
    for (link, rows) in plan.joins { try write(rows, of: link) }
    return maxima
  }

  /// Keys count through a table from 1; between entities one is left out, as after a deletion.
  private func key(_ object: Int, of place: Int) -> Int64 {
    let name = plan.shape.entityNames[place]
    let first = plan.shape.kinds(of: plan.shape.hierarchy.rootName(of: name)).lowerBound
    return Int64(object - tableStarts[place] + 1 + place - first)
  }

  /// The place of the object's entity.
  private func entityPlace(_ object: Int, in kinds: Range<Int>) -> Int {
    max(kinds.lowerBound, kinds.end { plan.starts[$0] <= object } - 1)
  }

  /// What an object has in a column: of the object's number, its identifier, and its number within its entity.
  private typealias Cell = (_ object: Int, _ id: ManagedObject.ID, _ number: Int) throws -> StoredCell

  private func writeRows(of name: String, at place: Int) throws {
    guard let table = schema.table(ofEntity: name) else { return }
    let sources = try attributeSources(of: name, at: place)
    let columns = table.columns.compactMap { column in
      cell(for: column.role, at: place, sources).map { (name: column.name, cell: $0) }
    }
    let list = columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try RowStatement(
      db, sql: "INSERT INTO \(table.name.quotedIdentifier) (\(list)) VALUES (\(marks))")
    let first = plan.starts[place]
    let base = key(first, of: place)
    for object in first..<plan.starts[place + 1] {
      let id = ManagedObject.ID(entityName: name, primaryKey: base + Int64(object - first))
      try statement.run(cells: columns.map { try $0.cell(object, id, object - first) })
    }
  }

  // MARK: columns

  private func cell(
    for role: ColumnRole, at place: Int, _ sources: [PropertyReference: AttributeSource]
  ) -> Cell? {
    switch role {
    case .primaryKey: return { _, id, _ in .integer(id.primaryKey) }
    case .entityNumber: return { _, _, _ in .integer(entityNumbers[place]) }
    case .optimisticLock: return { _, _, _ in .integer(1) }
    case .attribute(let reference):
      // The store computes what is derived, once its rows are there.
      guard let source = sources[reference], !source.leaf.attribute.isDerived else { return nil }
      let (attribute, name) = (source.leaf.attribute, source.leaf.keyPath)
      return { object, id, number in
        guard let value = source.value(number, at: object) else { return .null }
        let stored = try storedCell(value, of: attribute, property: name, object: id, in: externalData)
        guard let stored else { throw DiagnosticsError(.wrongValue(name, of: id, type: attribute.type)) }
        return stored
      }
    case .toOne, .owner, .discriminator:
      guard let holder = role.key, let column = plan.references[holder] else { return nil }
      let kinds = plan.shape.kinds(of: plan.shape.hierarchy.entityReferred(toBy: holder) ?? "")
      let holdsKeys = role.holdsKeys
      return { object, _, _ in
        guard let target = column.destination(of: object) else { return .null }
        let entity = entityPlace(target, in: kinds)
        return .integer(holdsKeys ? key(target, of: entity) : entityNumbers[entity])
      }
    case .order, .ownerOrder:
      guard let column = plan.references[role] else { return nil }
      return { object, _, _ in
        column.position(of: object).map { .integer(Int64(OrderKey.at($0))) } ?? .null
      }
    case .unknown: return nil
    }
  }

  private func attributeSources(
    of name: String, at place: Int
  ) throws -> [PropertyReference: AttributeSource] {
    let hierarchy = plan.shape.hierarchy
    var sources: [PropertyReference: AttributeSource] = [:]
    // One text and one binary attribute of each entity is enough to hold the large values.
    var large: Set<String> = []
    for entity in hierarchy.lineage(of: name) {
      for leaf in entity.attributes.storedLeaves(composites: hierarchy.model.composites) {
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        let digit = plan.uniqueness.digits[reference].flatMap { $0.scope.contains(place) ? $0 : nil }
        sources[reference] = try AttributeSource(
          leaf, of: name, seed: plan.seed, unique: digit,
          isLarge: large.insert(
            "\(leaf.attribute.type) \(leaf.attribute.allowsExternalBinaryDataStorage)"
          ).inserted, in: CompositeSource(leaf, entity, hierarchy.model, seed: plan.seed))
      }
    }
    return sources
  }

  // MARK: join tables

  private func write(_ rows: [DrawnJoinRow], of link: JoinLink) throws {
    guard !rows.isEmpty, let join = schema.joinTable(seenFrom: link.source) else { return }
    let statement = try RowStatement(db, sql: join.insertion)
    let first = plan.objects(of: link.sources).lowerBound
    let firstFar = plan.objects(of: link.destinations).lowerBound
    for row in rows {
      let (source, destination) = (first + Int(row.source), firstFar + Int(row.destination))
      let near = key(source, of: entityPlace(source, in: link.sources))
      let far = key(destination, of: entityPlace(destination, in: link.destinations))
      let order = Int64(OrderKey.at(Int(row.position)))
      let inverseOrder = Int64(OrderKey.at(Int(row.inversePosition)))
      try statement.run(join.cells(near, far, order: order, otherOrder: inverseOrder))
      // A relationship that is its own inverse holds both directions.
      if link.isOwnInverse {
        try statement.run(join.cells(far, near, order: inverseOrder, otherOrder: order))
      }
    }
  }
}
