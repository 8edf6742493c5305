package import Foundation
package import ManagedModel

/// Opens a store for reading; what is no SQLite store of Core Data's is refused, an atomic one by its version, and
/// so is a name without a file (MC0009).
///
/// - Parameter models: an atomic store is looked for among their versions.
package func openStore(
  _ path: String, among models: [VersionedModel], busyTimeout: TimeInterval = 1
) throws -> StoreConnection {
  do {
    return try StoreConnection(path: path, busyTimeout: busyTimeout)
  } catch let error as AtomicStoreError {
    throw DiagnosticsError(error.diagnostic(among: models))
  } catch let error as StoreNotFoundError {
    throw DiagnosticsError(error.diagnostic)
  }
}

extension StoreNotFoundError {
  /// MC0009; what is in the file's place says why it is missing.
  package var diagnostic: Diagnostic {
    let placeholder = sibling(of: path, named: ".\(path.lastComponent).icloud")
    let remedies = [
      (placeholder, "it is in iCloud, and was not downloaded: open its folder in Finder, and download it"),
      (
        path + "-wal",
        "its log '\(path.lastComponent)-wal' is there: copy the store's file next to it before anything opens the store: SQLite deletes the log of an empty file"
      ),
    ]
    // An empty log has nothing of the store.
    let help = remedies.filter { ((try? FileStatus(atPath: $0.0))?.size ?? 0) > 0 }.map { $0.1 }
    return Diagnostic(.fileUnreadable, .error, description, help: help)
  }
}

extension AtomicStoreError {
  /// MC5005, with the version where a model at hand has it.
  package func diagnostic(among models: [VersionedModel] = []) -> Diagnostic {
    let type = isXML ? "an XML store" : "a binary store"
    var notes: [Diagnostic.Note] = []
    if let metadata {
      let recognition = recogniseStore(metadata: metadata, among: models)
      let names = recognition.versions.map { "'\($0.versionName)' of '\($0.modelName)'" }
      let nearest = recognition.nearest.first { $0.equal > 0 }.map {
        "; nearest: '\($0.versionName)', \($0.equal) of \($0.total) entities equal"
      }
      notes.append(
        names.isEmpty
          ? Diagnostic.Note("it matches no known version\(nearest ?? "")")
          : Diagnostic.Note("it is \(names.joined(separator: " or "))"))
      let entities = metadata.versionHashes.count
      let framework = metadata.frameworkVersion.map { ", written by Core Data \($0)" } ?? ""
      notes.append(Diagnostic.Note("\(entities) \(entities == 1 ? "entity" : "entities")\(framework)"))
    } else {
      notes.append("its metadata cannot be read")
    }
    return Diagnostic(
      .atomicStore, .error, "'\(name)' is \(type) of Core Data, not a SQLite store", notes: notes,
      help: ["let the app save it as a SQLite store: migratePersistentStore(_:to:options:type:)"],
      cocoaCode: 134000)
  }
}

extension Diagnostic.Code { package static let atomicStore = Self("MC5005") }
