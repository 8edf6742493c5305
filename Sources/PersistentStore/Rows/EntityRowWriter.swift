package import GRDB
import ManagedModel

/// Writes the rows of one concrete entity, by the slots of its shape.
final class EntityRowWriter {
  let shape: EntityShape
  private let statement: RowStatement
  private let numbers: [String: Int]
  private let externalData: ExternalDataWriter?

  /// - Parameter id: the first object of its entity.
  init(for id: ManagedObject.ID, owner: ObjectWriter) throws {
    guard let entity = owner.hierarchy.entity(named: id.entityName), !entity.isAbstract else {
      throw DiagnosticsError(.rowRefused(id, reason: "the model has no concrete entity of that name"))
    }
    guard let shape = EntityShape(id.entityName, schema: owner.schema, hierarchy: owner.hierarchy) else {
      throw DiagnosticsError(.rowRefused(id, reason: "the store has no table for its entity"))
    }
    self.shape = shape
    externalData = owner.externalData
    numbers = owner.schema.numbersByName
    statement = try RowStatement(inserting: shape, into: owner.db)
  }

  /// - Parameter places: by to-one, those taken in the ordered to-many at its other end, by objects of all its entities.
  func write(_ object: ManagedObject, _ places: inout [PropertyReference: OrderKeys]) throws {
    guard object.id.primaryKey > 0 else {
      throw DiagnosticsError(.rowRefused(object.id, reason: "primary keys begin at 1"))
    }
    let unknown =
      object.values.keys.first { shape.attribute($0) == nil }
      ?? object.toOne.keys.first { name in !shape.toOnes.contains { $0.name == name } }
    if let unknown { throw DiagnosticsError(.unknownProperty(unknown, of: object.id)) }
    var cells = Array(repeating: StoredCell.null, count: shape.columnNames.count)
    for (name, attribute) in shape.attributes {
      guard let value = object.values[name] else { continue }
      let cell = try storedCell(
        value, of: attribute.attribute, property: name, object: object.id, in: externalData)
      guard let cell else { throw DiagnosticsError(.wrongValue(name, of: object.id, type: attribute.type)) }
      cells[attribute.slot] = cell
    }
    for (name, toOne) in shape.toOnes {
      guard let destination = object.toOne[name] else { continue }
      cells[toOne.keySlot] = .integer(destination.primaryKey)
      if let slot = toOne.numberSlot {
        cells[slot] = numbers[destination.entityName].map { .integer(Int64($0)) } ?? .null
      }
      if let slot = toOne.orderSlot {
        let place = places[toOne.reference, default: OrderKeys()].next(destination.primaryKey)
        cells[slot] = .integer(Int64(place))
      }
    }
    try statement.run(cells: [.integer(object.id.primaryKey), .integer(1)] + cells)
  }
}

extension RowStatement {
  /// Inserts rows of an entity: key, optimistic lock, then the slots.
  package convenience init(inserting shape: EntityShape, into db: Database) throws {
    let columns = shape.columnNames.map { ", " + $0.quotedIdentifier }.joined()
    let places = String(repeating: ", ?", count: shape.columnNames.count)
    try self.init(
      db,
      sql: "INSERT INTO \(shape.tableName.quotedIdentifier) (Z_PK, Z_ENT, Z_OPT\(columns)) "
        + "VALUES (?, \(shape.number), ?\(places))")
  }
}
