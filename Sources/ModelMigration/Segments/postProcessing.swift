import ManagedModel
import ModelFormats
package import PersistentStore

/// The key of a store's metadata under which the steps of post-processing stand that ran.
let postProcessingKey = "modelc.postProcessing"

extension StoreMetadata {
  var postProcessingSteps: Set<String> {
    guard case .array(let names)? = self[postProcessingKey] else { return [] }
    return Set(
      names.compactMap { name in
        if case .string(let text) = name { text } else { nil }
      })
  }
}

extension CustomMigrations {
  /// Steps of the versions on a store's way that have not run on it.
  func pendingSteps(of model: String, along path: [ModelVersion], done: Set<String>) -> [PostProcessingStep] {
    let names = Set(path.map(\.name))
    return (postProcessing[model] ?? []).filter { names.contains($0.versionName) && !done.contains($0.name) }
  }
}

/// Runs steps on a complete store of their version and records them in its metadata.
///
/// - Throws: ``DiagnosticsError`` for what a step fails with, or where its result breaks rules.
package func runPostProcessing(
  _ steps: [PostProcessingStep], on db: StoreDatabase, version: ModelVersion, configuration: String?,
  store: String
) throws {
  var metadata = try readStoreMetadata(db)
  let works = steps.map {
    ObjectWork(
      name: "post-processing step '\($0.name)' of '\($0.versionName)'", versionName: $0.versionName,
      work: $0.work)
  }
  try workOnObjects(works, of: db, version: version, configuration: configuration)
  let done = metadata.postProcessingSteps.union(steps.map(\.name)).sorted()
  metadata.setApplicationValue(.array(done.map { .string($0) }), forKey: postProcessingKey)
  try writeStoreMetadata(metadata, to: db)
}
