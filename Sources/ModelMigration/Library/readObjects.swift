public import Foundation
public import ManagedModel
import PersistentStore
import StoreFiles
public import StoreFixtures

/// Hands every object of a store to the body, one after the other. Memory does not grow with the store.
///
/// Objects come entity by entity in the order of their numbers, within an entity by primary key, with their to-one and
/// to-many relationships. The store is opened for reading and left without a trace.
///
/// - Parameters:
///   - store: the store's file.
///   - models: where the store's version is looked for; else the model that the store carries counts.
///   - name: an entity, whose sub-entities come too; nil for all. One that the version does not have has no objects.
///   - body: what it throws ends the reading.
/// - Throws: ``DiagnosticsError`` where the file is not a store (MC5001 to MC5005), no model fits it (MC5102), its tables do
///   not fit the model (MC5105), a cell holds no value of its attribute (MC5401, MC5402), or a file of a large value is
///   missing (MC5303).
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
    let source = try readStoreSource(db, path: path, among: models)
    let reader = ObjectReader(
      db, schema: source.schema, model: source.version.model,
      externalData: { try readExternalData($0, ofStoreAt: path) })
    for entity in name.map({ [$0] }) ?? reader.concreteEntityNames {
      try reader.forEachObject(ofEntity: entity, includingSubentities: name != nil, body)
    }
  }
}

/// Makes a new store of a version with generated objects: bounds, nil, texts of every script, large values, relationships
/// of every size. Required values, rules, inverses and uniqueness hold.
///
/// The same version, number and seed give the same objects, the same store UUID and the same names of external files.
///
/// - Parameters:
///   - store: must be free, and so must the folder for large values beside it.
///   - version: of any model; see ``readModel(at:)``.
///   - rows: how many objects in all.
///   - seed: another one gives other objects.
/// - Throws: ``DiagnosticsError`` where the place is taken (MC6003), or where the model's rules leave no objects (MC5501);
///   then nothing stays behind.
@discardableResult
public func makeFixture(
  at store: URL, of version: ModelVersion, rows: Int, seed: UInt64 = 0
) throws -> FixtureReport {
  try makeFixture(at: store.path, of: version, .rows(rows), seed: seed)
}

/// Makes a new store of a version with these objects, as Core Data would have written it.
///
/// - Parameters:
///   - store: must be free, and so must the folder for large values beside it.
///   - version: of any model; see ``readModel(at:)``.
///   - objects: each with the values of its attributes; of a relationship and its inverse, one side is enough.
/// - Throws: ``DiagnosticsError`` where the place is taken (MC6003) or the file cannot be written; then nothing stays
///   behind.
@discardableResult
public func makeFixture(
  at store: URL, of version: ModelVersion, objects: [ManagedObject]
) throws -> FixtureReport {
  try makeFixture(at: store.path, of: version, .objects(objects))
}
