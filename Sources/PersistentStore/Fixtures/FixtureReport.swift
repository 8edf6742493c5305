package import Foundation
package import ManagedModel

/// How a new store shall look beside its objects.
package struct StoreImitation: Hashable, Sendable {
  /// `NSPersistenceFrameworkVersion`: the Core Data whose store it is like.
  package var frameworkVersion: Int
  /// Whether it has the tables of persistent history.
  package var tracksHistory: Bool

  package init(frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, tracksHistory: Bool = false) {
    self.frameworkVersion = frameworkVersion
    self.tracksHistory = tracksHistory
  }
}

/// What a fixture holds.
package enum FixtureContent: Sendable {
  /// So many objects that nobody thought up: edge values of every type, relationships of every size.
  case rows(Int)
  case objects([ManagedObject])
}

/// What was made.
package struct FixtureReport: Hashable, Sendable {
  /// Concrete entities in numbering order.
  package var objects: [(entityName: String, count: Int)] { names.indices.map { (names[$0], counts[$0]) } }
  package var uuid: UUID
  package var externalFiles: Int
  /// Notes about rules that could not be kept or judged.
  package var diagnostics: [Diagnostic]
  private var names: [String]
  private var counts: [Int]

  init(uuid: UUID, names: [String], counts: [Int], externalFiles: Int, diagnostics: [Diagnostic]) {
    self.uuid = uuid
    self.names = names
    self.counts = counts
    self.externalFiles = externalFiles
    self.diagnostics = diagnostics
  }

  package var count: Int { counts.reduce(0, +) }
}
