public import Foundation
public import ManagedModel
import ModelArchives
public import PersistentStore

/// Inspects a store: which version it has, what is in it. The store is opened for reading and left without a trace.
///
/// - Parameters:
///   - store: the store's file.
///   - models: the store is looked for among the versions of all of them. Without any, the store's own data count.
///   - counting: how much is counted. By default a store above 16 MB is not, so that the call takes milliseconds.
/// - Throws: ``DiagnosticsError`` where there is no file (MC0009), it is not a store (MC5001 to MC5005), its metadata
///   cannot be read, or somebody holds it for longer than a second (MC5305).
public func inspectStore(
  at store: URL, models: [VersionedModel] = [], counting: CountMode = .automatic
) throws -> StoreInspection {
  try inspectStore(at: store.path, models: models, counting: counting)
}

package func inspectStore(
  at path: String, models: [VersionedModel] = [], counting: CountMode = .automatic
) throws -> StoreInspection {
  let connection = try openStore(path, among: models)
  let inspection = try connection.read { db in
    try inspectStore(db, among: models, path: connection.file.path, counting: counting)
  }
  try connection.close()
  return inspection
}

/// Checks a store against its model, and for consistency: pages, schema, numbers, references, uniqueness, required
/// values, rules, files beside it. It checks everything before it ends, and writes nothing.
///
/// - Parameters:
///   - store: the store's file.
///   - models: the store is looked for among their versions; where it is of none, the model that it carries counts.
///   - options: which of SQLite's checks runs, and what findings show.
/// - Returns: what was found. That is the answer, also where it is an error; see `hasErrors`.
/// - Throws: ``DiagnosticsError`` where there is no file (MC0009), it is not a store (MC5001 to MC5005), its metadata
///   cannot be read, or somebody holds it for longer than a second (MC5305).
public func verifyStore(
  at store: URL, models: [VersionedModel] = [], options: VerificationOptions = VerificationOptions()
) throws -> Verification {
  let path = store.path
  let connection = try openStore(path, among: models)
  let verification = try connection.read { db in
    try verifyStore(db, name: path, path: connection.file.path, among: models, options: options)
  }
  try connection.close()
  return verification
}

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
  let path = store.path
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

extension VersionedModel {
  /// Reads a compiled model: a `.momd` with its versions, or a single `.mom`.
  ///
  /// It needs no other form of models; `readModel(at:)` of ModelFormats reads those too.
  ///
  /// ```swift
  /// let migrator = StoreMigrator(models: [try VersionedModel(bundle: url)])
  /// ```
  ///
  /// - Throws: ``DiagnosticsError`` if there is no bundle (MC0009), or if a version cannot be read: an app that does not
  ///   know each of its versions migrates no store.
  public init(bundle url: URL) throws {
    let (model, diagnostics) = try readModelBundle(at: url)
    if diagnostics.hasErrors { throw DiagnosticsError(diagnostics) }
    self = model
  }
}
