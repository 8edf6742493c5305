package import ManagedModel

/// An open store with the version that its rows are to be read by.
package struct StoreSource {
  package var version: ModelVersion
  package var schema: StoreSchema
  package var metadata: StoreMetadata
  /// Its model among the project's, where one was recognised.
  package var modelName: String?
}

extension StoreDatabase {
  /// Finds the model of an open store: the version that its hashes name, else the one that it carries.
  ///
  /// - Throws: MC5102 where there is neither, and the errors of a schema that does not fit the model.
  package func readStoreSource(path: String, among models: [VersionedModel]) throws -> StoreSource {
    let metadata = try readStoreMetadata()
    let physical = try readPhysicalSchema()
    let own = try readStoreModel(self, physical: physical, metadata: metadata)
    let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
    let match = recognition.match(among: models)
    let found = match?.version(among: models)
    guard let model = found?.model.restricted(toConfiguration: match?.configuration) ?? own else {
      throw try DiagnosticsError(unrecognised(path, metadata, among: models))
    }
    let (schema, diagnostics) = physical.bound(to: model)
    try diagnostics.filter { $0.severity == .error }.refuse()
    return StoreSource(
      version: ModelVersion(
        name: found?.name ?? path, model: model, sourceMap: found?.sourceMap,
        recordedHashes: metadata.versionHashes),
      schema: schema, metadata: metadata, modelName: match?.modelName)
  }
}
