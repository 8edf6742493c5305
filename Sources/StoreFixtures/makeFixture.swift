public import Foundation
public import ManagedModel
import ModelFormats
import PersistentStore

/// Creates a new store of a version with generated objects: bounds, nil, texts of every script, large values,
/// relationships of every size. Required values, rules, inverses and uniqueness hold.
///
/// The same version, number and seed give the same objects, the same store UUID and the same names of external files.
///
/// - Parameters:
///   - store: must be free, and so must the folder for large values beside it.
///   - version: of any model; see `readModel(at:)` of ModelFormats.
///   - rows: how many objects in all.
///   - seed: another one gives other objects.
/// - Throws: ``DiagnosticsError`` where the place is taken (MC6003), or where the model's rules leave no objects (MC5501);
///   then nothing stays behind.
@discardableResult
public func makeFixture(
  at store: URL, of version: ModelVersion, rows: Int, seed: UInt64 = 0
) throws -> FixtureReport { try makeFixture(at: store.path, of: version, .rows(rows), seed: seed) }

/// Creates a new store of a version with these objects, as Core Data would have written it.
///
/// - Parameters:
///   - store: must be free, and so must the folder for large values beside it.
///   - version: of any model; see `readModel(at:)` of ModelFormats.
///   - objects: each with the values of its attributes; of a relationship and its inverse, one side is enough.
/// - Throws: ``DiagnosticsError`` where the place is taken (MC6003) or the file cannot be written; then nothing stays
///   behind.
@discardableResult
public func makeFixture(
  at store: URL, of version: ModelVersion, objects: [ManagedObject]
) throws -> FixtureReport { try makeFixture(at: store.path, of: version, .objects(objects)) }

/// Writes a new store of a version, as the imitated Core Data would have written it.
///
/// The same version, content and seed give the same objects, the same store UUID and the same names of external
/// files.
///
/// - Parameters:
///   - path: must be free (else MC6003), and so must the folder for large values beside it.
/// - Throws: MC5501 where the model's rules leave no objects; then nothing stays behind.
package func makeFixture(
  at path: String, of version: ModelVersion, _ content: FixtureContent, seed: UInt64 = 0,
  imitating imitation: StoreImitation = StoreImitation()
) throws -> FixtureReport {
  var random = SeededRandom(mixed(seed, stableHash(version.versionChecksum)))
  let uuid = random.uuid()
  let externalData = ExternalDataWriter(storeAt: path, uuid: uuid)
  // Whatever ends the program, no store with a part of its objects has the name.
  let store = try createNewStoreFile(at: privatePath(besides: path), for: path)
  do {
    var report = FixtureReport(uuid: uuid)
    try store.write { db in
      _ = try fillStore(
        in: db, version: version, frameworkVersion: imitation.frameworkVersion, uuid: uuid,
        tracksHistory: imitation.tracksHistory
      ) { schema in
        switch content {
        case .rows(let rows):
          let plan = FixturePlan(version.model, rows: rows, seed: seed)
          guard plan.counts.reduce(0, +) > 0 || rows == 0 else {
            let hasEntities = !plan.shape.entityNames.isEmpty
            throw DiagnosticsError(
              .unsatisfiableModel,
              hasEntities
                ? "the model's required relationships leave no entity that can have objects"
                : "the model has no entity that can have objects",
              notes: hasEntities
                ? ["they lead to entities without objects, or to more objects than can exist"] : [],
              help: ["`--rows 0` makes a store without objects"])
          }
          report.diagnostics = remarks(on: plan, rows: rows)
          (report.names, report.counts) = (plan.shape.entityNames, plan.counts)
          return try FixtureRowWriter(db, schema: schema, plan: plan, externalData: externalData).write()
        case .objects(let objects):
          let counts = Dictionary(grouping: objects, by: \.id.entityName).mapValues(\.count)
          report.names = FixtureShape(version.model).entityNames
          report.counts = report.names.map { counts[$0] ?? 0 }
          let writer = ObjectWriter(db, schema: schema, model: version.model, externalData: externalData)
          for object in objects { try writer.write(object) }
          return try writer.finish()
        }
      }
    }
    try store.finish(.writeAhead)
    UnfinishedFiles.forget(ExternalFolder.support.path(ofStoreAt: path))
    try store.publish(at: path)
    report.externalFiles = externalData.fileCount
    return report
  } catch {
    store.discard()
    externalData.discard()
    throw error
  }
}

/// What a reader of the fixture should know: fewer objects than asked for, rules that were not judged.
private func remarks(on plan: FixturePlan, rows: Int) -> [Diagnostic] {
  var remarks: [Diagnostic] = []
  let made = plan.counts.reduce(0, +)
  if made < rows {
    remarks.append(
      .fixtureShort, .warning, "\(made) objects were made, not \(rows)",
      notes: ["required relationships and uniqueness constraints do not allow that number"])
  }
  let hierarchy = plan.shape.hierarchy
  for entity in hierarchy.model.entities {
    for leaf in entity.attributes.storedLeaves(composites: hierarchy.model.composites) {
      for rule in ValidationRules(leaf.attribute).unjudged {
        remarks.append(
          .fixtureShort, .warning,
          "'\(entity.name).\(leaf.keyPath)' was not checked against the rule '\(rule)'",
          notes: ["only comparisons of a value or its length with constants are checked"])
      }
    }
  }
  return remarks
}

extension Diagnostic.Code { package static let fixtureShort = Self("MC5502") }

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
    self = try StoreConnection(path: path).read { db in
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
