public import Foundation
public import ManagedModel
import PersistentStore

/// Passes every object of a store to the body, one after another. Memory use does not grow with the store.
///
/// Objects come entity by entity in the order of their numbers, within an entity by primary key, with their to-one and
/// to-many relationships. The store is opened for reading and left without a trace.
///
/// - Parameters:
///   - store: the store's file.
///   - models: where the store's version is looked for; else the model that the store carries counts.
///   - name: an entity, whose sub-entities come too; nil for all. One that the version does not have has no objects.
///   - body: what it throws ends the reading.
/// - Throws: ``DiagnosticsError`` where there is no file (MC0009), it is not a store (MC5001 to MC5005), no model
///   fits it (MC5102), its tables do not fit the model (MC5105), a cell holds no value of its attribute (MC5401,
///   MC5402), or a file of a large value is missing (MC5303).
public func readObjects(
  at store: URL, models: [VersionedModel] = [], ofEntity name: String? = nil,
  _ body: (ManagedObject) throws -> Void
) throws {
  try readObjects(at: store.path, models: models, ofEntity: name, body)
}

package func readObjects(
  at path: String, models: [VersionedModel] = [], ofEntity name: String? = nil,
  _ body: (ManagedObject) throws -> Void
) throws {
  let connection = try openStore(path, among: models)
  defer { try? connection.close() }
  try connection.read { db in
    let source = try db.readStoreSource(path: path, among: models)
    let reader = ObjectReader(
      db, schema: source.schema, model: source.version.model,
      externalData: { try readExternalData($0, ofStoreAt: path) })
    for entity in name.map({ [$0] }) ?? reader.concreteEntityNames {
      try reader.forEachObject(ofEntity: entity, includingSubentities: name != nil, body)
    }
  }
}
