import Foundation
import GRDB
package import ManagedModel
import PersistentStore

/// Repairs a store: finds the damage, fixes it in a private copy, verifies the copy, and swaps it in.
///
/// The plan is the repair itself, on a copy that is then deleted: its numbers are those of the repair. The damaged
/// store stays beside the repaired one as a backup, always.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - models: the store is looked for among their versions; without one its own model counts.
///   - isCancelled: asked often; the run then ends with MC6004's error of SQLite, and the store is unchanged.
/// - Throws: ``RepairRefusedError`` where something would be lost and that is not allowed, ``DiagnosticsError`` where the
///   store cannot be opened, nothing of it can be saved, or the repair does not hold.
package func repairStore(
  at path: String, models: [VersionedModel], options: StoreRepairOptions = StoreRepairOptions(),
  isCancelled: @escaping () -> Bool = { false }
) throws -> StoreRepairReport {
  var repair = RepairRun(
    models: models, options: options, isCancelled: isCancelled,
    report: StoreRepairReport(store: path, options: options))
  do { return try repair.repairOpenStore() } catch {
    // What of Core Data's own tables is gone is made again for a version that is named.
    let codes: [Diagnostic.Code] =
      [.notASQLiteFile, .malformedStore] + (options.versionName == nil ? [] : [.notACoreDataStore])
    guard let output = options.output, let error = error as? DiagnosticsError,
      error.diagnostics.contains(where: { codes.contains($0.code) }),
      let file = try? StoreFile(path: path, takesCutShort: true), file.isReadByPages
    else { throw error }
    repair.report = StoreRepairReport(store: file.name, options: options)
    return try repair.savePages(of: file, to: output, error)
  }
}

/// One repair: what was asked for, and what is done so far.
private struct RepairRun {
  let models: [VersionedModel]
  let options: StoreRepairOptions
  let isCancelled: () -> Bool
  var report: StoreRepairReport

  private var hasSavedRows: Bool { report.repairs.contains { $0.count > 0 && $0.lost == 0 } }

  /// What can be read of a file that SQLite does not open, repaired, in a new one.
  mutating func savePages(
    of file: StoreFile, to output: String, _ refusal: DiagnosticsError
  ) throws -> StoreRepairReport {
    let staged = try createNewStoreFile(at: privatePath(besides: output))
    defer { staged.remove() }
    let damaged = try DamagedFile(file.path, of: file.name, isCancelled: isCancelled)
    let lost = try salvage(damaged, into: staged, refusal.diagnostics.map(\.message), refusal)
    try repair(staged, lost, of: file)
    if options.removes { try staged.compact() }
    report.remaining += try flaws(of: verification(of: staged, like: file))
    try file.publish(staged, at: output)
    report.output = output
    return report
  }

  mutating func repairOpenStore() throws -> StoreRepairReport {
    let path = report.store
    // What is not to be changed need not be writable.
    let isRead =
      options.output != nil || !options.isApplied && (try? StoreFile(path: path).requireWritable()) == nil
    let folder = isRead && options.output == nil ? try TemporaryFolder("repair") : nil
    defer { folder?.remove() }
    let replacement =
      isRead ? nil : try StoreReplacement(path: path, ignoresIdleConnections: options.forcesBusy)
    defer { replacement?.cancel() }
    let connection = isRead ? try StoreConnection(path: path) : nil
    guard let store = (replacement as (any OpenStore)?) ?? connection else { return report }
    let place = options.output ?? (folder?.path ?? path) + "/store"
    let before = try? verification(of: store, like: store.file)
    let leftovers = findCoreDataLeftovers(ofStoreAt: store.file.path)
    if options.versionName == nil, options.output == nil, !options.removes, let before,
      before.yardstick != nil, !before.findings.contains(where: { $0.repairText != nil }),
      try store.read({ db in try isIdentitySound(db) })
    {
      report.remaining = flaws(of: before)
      return try clear(leftovers)
    }
    guard let clone = try replacement?.beginClone() ?? connection?.stage(for: place) else { return report }
    let staged = try repairedCopy(of: store, clone) {
      defer { if isRead { clone.remove() } }
      return try replacement?.beginNextFile(isEmpty: true)
        ?? clone.createNextFile(at: privatePath(besides: place), for: store.file, isEmpty: true)
    }
    if options.removes, options.output != nil || !report.repairs.isEmpty {
      try staged.compact()
      report.savedBytes = try max(
        0, store.read { try $0.contentBytes() } - staged.read { try $0.contentBytes() })
    }
    report.remaining += try flaws(of: verification(of: staged, like: store.file))
    if let output = options.output {
      try store.file.publish(staged, at: output)
      report.output = output
      return report
    }
    guard !report.repairs.isEmpty else { return try clear(leftovers) }
    try prove(before: before)
    if options.isApplied {
      if report.lost > 0, !options.allowsLoss { throw RepairRefusedError(report: report) }
      let backup = try replacement?.commit(backupVersion: damagedStoreLabel)
      report.backup = backup.map { sibling(of: path, named: $0.path) }
      // The warning of a damaged log says where its copy is.
      report.remaining.removeAll { $0.diagnostic.code == .unreadableWriteAheadLog }
      report.warnings += replacement?.warnings ?? []
      report.isApplied = true
    }
    return try clear(leftovers)
  }

  /// What no check asks: whether `Z_PRIMARYKEY` says what the tables show where an entity has no objects.
  private func isIdentitySound(_ db: Database) throws -> Bool {
    let target = try db.chooseRepairTarget(named: report.store, models: models, versionName: nil)
    guard target.metadata != nil, !target.isOtherVersion else { return false }
    let physical = try db.readPhysicalSchema()
    let expected = try db.expectedEntityRows(physical, hierarchy: EntityHierarchy(target.model))
    return Set(expected).isSubset(of: physical.entityRows)
  }

  /// A private copy with everything repaired.
  private mutating func repairedCopy(
    of store: any OpenStore, _ clone: PrivateStore, makeEmptyFile: () throws -> PrivateStore
  ) throws -> PrivateStore {
    var found: [String]?
    // The end of the read fails once a damaged page was met.
    do { try store.read { db in found = try db.damageLines() } } catch  where found != nil {}
    let lines = found ?? []
    var staged = clone
    var lost: LostRows?
    if !lines.isEmpty {
      if let indexes = try staged.write({ db in try db.repairIndexContents(lines) }) {
        report.repairs = indexes
      } else {
        let damaged = try DamagedFile(staged.path, of: store.file.name, isCancelled: isCancelled)
        staged = try makeEmptyFile()
        lost = try salvage(damaged, into: staged, lines)
      }
    }
    try repair(staged, lost, of: store.file)
    return staged
  }

  private mutating func repair(_ staged: PrivateStore, _ lost: LostRows?, of file: StoreFile) throws {
    let isEmpty = lost != nil && !hasSavedRows
    let repairer = try staged.write { db in
      try db.interrupting(when: isCancelled) {
        let target = try db.chooseRepairTarget(
          named: report.store, models: models, versionName: options.versionName, isSchemaWhole: lost == nil)
        db.registerFetchFunctions()
        let repairer = StoreRepairer(db, target: target, lost: lost, report: report)
        try repairer.repairAll()
        if !options.keptEntities.isEmpty { try repairer.keepOnly(options.keptEntities) }
        if !options.orphanEntities.isEmpty {
          let dropped = try repairer.dropOrphans(of: options.orphanEntities, ofStoreAt: file.path)
          repairer.report.options.orphanEntities = dropped.entities
          repairer.report.warnings = dropped.kept
        }
        if let date = options.historyEnd { try repairer.purgeHistory(before: date) }
        let schema = try db.readPhysicalSchema().bound(to: target.model).schema
        repairer.report.warnings += schema.triggersPassed(
          by: "the repaired objects", statements: repairer.report.statements)
        if repairer.report.repairs.contains(where: { $0.property != nil || $0.lost > 0 }),
          try !db.filledCloudKitTables().isEmpty
        {
          // Mirroring exports what is in the persistent history.
          repairer.report.warnings.append(
            .coreDataSystemTables, .warning,
            "the store mirrors to CloudKit, which does not export the repaired objects",
            notes: ["other devices keep these objects as they are there"],
            help: ["change and save them in the app if other devices need the repaired values"])
        }
        return repairer
      }
    }
    if isEmpty, repairer.guessedRows == 0 { throw DiagnosticsError(.nothingToSave(file.name, [])) }
    report = repairer.report
    report.version = repairer.target.version.name
    for (count, state, note, help) in [
      (
        repairer.unplacedRows, "cannot be saved: the page that described their columns is damaged",
        "only the damaged store still has them",
        "keep the damaged file, and take what is missing from a backup"
      ),
      (
        repairer.guessedRows,
        "may have values in wrong columns: the page that described the columns' order is damaged",
        "they are in the order of the model's columns; a table that a migration has altered has another one",
        "look at them: `modelc query` shows objects; keep the damaged file"
      ),
    ] where count > 0 {
      let rows = "\(count) \(verb(count, "row", "rows")) of '\(file.name)'"
      let diagnostic = Diagnostic(
        .nothingToSave, .error, "\(rows) \(state)", notes: [Diagnostic.Note(note)], help: [help])
      report.remaining.append(.init(diagnostic, count: count))
    }
  }

  /// - Parameter lines: what SQLite's check says of the file.
  private mutating func salvage(
    _ file: DamagedFile, into new: PrivateStore, _ lines: [String], _ refusal: DiagnosticsError? = nil
  ) throws -> LostRows? {
    // What was kept is kept, and nothing of the file's runs.
    try new.write { db in try db.execute(sql: "PRAGMA ignore_check_constraints = ON") }
    let (repairs, lost) = try new.salvageTables(of: file)
    let tables = try new.read { db in try db.readPhysicalSchema(readsEntityRows: false).tables }
    // An intact file without a table of objects is what it was refused as: another program's.
    let hasObjects = tables.contains { $0.columns.first?.name == "Z_PK" }
    if let refusal, lost == nil, !hasObjects { throw refusal }
    report.repairs = repairs
    // A version that is named says which tables rows are of that the schema does not know any more.
    guard hasSavedRows || options.versionName != nil && lost?.pages.isEmpty == false else {
      throw DiagnosticsError(.nothingToSave(file.name, lines))
    }
    return lost
  }

  /// Nothing may be wrong that was not wrong before.
  private func prove(before: Verification?) throws {
    guard let before, before.yardstick != nil else { return }
    var known = Set(before.findings.map(\.diagnostic.code))
    // A column that was missing had no values, and none are invented.
    if known.contains(.schemaDiffers) { known.insert(.requiredValueMissing) }
    let new = report.remaining.filter {
      $0.diagnostic.severity == .error && !known.contains($0.diagnostic.code)
    }
    if !new.isEmpty, case .version(let match)? = before.yardstick, report.version == match.versionName {
      throw DiagnosticsError(
        .unprovedResult, "the repaired file for '\(report.store)' fails its checks",
        notes: new.prefix(5).map { Diagnostic.Note($0.diagnostic.message) } + ["the store is unchanged"],
        help: ["report it with the plan: `modelc repair --sql \(report.store.shellWord)`"])
    }
  }

  /// What an interrupted migration of Core Data left is not needed beside a store that is whole.
  private mutating func clear(_ leftovers: [String]) throws -> StoreRepairReport {
    guard !leftovers.isEmpty, !report.remaining.contains(where: { $0.diagnostic.severity == .error }) else {
      return report
    }
    if options.isApplied { for path in leftovers { try FileManager.default.removeItem(atPath: path) } }
    let names = leftovers.map { "'\(($0 as NSString).lastPathComponent)'" }.joined(separator: ", ")
    report.repairs.append(
      StoreRepair(
        kind: .leftovers, count: leftovers.count,
        summary: "\(leftovers.count) \(verb(leftovers.count, "file", "files")) of an interrupted migration "
          + "\(verb(leftovers.count, "is dropped", "are dropped")): \(names)"))
    report.isApplied = options.isApplied
    return report
  }

  private func flaws(of verification: Verification) -> [Verification.Finding] {
    verification.findings.filter { $0.diagnostic.severity >= .warning }
  }

  private func verification(of store: some StoreReading, like file: StoreFile) throws -> Verification {
    let options = VerificationOptions(integrityCheck: .full)
    return try store.read { db in
      try verifyStore(db, name: report.store, path: file.path, among: models, options: options)
    }
  }
}

/// A repair that was refused, because it would lose data without permission.
package struct RepairRefusedError: Error {
  /// The plan.
  package var report: StoreRepairReport

  /// MC6501.
  package var diagnostic: Diagnostic {
    Diagnostic(
      .lossNotAllowed, .error,
      "the repair of '\(report.store)' would lose \(report.lost) \(verb(report.lost, "item", "items"))",
      notes: report.repairs.filter { $0.lost > 0 }.map { Diagnostic.Note($0.summary) }
        + ["the store is unchanged"],
      help: [
        "allow it; the damaged store stays as a backup: `modelc repair --apply --allow-loss \(report.options.arguments)\(report.store.shellWord)`"
      ])
  }
}

extension Diagnostic.Code { package static let lossNotAllowed = Self("MC6501") }

/// Files that a migration by Core Data made beside a store and, because it was killed, did not take away: the store that
/// it was filling, under the store's name with `.migrationdestination_` and 32 hexadecimal digits, and its side files.
func findCoreDataLeftovers(ofStoreAt path: String) -> [String] {
  let folder = parentFolder(of: path)
  let prefix = ".\(path.lastComponent).migrationdestination_"
  return namesInFolder(folder).filter { name in
    name.hasPrefix(prefix)
      && name.dropFirst(prefix.count).wholeMatch(of: #/[0-9A-Fa-f]{32}(-wal|-shm|-journal)?/#) != nil
  }
  .map { "\(folder)/\($0)" }.filter { (try? FileStatus(atPath: $0))?.kind == .regular }
}
