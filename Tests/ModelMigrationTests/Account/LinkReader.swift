import GRDB
import ManagedModel

/// Reads what objects are linked to, from foreign keys, the columns of to-many relationships without inverse and the
/// tables of many-to-many ones.
struct LinkReader {
  typealias Key = PlainStore.Key
  typealias Link = PlainStore.Link

  let db: Database
  let model: PlainModel
  let numbers: [String: Int64]
  let rows: [String: [Int64: Key]]
  let columns: [String: Set<String>]
  let columnOf: [String: String]
  private(set) var links: [String: Set<Link>] = [:]
  private(set) var dangling: [String: Set<Link>] = [:]
  private(set) var orders: [String: [Key: [Key]]] = [:]
  private var places: [String: [Key: [(place: Int64, key: Key)]]] = [:]

  init(
    db: Database, model: PlainModel, numbers: [String: Int64], rows: [String: [Int64: Key]],
    columns: [String: Set<String>], columnOf: [String: String]
  ) {
    (self.db, self.model, self.numbers) = (db, model, numbers)
    (self.rows, self.columns, self.columnOf) = (rows, columns, columnOf)
  }

  mutating func read() throws {
    for relationship in model.relationships {
      let inverse = model.inverse(of: relationship)
      if !relationship.description.isToMany {
        try readToOne(relationship, inverse)
      } else if let inverse {
        if inverse.description.isToMany { try readJoin(relationship, inverse) }
      } else {
        try readOwned(relationship)
      }
    }
    for (relationship, lists) in places {
      orders[relationship] = lists.mapValues { $0.sorted { $0.place < $1.place }.map(\.key) }
    }
  }

  private func table(of entity: String) -> String { "Z" + model.root(entity).uppercased() }

  private func row(_ entity: String, _ key: Int64) -> Key? { rows[model.root(entity)]?[key] }

  private func nobody(_ key: Int64) -> Key { Key(entity: "", primaryKey: key) }

  private mutating func readToOne(
    _ relationship: PlainModel.Relationship, _ inverse: PlainModel.Relationship?
  ) throws {
    let destination = relationship.description.destinationEntityName
    guard let column = columnOf["\(relationship.entity).\(relationship.name)"] else { return }
    let order = "Z_FOK_" + column.dropFirst()
    let isOrdered =
      inverse?.description.isOrdered == true
      && columns[table(of: relationship.entity)]?.contains(order) == true
    let sql =
      "SELECT Z_PK, \"\(column)\", \(isOrdered ? "\"\(order)\"" : "NULL") FROM \"\(table(of: relationship.entity))\""
    for cells in try Row.fetchAll(db, sql: sql + " WHERE \"\(column)\" IS NOT NULL") {
      guard let source = row(relationship.entity, cells[0]),
        let name = model.name(ofEntity: source.entity), model.isKind(name, of: relationship.entity)
      else { continue }
      guard let target = row(destination, cells[1]) else {
        dangling[relationship.id, default: []].insert(Link(source: source, target: nobody(cells[1])))
        continue
      }
      links[relationship.id, default: []].insert(Link(source: source, target: target))
      guard let inverse, inverse.description.isToMany else { continue }
      links[inverse.id, default: []].insert(Link(source: target, target: source))
      if let place: Int64 = cells[2] {
        places[inverse.id, default: [:]][target, default: []].append((place, source))
      }
    }
  }

  /// A to-many without inverse: the row that it leads to names its owner.
  private mutating func readOwned(_ relationship: PlainModel.Relationship) throws {
    let destination = relationship.description.destinationEntityName
    guard let number = numbers[relationship.entity] else { return }
    let column = "Z\(number)\(relationship.name.uppercased())"
    let order = "Z_FOK_\(number)\(relationship.name.uppercased())"
    let isOrdered = columns[table(of: destination)]?.contains(order) == true
    let sql =
      "SELECT Z_PK, \"\(column)\", \(isOrdered ? "\"\(order)\"" : "NULL") FROM \"\(table(of: destination))\""
    for cells in try Row.fetchAll(db, sql: sql + " WHERE \"\(column)\" IS NOT NULL") {
      guard let target = row(destination, cells[0]) else { continue }
      guard let source = row(relationship.entity, cells[1]) else {
        dangling[relationship.id, default: []].insert(Link(source: nobody(cells[1]), target: target))
        continue
      }
      links[relationship.id, default: []].insert(Link(source: source, target: target))
      if let place: Int64 = cells[2] {
        places[relationship.id, default: [:]][source, default: []].append((place, target))
      }
    }
  }

  private mutating func readJoin(
    _ relationship: PlainModel.Relationship, _ inverse: PlainModel.Relationship
  ) throws {
    let (one, other) = (numbers[relationship.entity] ?? 0, numbers[inverse.entity] ?? 0)
    let names = ["Z_\(one)\(relationship.name.uppercased())", "Z_\(other)\(inverse.name.uppercased())"]
    guard let table = names.first(where: { columns[$0] != nil }), let found = columns[table] else { return }
    let isReflexive = relationship.id == inverse.id
    let sourceColumn = column(in: found, "Z_\(one)\(inverse.name.uppercased())")
    let targetColumn =
      isReflexive ? "REFLEXIVE" : column(in: found, "Z_\(other)\(relationship.name.uppercased())")
    guard let sourceColumn, let targetColumn else { return }
    let order = "Z_FOK_" + targetColumn.dropFirst(2)
    let isOrdered = found.contains(order)
    let sql =
      "SELECT \"\(sourceColumn)\", \"\(targetColumn)\", \(isOrdered ? "\"\(order)\"" : "NULL") FROM \"\(table)\""
    for cells in try Row.fetchAll(db, sql: sql) {
      let source = row(relationship.entity, cells[0])
      let target = row(relationship.description.destinationEntityName, cells[1])
      guard let source, let target else {
        dangling[relationship.id, default: []].insert(
          Link(source: source ?? nobody(cells[0]), target: target ?? nobody(cells[1])))
        continue
      }
      links[relationship.id, default: []].insert(Link(source: source, target: target))
      if isReflexive { links[relationship.id, default: []].insert(Link(source: target, target: source)) }
      if let place: Int64 = cells[2] {
        places[relationship.id, default: [:]][source, default: []].append((place, target))
      }
    }
  }

  /// The column of that name, or with a number after it.
  private func column(in names: Set<String>, _ base: String) -> String? {
    names.contains(base)
      ? base : names.first { $0.hasPrefix(base) && $0.dropFirst(base.count).allSatisfy(\.isNumber) }
  }
}
