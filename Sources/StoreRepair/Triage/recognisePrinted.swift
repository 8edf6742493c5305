package import ManagedModel
package import PersistentStore

/// What a log tells of a store: the versions that have all the hashes which it prints, or the one that comes nearest.
package struct PrintedRecognition: Hashable, Sendable {
  package struct Nearest: Hashable, Sendable {
    package var modelName: String
    package var versionName: String
    package var equal: Int
    /// Entities with other hashes, or that only one of the two has.
    package var differing: [String]
  }

  package var printed: PrintedHashes
  package var versions: [RecognisedVersion] = []
  /// Of the current version of the first model: entities that differ from those of the version that was found.
  package var differingFromCurrent: [String] = []
  /// Nil if a version was found, or none has an entity with such a hash.
  package var nearest: Nearest?

  package var isWhole: Bool { printed.digits.values.allSatisfy(\.isWhole) }
}

/// Looks for the versions whose hashes a log prints.
package func recogniseStore(printed: PrintedHashes, among models: [VersionedModel]) -> PrintedRecognition {
  var recognition = PrintedRecognition(printed: printed)
  for model in models {
    for version in model.versions {
      let hashes = version.entityVersionHashesByName
      let equal = printed.equalCount(hashes)
      if printed.fit(hashes) {
        if recognition.versions.isEmpty, let current = model.currentVersion?.entityVersionHashesByName {
          recognition.differingFromCurrent = Set(hashes.keys).union(current.keys)
            .filter { hashes[$0] != current[$0] }.sorted()
        }
        recognition.versions.append(RecognisedVersion(modelName: model.name, versionName: version.name))
      } else if equal > 0, equal >= recognition.nearest?.equal ?? 0 {
        let names = Set(printed.digits.keys).union(printed.isClosed ? Array(hashes.keys) : [])
        let differing = names.filter { name in
          !(hashes[name].flatMap { printed.digits[name]?.fit($0) } ?? false)
        }
        recognition.nearest = PrintedRecognition.Nearest(
          modelName: model.name, versionName: version.name, equal: equal, differing: differing.sorted())
      }
    }
  }
  if !recognition.versions.isEmpty { recognition.nearest = nil }
  return recognition
}
