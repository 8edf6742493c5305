public import Foundation
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
  try verifyStore(at: store.path, models: models, options: options)
}

package func verifyStore(
  at path: String, models: [VersionedModel] = [], options: VerificationOptions = VerificationOptions()
) throws -> Verification {
  let connection = try openStore(path, among: models)
  let verification = try connection.read { db in
    try verifyStore(db, name: path, path: connection.file.path, among: models, options: options)
  }
  try connection.close()
  return verification
}
