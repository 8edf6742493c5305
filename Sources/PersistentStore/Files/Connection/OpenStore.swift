package import ManagedModel

/// A user's store that is open, whatever for.
package protocol OpenStore: StoreReading {
  var file: StoreFile { get }
}

extension OpenStore {
  /// What SQLite's own check says against the store: damage (MC5002), or a log that is not its own (MC5302).
  package func damage() throws -> Diagnostic? {
    let findings = try checkFindings { try read { db in try db.quickCheckFindings() } }
    return findings.damageFinding(of: file.name, path: file.path)
  }
}
