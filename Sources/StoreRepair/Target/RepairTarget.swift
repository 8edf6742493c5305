import GRDB
package import ManagedModel
import PersistentStore

/// The version that a store's tables are checked against, and what its metadata says.
struct RepairTarget {
  var version: ModelVersion
  var configuration: String?
  /// What the store says of itself; nil if that cannot be read.
  var metadata: StoreMetadata?
  /// Whether the metadata is another version's.
  var isOtherVersion: Bool

  /// The part of the version's model that the store holds.
  var model: ManagedObjectModel { version.model.restricted(toConfiguration: configuration) }

  var features: FrameworkFeatures {
    FrameworkFeatures(version: metadata?.frameworkVersion ?? FrameworkFeatures.newestKnownVersion)
  }
}

/// How a store's tables differ from a version's.
private struct TableFit: Equatable {
  /// Tables and columns that the version has and the store has not.
  var missing = 0
  /// Tables and columns that the store has and the version has not.
  var unknown = 0

  var isExact: Bool { self == TableFit() }
  /// Less fits better.
  var rank: (Int, Int) { (missing + unknown, missing) }
}

extension Database {
  /// Chooses the version of a store that is to be repaired: what its metadata says, unless its tables are exactly those of
  /// one other version; the one whose tables fit best, where the metadata says nothing.
  ///
  /// - Parameter isSchemaWhole: whether a table that is missing says something.
  /// - Throws: MC6502 where no version, or more than one, fits as well.
  func chooseRepairTarget(
    named store: String, models: [VersionedModel], versionName: String?, isSchemaWhole: Bool = true
  ) throws -> RepairTarget {
    let physical = try readPhysicalSchema()
    let metadata = try? readStoreMetadata()
    let recognized = try metadata.flatMap { try recognizedTarget(self, physical, $0, models: models) }
    if let versionName {
      let named = models.flatMap(\.versions).filter { $0.name == versionName }
      guard let version = named.first else {
        throw DiagnosticsError(.versionUnclear(store, "there is no version '\(versionName)' here", models))
      }
      let names = version.model.entities.map { "Z" + $0.name.uppercased() }
      if metadata == nil, isSchemaWhole, !names.contains(where: { physical.table(named: $0) != nil }) {
        throw DiagnosticsError(.versionUnclear(store, "it has no table of '\(versionName)'", models))
      }
      let target = RepairTarget(
        version: version, metadata: metadata, isOtherVersion: recognized?.version.name != version.name)
      // Metadata and tables agree already: as another version the store would hide what that one lacks.
      if target.isOtherVersion, let recognized, try fit(self, physical, recognized.model).isExact,
        try !fit(self, physical, target.model).isExact
      {
        throw DiagnosticsError(.versionClear(store, is: recognized.version.name, not: version.name))
      }
      return target
    }
    let own = try recognized.map { try fit(self, physical, $0.model) }
    if let recognized, let own, own.isExact || !isSchemaWhole { return recognized }
    var candidates = try models.flatMap(\.versions).map { ($0, try fit(self, physical, $0.model)) }
    if let cached = try? readCachedModel(physical: physical),
      !candidates.contains(where: { $0.0.entityVersionHashesByName == cached.entityVersionHashesByName })
    {
      candidates.append((ModelVersion(name: "its own model", model: cached), try fit(self, physical, cached)))
    }
    if let recognized {
      let exact = candidates.filter { $0.1.isExact }
      guard exact.count == 1,
        exact[0].0.entityVersionHashesByName != recognized.version.entityVersionHashesByName
      else { return recognized }
      return RepairTarget(version: exact[0].0, metadata: metadata, isOtherVersion: true)
    }
    // Another app's model can be made to fit any tables, and nothing would be left of what they mean.
    candidates.removeAll { !isRelated($0.0.model, to: physical, metadata) }
    guard let best = candidates.map(\.1).min(by: { $0.rank < $1.rank }), best.missing < 1_000 else {
      throw DiagnosticsError(
        .versionUnclear(
          store, "no model here or in the store shows it",
          candidates.isEmpty ? [] : models))
    }
    var equal = candidates.filter { $0.1 == best }.map(\.0)
    if equal.count > 1, let cached = try? readCachedModel(physical: physical) {
      equal = equal.filter { $0.entityVersionHashesByName == cached.entityVersionHashesByName }
    }
    guard equal.count == 1 else {
      throw DiagnosticsError(
        .versionUnclear(store, "its tables fit \(candidates.count { $0.1 == best }) versions equally", models)
      )
    }
    return RepairTarget(version: equal[0], metadata: metadata, isOtherVersion: true)
  }
}

/// Whether a model has half of the entities that a store names, or, where it names none any more, of its tables.
private func isRelated(
  _ model: ManagedObjectModel, to physical: PhysicalSchema, _ metadata: StoreMetadata?
) -> Bool {
  // Core Data's own, of history and mirroring, are in every model and in none.
  let rows = physical.entityRows.filter { $0.number < firstSystemEntityNumber }
  let named = (metadata.map { Array($0.versionHashes.keys) } ?? []) + rows.map(\.name)
  let names = Set(named.map { $0.uppercased() })
  let tables = Set(
    physical.tables.map { $0.name.uppercased() }.filter { !$0.isSystemTable && $0.hasPrefix("Z") })
  let own = model.entities.map { $0.name.uppercased() }
  let (theirs, ours) = names.isEmpty ? (tables, Set(own.map { "Z" + $0 })) : (names, Set(own))
  return theirs.isEmpty || theirs.intersection(ours).count * 2 >= theirs.count
}

private func recognizedTarget(
  _ db: Database, _ physical: PhysicalSchema, _ metadata: StoreMetadata, models: [VersionedModel]
) throws -> RepairTarget? {
  let storeModel = try readStoreModel(db, physical: physical, metadata: metadata)
  let recognition = recogniseStore(metadata: metadata, among: models, storeModel: storeModel)
  if let (version, match) = recognition.version(among: models) {
    return RepairTarget(
      version: version, configuration: match.configuration, metadata: metadata, isOtherVersion: false)
  }
  return storeModel.map {
    RepairTarget(
      version: ModelVersion(name: "its own model", model: $0), metadata: metadata, isOtherVersion: false)
  }
}

private func fit(_ db: Database, _ physical: PhysicalSchema, _ model: ManagedObjectModel) throws -> TableFit {
  let hierarchy = EntityHierarchy(model)
  var physical = physical
  physical.entityRows = try db.expectedEntityRows(physical, hierarchy: hierarchy)
  let bound = physical.bound(to: model).schema
  let expected = layOutStore(entities: bound.entities, hierarchy: hierarchy, features: FrameworkFeatures())
  var fit = TableFit()
  for table in expected.tables {
    let real = bound.table(ofEntity: table.rootEntityName)
    fit.missing += table.columns.count { real?.column(for: $0.role) == nil }
    fit.unknown += real?.columns.count { $0.role == .unknown } ?? 0
  }
  fit.missing += expected.joinTables.count { bound.joinTable(of: $0.source) == nil }
  let claimed = Set(bound.tableNames)
  fit.unknown += physical.tables.count {
    !claimed.contains($0.name) && !$0.name.isSystemTable && $0.name.uppercased().hasPrefix("Z")
  }
  return fit
}

extension Diagnostic.Code { package static let repairUnclear = Self("MC6502", exit: .store) }

extension Diagnostic {
  fileprivate static func versionClear(_ store: String, is own: String, not asked: String) -> Self {
    Self(
      .repairUnclear, .error, "'\(store)' is '\(own)', not '\(asked)': its metadata and its tables say so",
      notes: ["nothing was written"],
      help: [
        "leave `--as` out; `modelc migrate --to \(asked.shellWord) \(store.shellWord)` changes the version"
      ])
  }

  fileprivate static func versionUnclear(_ store: String, _ reason: String, _ models: [VersionedModel])
    -> Self
  {
    let names = models.flatMap(\.versions).map(\.name)
    let shown = names.suffix(6).joined(separator: ", ")
    return Self(
      .repairUnclear, .error, "the version of '\(store)' is unclear: \(reason)",
      notes: names.isEmpty ? [] : [Note("versions here: \(shown)\(names.count > 6 ? ", …" : "")")],
      help: [
        names.last.map {
          "name the version of the app that wrote the store: `modelc repair --as \($0.shellWord) \(store.shellWord)`"
        } ?? "run it where the app's models are, or name them with `--models`"
      ])
  }
}
