import ManagedModel
import ModelArchives
import StoreFiles

/// The key of a store's metadata that lists the steps of post-processing that ran.
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
  /// Steps of the versions on a store's way that have not run on it. Of a version that the way leads to they run also
  /// where they ran before: the store has been there, and gone back.
  func pendingSteps(of model: String, along path: [ModelVersion], done: Set<String>) -> [PostProcessingStep] {
    let names = Set(path.map(\.name))
    return (postProcessing[model] ?? []).filter {
      names.contains($0.versionName) && ($0.versionName != path.first?.name || !done.contains($0.name))
    }
  }
}
