import Foundation
package import GRDB
package import ManagedModel

/// Checks an open store against itself and its model: SQLite's own check, schema, numbers, rows, references, rules, files
/// beside it.
///
/// It checks everything before it ends and writes nothing. Only a damaged file ends it early, because nothing in it can be
/// relied on.
///
/// - Parameters:
///   - name: the store as the user named it; path: its file.
///   - models: the store is looked for among their versions; where it is of none, its own model is the yardstick.
/// - Throws: ``DiagnosticsError`` where the metadata cannot be read.
package func verifyStore(
  _ db: Database, name: String, path: String, among models: [VersionedModel],
  options: VerificationOptions = VerificationOptions()
) throws -> Verification {
  // Its first lines are enough.
  let damage = try db.findings(of: options.integrityCheck == .quick ? "quick_check(5)" : "integrity_check(5)")
  guard damage.isEmpty else {
    var verification = Verification(
      recognition: Recognition(recognisedBy: .none), integrityCheck: options.integrityCheck)
    let diagnostic = damage.damageFinding(of: name, path: path) ?? .malformed(name, damage)
    verification.findings = [Verification.Finding(diagnostic, count: damage.count)]
    return verification
  }
  let metadata = try db.readStoreMetadata()
  let physical = try db.readPhysicalSchema()
  let storeModel = try readStoreModel(db, physical: physical, metadata: metadata)
  let recognition = recogniseStore(metadata: metadata, among: models, storeModel: storeModel)
  var verification = Verification(recognition: recognition, integrityCheck: options.integrityCheck)
  guard let (model, yardstick) = yardstick(recognition, models: models, storeModel: storeModel) else {
    verification.findings = try [Verification.Finding(db.unrecognised(name, metadata, among: models))]
    return verification
  }
  verification.yardstick = yardstick
  var known: [Diagnostic] = []
  if !metadata.hasUUID {
    known.append(
      .metadataUnreadable, .error, "'\(name)' has no UUID in Z_METADATA",
      notes: ["URIs of its objects cannot name the store; the rows are intact"])
  }
  known += (try? StoreFile(path: name, takesCutShort: true))?.examineLog() ?? []
  if yardstick == .storeModel, !models.isEmpty {
    known.append(
      .recognisedByOwnModel, .warning,
      "'\(name)' matches no version here and is checked against its own model",
      notes: ["the model in Z_MODELCACHE has the store's hashes"],
      help: [recognition.adoptionAdvice(for: name)])
  }
  let (schema, differences) = physical.bound(to: model)
  let store = VerifiedStore(schema: schema, model: model)
  known += differences + physical.findDrift(in: store, frameworkVersion: metadata.frameworkVersion)
  verification.findings = known.map { Verification.Finding($0) }
  verification.findings += try db.findPrimaryKeyFlaws(physical, in: store)
  db.registerFetchFunctions()
  try db.verifyRows(in: store, options: options, into: &verification)
  verification.findings += store.uncheckedRules
  verification.findings += try db.findDuplicates(in: store)
  verification.findings += try db.findWrongDerivations(in: store)
  let external = try findMissingExternalData(db, in: store, storePath: path)
  verification.findings += external.findings
  verification.extent.externalFiles = external.files
  verification.extent.triggers = physical.triggers.count
  return verification
}

private func yardstick(
  _ recognition: Recognition, models: [VersionedModel], storeModel: ManagedObjectModel?
) -> (ManagedObjectModel, Verification.Yardstick)? {
  if let (version, match) = recognition.version(among: models) {
    return (version.model.restricted(toConfiguration: match.configuration), .version(match))
  }
  return storeModel.map { ($0, .storeModel) }
}

extension Database {
  /// Checks the rows of a store against every rule of a model: required values, types, bounds, lengths, patterns, dates,
  /// counts, references, inverses, uniqueness.
  ///
  /// It keeps only counts and the keys of the first rows, so memory does not grow with the store.
  ///
  /// - Parameters:
  ///   - exampleLimit: how many rows a finding names.
  ///   - asksConstraints: whether groups of duplicates are looked for.
  ///   - tables: the only tables that are looked at; nil for all.
  package func verifyObjects(
    schema: StoreSchema, model: ManagedObjectModel, exampleLimit: Int, asksConstraints: Bool = true,
    only tables: TouchedTables? = nil
  ) throws -> [Verification.Finding] {
    registerFetchFunctions()
    let store = VerifiedStore(schema: schema, model: model, only: tables)
    var verification = Verification(recognition: Recognition(recognisedBy: .none), integrityCheck: .quick)
    try verifyRows(
      in: store, options: VerificationOptions(exampleLimit: exampleLimit), isCounting: false,
      into: &verification)
    verification.findings += try asksConstraints ? findDuplicates(in: store) : findSharedPlaces(in: store)
    return verification.findings
  }

  /// One pass over each table.
  ///
  /// - Parameter isCounting: whether what is looked at is counted as well, and not only what is not in order.
  func verifyRows(
    in store: VerifiedStore, options: VerificationOptions, isCounting: Bool = true,
    into verification: inout Verification
  ) throws {
    var rows: [Int: Int] = [:]
    for table in store.checkedTables {
      verification.extent.tables += 1
      verification.extent.columns += table.columns.count
      verification.extent.indexes += table.indexes.count
      var scan = RowScan(table: table.name, exampleLimit: options.exampleLimit)
      let numbers = store.schema.entities(in: table).map(\.number)
      let references = table.columns.filter(\.role.holdsKeys)
      if isCounting {
        scan.tally("1")
        if table.column(for: .entityNumber) != nil {
          for number in numbers { scan.tally("t.Z_ENT = \(number)") }
        }
        for column in references { scan.tally("t.\(column.name.quotedIdentifier) IS NOT NULL") }
      }
      if store.isWhole(table) { scan.addRowIdentityChecks(of: table, in: store) }
      scan.addAttributeChecks(of: table, in: store, db: self)
      scan.addReferenceChecks(of: table, in: store)
      if store.isWhole(table) { scan.addCountChecks(of: table, in: store) }
      verification.extent.rules += scan.checkCount
      let (findings, tallies) = try scan.run(self, showsValues: options.showsValues)
      verification.findings += findings
      verification.extent.objects += tallies.first ?? 0
      for (number, count) in zip(numbers, tallies.dropFirst()) { rows[number] = count }
      verification.extent.references += tallies.suffix(references.count).reduce(0, +)
    }
    for join in store.checkedJoinTables {
      verification.extent.joinTables += 1
      verification.extent.indexes += join.indexes.count
      var scan = RowScan(table: join.name, key: join.near.column, exampleLimit: options.exampleLimit)
      if isCounting { scan.tally("1") }
      scan.addJoinChecks(of: join, in: store)
      verification.extent.rules += scan.checkCount
      let (findings, tallies) = try scan.run(self, showsValues: options.showsValues)
      verification.findings += findings
      verification.extent.references += tallies.first ?? 0
    }
    verification.entities = store.schema.entities.map { ($0.name, rows[$0.number] ?? 0) }
  }
}

extension Diagnostic.Code { package static let recognisedByOwnModel = Self("MC5103") }
