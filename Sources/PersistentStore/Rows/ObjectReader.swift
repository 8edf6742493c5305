package import Foundation
package import GRDB
package import ManagedModel

/// Reads objects of a store one after the other or by their keys, in bounded memory.
package final class ObjectReader {
  let db: Database
  let schema: StoreSchema
  package let hierarchy: EntityHierarchy
  /// The content of a file of external data, by its name; nil if it is missing.
  private let externalData: (String) throws -> Data?
  private let mark: ((UnreadableCell) -> Void)?
  private var decoders: [String: RowDecoder] = [:]

  /// - Parameter mark: takes cells that hold no value of their property, which the objects are then without; nil to throw
  ///   at the first.
  package init(
    _ db: Database, schema: StoreSchema, model: ManagedObjectModel,
    externalData: @escaping (String) throws -> Data? = { _ in nil },
    mark: ((UnreadableCell) -> Void)? = nil
  ) {
    (self.db, self.schema, hierarchy) = (db, schema, EntityHierarchy(model))
    (self.externalData, self.mark) = (externalData, mark)
  }

  /// Entities that can have objects, in the order of their numbers.
  package var concreteEntityNames: [String] {
    hierarchy.namesInNumberingOrder.filter {
      hierarchy.entity(named: $0)?.isAbstract == false && schema.table(ofEntity: $0) != nil
    }
  }

  /// Hands all objects of an entity to the body, in the order of their primary keys, to-many relationships
  /// included.
  ///
  /// Each to-many is one query beside that of the rows; all run through the owners in step.
  ///
  /// - Throws: MC5401 and MC5402 for cells that hold no value of their attribute, MC5303 for files that are
  ///   missing, so that nothing reads as absent that is only elsewhere.
  package func forEachObject(
    ofEntity name: String, includingSubentities: Bool = true, _ body: (ManagedObject) throws -> Void
  ) throws {
    let kinds = includingSubentities ? hierarchy.descendantNames(includingSelf: name) : [name]
    let decoders = kinds.compactMap(decoder(of:))
    guard let table = schema.table(ofEntity: name), let first = decoders.first else { return }
    let numbers = decoders.map(\.shape.number).sqlList
    let byNumber = Dictionary(firstOf: decoders.map { (Int64($0.shape.number), $0) })
    let rows = try RowReader(
      db,
      sql: "SELECT \(first.columnList) FROM \(table.name.quotedIdentifier)"
        + " WHERE Z_ENT IN (\(numbers)) ORDER BY Z_PK")
    let members = try toManyReaders(of: decoders)
    while try rows.step() {
      let decoder = rows.integer(1).flatMap { byNumber[$0] }
      guard let key = rows.integer(0), let decoder else { continue }
      var object = try decoder.object(key, rows, externalData: externalData, mark: mark)
      for reader in members where hierarchy.isKind(object.id.entityName, of: reader.relationship.entity) {
        let found = try reader.members(of: key)
        if !found.isEmpty { object.toMany[reader.relationship.property] = found }
      }
      try body(object)
    }
  }

  /// The keys of all objects of an entity, without those of its sub-entities.
  package func keys(ofEntity name: String) throws -> [Int64] {
    guard let decoder = decoder(of: name), let table = schema.table(ofEntity: name) else { return [] }
    return try RowReader(
      db, sql: "SELECT Z_PK FROM \(table.name.quotedIdentifier) WHERE Z_ENT = ? ORDER BY Z_PK",
      Int64(decoder.shape.number)
    ).keys()
  }

  /// The object of a key with its to-many relationships; nil if there is no such object.
  package func object(_ id: ManagedObject.ID) throws -> ManagedObject? {
    guard let decoder = decoder(of: id.entityName), let table = schema.table(ofEntity: id.entityName) else {
      return nil
    }
    let rows = try RowReader(
      db, sql: "SELECT \(decoder.columnList) FROM \(table.name.quotedIdentifier) WHERE Z_PK = ?",
      id.primaryKey)
    guard try rows.step(), let number = rows.integer(1), number == decoder.shape.number else { return nil }
    var object = try decoder.object(id.primaryKey, rows, externalData: externalData, mark: mark)
    for reader in try toManyReaders(of: [decoder], owner: id.primaryKey) {
      let found = try reader.members(of: id.primaryKey)
      if !found.isEmpty { object.toMany[reader.relationship.property] = found }
    }
    return object
  }

  private func decoder(of entityName: String) -> RowDecoder? {
    if let known = decoders[entityName] { return known }
    let made = RowDecoder(entityName, schema: schema, hierarchy: hierarchy)
    decoders[entityName] = made
    return made
  }

  /// - Parameter owner: the one owner to read for; nil for all in turn.
  private func toManyReaders(of decoders: [RowDecoder], owner: Int64? = nil) throws -> [ToManyReader] {
    try decoders.flatMap(\.shape.toManys).unique { $0.reference }
      .compactMap { try ToManyReader($0, db, schema, hierarchy, owner: owner) }
  }
}
