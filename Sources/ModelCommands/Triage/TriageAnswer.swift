import Foundation
import ManagedModel
import PersistentStore
import StoreRepair

/// What a log says, and what the project knows of it.
struct TriageAnswer {
  var log: String
  var triage: LogTriage
  var stores: [PrintedRecognition]
  /// Each a checksum or a digest that the log prints, with the versions that have it.
  var checksums: [(checksum: String, versions: [RecognisedVersion])]
  var digests: [RecognisedDigest]
  var models: [VersionedModel]
  var diagnostics: [Diagnostic]

  /// Takes base64 for what it is: a version's checksum, the digest of its hashes, or an entity's hash.
  mutating func add(_ text: String) {
    let versions = models.flatMap { model in
      model.versions.filter {
        $0.versionChecksum == text || $0.entityVersionHashesByName.versionHashesDigest == text
      }.map { RecognisedVersion(modelName: model.name, versionName: $0.name) }
    }
    let data = Data(base64Encoded: text)
    if versions.isEmpty, let hash = data.flatMap(VersionHash.init(data:)) {
      let digest = RecognisedDigest(PrintedHashes.Digits(beginning: hash.hexadecimal), among: models)
      if !digest.entities.isEmpty { return digests.append(digest) }
    }
    // Core Data prints it with the hashes, which say more.
    if data?.count == 64, !stores.isEmpty { return }
    checksums.append((text, versions))
  }
}

/// A hash that a log prints without a name, with the entities that have it.
struct RecognisedDigest {
  var digits: PrintedHashes.Digits
  /// Each with its versions.
  var entities: [(name: String, versions: [RecognisedVersion])] = []

  init(_ digits: PrintedHashes.Digits, among models: [VersionedModel]) {
    self.digits = digits
    for model in models {
      for version in model.versions {
        let known = RecognisedVersion(modelName: model.name, versionName: version.name)
        for (name, hash) in version.entityVersionHashesByName where digits.fit(hash) {
          if let index = entities.firstIndex(where: { $0.name == name }) {
            entities[index].versions.append(known)
          } else {
            entities.append((name, [known]))
          }
        }
      }
    }
  }
}
