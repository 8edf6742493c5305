public import Foundation
public import ManagedModel
import PersistentStore

/// How a new store shall look beside its objects.
package struct StoreImitation: Hashable, Sendable {
  /// `NSPersistenceFrameworkVersion`: the Core Data whose store it is like.
  package var frameworkVersion: Int
  /// Whether it has the tables of persistent history.
  package var tracksHistory: Bool

  package init(frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, tracksHistory: Bool = false) {
    (self.frameworkVersion, self.tracksHistory) = (frameworkVersion, tracksHistory)
  }

  /// Like another store: of the same Core Data, with history where that has it.
  package init(ofStoreAt path: String) throws {
    let connection = try StoreConnection(path: path)
    defer { try? connection.close() }
    self = try connection.read { db in
      StoreImitation(
        frameworkVersion: try db.readStoreMetadata().frameworkVersion ?? FrameworkFeatures.newestKnownVersion,
        tracksHistory: try db.readPhysicalSchema().tables.contains { $0.name.isHistoryTable })
    }
  }
}

/// What a fixture holds.
package enum FixtureContent: Sendable {
  /// So many objects that nobody thought up: edge values of every type, relationships of every size.
  case rows(Int)
  case objects([ManagedObject])
}

/// What was made.
public struct FixtureReport: Hashable, Sendable {
  /// Concrete entities in numbering order.
  public var objects: [(entityName: String, count: Int)] { names.indices.map { (names[$0], counts[$0]) } }
  /// The store's identity, from the seed.
  public var uuid: UUID
  /// How many values are in files beside the store.
  public var externalFiles = 0
  /// Notes about rules that could not be kept or judged.
  public var diagnostics: [Diagnostic] = []
  var names: [String] = []
  var counts: [Int] = []

  /// Objects of all entities.
  public var count: Int { counts.reduce(0, +) }
}
