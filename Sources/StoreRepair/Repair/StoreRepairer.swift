import Foundation
import GRDB
import ManagedModel
import PersistentStore

/// Repairs the tables of a private copy, step by step, and writes down what each step changed.
///
/// A step is a statement whose condition is that of a check in StoreVerification, so that a row that passes the check is
/// not touched.
final class StoreRepairer {
  let db: Database
  let target: RepairTarget
  var store: VerifiedStore
  var report: StoreRepairReport

  /// Rows of tables that the damaged schema did not have any more.
  let lost: LostRows?
  /// How many of them have no place.
  var unplacedRows = 0
  /// How many have a place that nothing proves.
  var guessedRows = 0

  init(_ db: Database, target: RepairTarget, lost: LostRows?, report: StoreRepairReport) {
    (self.db, self.target, self.lost, self.report) = (db, target, lost, report)
    store = VerifiedStore(schema: StoreSchema(entities: [], tables: [], joinTables: []), model: target.model)
  }

  /// Runs a statement; where it changes rows, that is a repair.
  ///
  /// - Parameters:
  ///   - isLoss: whether what it changes is lost.
  ///   - alsoLost: what is lost with it.
  ///   - summary: of the number of rows.
  @discardableResult
  func change(
    _ kind: StoreRepair.Kind, of reference: PropertyReference? = nil, entity: String? = nil,
    isLoss: Bool = false, alsoLost: Int = 0, _ sql: String, _ summary: (Int) -> String
  ) throws -> Int {
    let count = try db.executeStatement(sql)
    guard count > 0 else { return 0 }
    report.statements.append(sql)
    report.repairs.append(
      StoreRepair(
        kind: kind, entity: reference?.entity ?? entity, property: reference?.property, count: count,
        lost: isLoss ? count + alsoLost : 0, summary: summary(count)))
    return count
  }

  /// Deletes objects that cannot stay; references to them, which end with them, are lost too.
  func drop(
    _ kind: StoreRepair.Kind, of reference: PropertyReference? = nil, entity: String? = nil,
    in table: TableLayout, where condition: String, _ summary: (Int) -> String
  ) throws {
    let name = table.name.quotedIdentifier
    let keys = "SELECT t.Z_PK FROM \(name) AS t WHERE \(condition)"
    let references = try referrers(to: table).reduce(0) { count, referrer in
      let stays = referrer.table == name ? " AND Z_PK NOT IN (\(keys))" : ""
      return try count
        + countRows(db, "FROM \(referrer.table) WHERE \(referrer.column) IN (\(keys))\(stays)")
    }
    let also =
      references == 0
      ? "" : "; \(references) \(verb(references, "reference is", "references are")) lost as well"
    try change(
      kind, of: reference, entity: entity, isLoss: true, alsoLost: references,
      "DELETE FROM \(name) AS t WHERE \(condition)"
    ) { summary($0) + also }
  }

  /// Runs a statement that changes the schema.
  func define(
    _ kind: StoreRepair.Kind, entity: String? = nil, lost: Int = 0, _ sql: String, _ summary: String
  ) throws {
    _ = try db.executeStatement(sql)
    report.statements.append(sql)
    note(kind, of: entity, count: max(1, lost), lost: lost, summary)
  }

  /// Runs a statement that a later one needs.
  @discardableResult
  func prepare(_ sql: String) throws -> Int {
    report.statements.append(sql)
    return try db.executeStatement(sql)
  }

  func note(
    _ kind: StoreRepair.Kind, of entity: String? = nil, count: Int = 1, lost: Int = 0, _ summary: String
  ) {
    report.repairs.append(StoreRepair(kind: kind, entity: entity, count: count, lost: lost, summary: summary))
  }

  /// Rows change until a round changes none: what one step takes away another one may have to follow.
  func repairRows() throws {
    for _ in 0..<8 {
      let before = report.repairs.count
      try repairKeys()
      try repairEntities()
      try repairCells()
      try repairDuplicates()
      try repairReferences()
      try repairJoins()
      try repairInverses()
      try repairDiscriminators()
      try repairOrders()
      if report.repairs.count == before { return }
    }
  }

  /// Leaves out all objects but those of some entities and their sub-entities, and references to what is left out.
  ///
  /// - Throws: MC0009 where the version has no such entity.
  func keepOnly(_ names: [String]) throws {
    for name in names where !target.model.entities.contains(where: { $0.name == name }) {
      throw DiagnosticsError(.noEntity(name, in: target.version))
    }
    let kept = Set(names.flatMap { store.hierarchy.descendantNames(includingSelf: $0) })
    for table in store.schema.tables {
      for entity in store.schema.entities(in: table) where !kept.contains(entity.name) {
        try change(
          .leftOut, entity: entity.name,
          "DELETE FROM \(table.name.quotedIdentifier) WHERE Z_ENT = \(entity.number)"
        ) { "\(objects($0, of: entity.name)) \(verb($0, "is", "are")) left out" }
      }
    }
    try repairRows()
    try repairDerivedValues()
  }

  /// Everything, in an order in which no step undoes another.
  func repairAll() throws {
    try repairMetadata()
    try repairSchema()
    try repairRows()
    try repairIndexes()
    try repairDerivedValues()
    try repairHighestKeys()
  }

  /// One row of `Z_METADATA` that says what the tables are.
  private func repairMetadata() throws {
    let name = target.version.name
    guard let metadata = target.metadata else { return try makeMetadata() }
    var updated = metadata
    if target.isOtherVersion {
      updated = metadata.updated(for: target.version, configuration: target.configuration)
      try updated.write(to: db)
      if try db.tableExists("Z_MODELCACHE") { try target.model.writeCache(to: db) }
      note(.version, "the tables are those of '\(name)', and the metadata now says so")
    }
    guard !metadata.hasUUID else { return }
    updated.uuid = UUID().uuidString
    try updated.write(to: db)
    note(.metadata, "the store gets a UUID; object URIs that apps have saved no longer point to its objects")
  }

  private func makeMetadata() throws {
    let hadTable = try db.tableExists("Z_METADATA")
    var uuid: String?
    if hadTable {
      uuid = try? db.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1")
      _ = try db.executeStatement("DELETE FROM Z_METADATA")
    } else {
      _ = try db.executeStatement(SystemTable.metadata)
    }
    let kept = uuid.flatMap(UUID.init)
    let metadata = StoreMetadata(
      newStoreOf: target.version, frameworkVersion: FrameworkFeatures.newestKnownVersion,
      uuid: kept ?? UUID(),
      configuration: target.configuration)
    try metadata.write(to: db)
    note(
      .metadata,
      "the metadata is rewritten, for '\(target.version.name)'\(kept == nil ? ", with a new UUID" : ""); "
        + "values that the app kept there are lost")
  }
}

extension StoreFile {
  /// Gives a private copy beside it the name that was asked for, with the large values of the store.
  func publish(_ staged: PrivateStore, at output: String) throws {
    let data = MigratedExternalData(forStoreAt: output, like: self, seed: output, isNew: true)
    defer { data.discard() }
    try data.copyFiles(ofStoreAt: path, referredToBy: staged)
    try data.finish(in: staged)
    try staged.finish(header.journalForm)
    try staged.publish(at: output)
    data.keep()
  }
}

extension Diagnostic {
  static func noEntity(_ name: String, in version: ModelVersion) -> Self {
    let names = version.model.entities.map(\.name)
    return Self(
      .fileUnreadable, .error, "'\(version.name)' has no entity '\(name)'",
      notes: [Note("it has \(names.listed)"), "nothing was written"], help: .didYouMean(name, among: names))
  }
}
