import Foundation
import ManagedModel
import PersistentStore

extension MergeRules {
  /// Merges the objects of a store into another one that has data: what both have stays one object, the rest is added.
  ///
  /// The store is migrated to the other one's version first, into a private file, and stays as it is. A private clone of the
  /// other one takes the objects, is checked against every rule of its model, and is swapped in by one rename.
  ///
  /// - Parameters:
  ///   - path: the store whose objects are merged, as the user names it.
  ///   - destination: the store that takes them; it has to be of a version of `models`.
  /// - Throws: ``MigrationRefusedError`` where the store cannot be migrated to that version, ``DiagnosticsError`` with MC6601
  ///   where several objects have the same keys, MC6602 where a one-to-one relationship would lead to two, MC6101 where the
  ///   result breaks rules.
  package func merge(
    storeAt path: String, into destination: String, models: [VersionedModel],
    options: MigrationOptions = MigrationOptions(), custom: CustomMigrations = CustomMigrations(),
    isDryRun: Bool = false, monitor: MigrationMonitor = MigrationMonitor()
  ) throws -> MergeReport {
    try monitor.watching() {
      let request = MigrationRequest(
        store: path, models: models, options: options, custom: custom, monitor: monitor)
      return try MigrationRun(request, isDryRun: isDryRun).merge(into: destination, self)
    }
  }
}

extension MigrationRun {
  fileprivate func merge(into destination: String, _ rules: MergeRules) throws -> MergeReport {
    try begin(.plan)
    // Before the destination is locked: of one file this program would be the other one that has it.
    if let source = try? StoreFile(path: store), let own = try? StoreFile(path: destination),
      source.isSameFile(as: own)
    {
      throw DiagnosticsError(.mergedIntoItself(destination))
    }
    findings = try recoverBeforeMigration(
      ofStoreAt: destination, models: request.models, isDryRun: isDryRun, busyTimeout: options.busyTimeout)
    let replacement = try StoreReplacement(
      path: destination, busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
    defer { replacement.cancel() }
    let (model, version, configuration) = try replacement.read { db in try recognise(db, destination) }
    try rules.check(against: version)
    let connection = try openStore(store, among: request.models, busyTimeout: options.busyTimeout)
    if connection.file.isSameFile(as: replacement.file) {
      throw DiagnosticsError(.mergedIntoItself(destination))
    }
    try connection.read { db in try lead(to: version, of: model, from: try db.readStoreMetadata()) }
    let scratch = try TemporaryFolder("merge")
    defer { scratch.remove() }
    let formerData = MigratedExternalData(
      forStoreAt: scratch.path + "/store", like: connection.file, seed: store, isNew: true)
    defer { formerData.discard() }
    let plan = try connection.read { db in
      let plan = try request.plan(of: db, file: connection.file, onClone: true).unblocked()
      // Of a store that is of the version already a plan surveys no rows.
      if plan.isDone { findings += try db.surveyExternalData(of: plan) }
      findings += try db.readStoreSource(path: store, among: request.models).findUnreadRows(db, path: store)
      return plan
    }
    let megabytes = Double(replacement.file.byteCount) / 1e6
    furtherPhases = [
      (.clone, 0.01 + megabytes * 0.001), (.copy, 0.01 + Double(plan.objectBound) * 5e-5),
      (.prove, 0.01 + megabytes * 0.004), (.swap, 0.05 + megabytes * 0.001),
    ]
    // Private files of a name that nothing has: what is left of them is no old state of the other store.
    let place = replacement.file.path + ".merged"
    let record = try CopyRecord(ofStoreAt: replacement.file.path, named: store, to: place)
    defer { record.remove() }
    let files = OutputFiles(connection, place, try connection.clone(to: privatePath(besides: place)))
    defer { files.remove() }
    let runner = SegmentRunner(run: self, store: connection, places: files.places, largeValues: formerData)
    let copy = try runner.run(plan).file
    try copy.finish(.rollback)
    try connection.close()
    let merged = MergedStore(
      replacement: replacement, version: version, configuration: configuration, rules: rules, source: copy,
      sourcePaths: [scratch.path + "/store", connection.file.path, replacement.file.path],
      scratch: isDryRun ? scratch.path : nil)
    var report = MergeReport(plan: plan, store: store, destination: destination)
    try merged.write(&report, for: self)
    // Of rows that are of no entity the merge says that they are not taken.
    let planned = plan.diagnostics.filter { $0.severity == .warning && $0.code != .entityNumbersInconsistent }
    report.diagnostics = (findings + planned + report.diagnostics).ordered
    report.isDryRun = isDryRun
    report.seconds = self.report(plan).seconds
    return report
  }

  private func recognise(
    _ db: StoreDatabase, _ destination: String
  ) throws -> (model: VersionedModel, version: ModelVersion, configuration: String?) {
    let metadata = try db.readStoreMetadata()
    let recognition = recogniseStore(metadata: metadata, among: request.models)
    for found in recognition.versions.reversed() {
      guard let model = request.models.first(where: { $0.name == found.modelName }),
        let version = model.version(named: found.versionName)
      else { continue }
      return (model, version, found.configuration)
    }
    throw try DiagnosticsError(db.unrecognised(destination, metadata, among: request.models))
  }

  /// Makes the other store's version the target: in its own model, or where the store is of another one, as a further
  /// version of that. An app that went from Core Data to SwiftData has the old store's model in Xcode's package and the new
  /// one's in its classes.
  private func lead(to version: ModelVersion, of model: VersionedModel, from metadata: StoreMetadata) throws {
    let found = recogniseStore(metadata: metadata, among: request.models).versions.map(\.modelName)
    var (own, target) = (model, version)
    if let name = found.first, !found.contains(model.name),
      let other = request.models.first(where: { $0.name == name })
    {
      own = other
      if other.version(named: target.name) != nil { target.name = "\(model.name) \(version.name)" }
      target.predecessorNames = other.currentVersion?.origin == .xcode ? [] : [other.currentVersionName]
      own.versions.append(target)
      own.currentVersionName = target.name
    }
    request.models = [own]
    request.options.targetVersion = target.name
  }
}

/// The store that takes the objects of another one, which lies beside it in a private file of the same version.
private struct MergedStore {
  let replacement: StoreReplacement
  let version: ModelVersion
  let configuration: String?
  let rules: MergeRules
  let source: PrivateStore
  /// Beside which its large values lie: those that its migration made, and its own. Where its file is missing, the other
  /// store's of that name holds the value: no two values get one name.
  let sourcePaths: [String]
  /// Where a dry run's large values are written.
  let scratch: String?

  func write(_ report: inout MergeReport, for run: MigrationRun) throws {
    try run.begin(.clone)
    let keepsBackup = run.options.keepsBackup && !run.isDryRun
    let file = try replacement.beginClone(keepsBackup: keepsBackup) { copied in
      run.monitor.report(.clone, completed: copied, total: replacement.file.byteCount)
      return !run.monitor.shouldStop()
    }
    try file.attachSource(source.path)
    let data = MigratedExternalData(
      forStoreAt: scratch.map { $0 + "/merged" } ?? replacement.file.path, like: replacement.file,
      seed: report.seed, isNew: scratch != nil)
    defer { data.discard() }
    try run.begin(.copy)
    let physical = try file.readSource { try $0.readPhysicalSchema() }
    try file.write { db in
      try db.interruptible(by: run.monitor) {
        report.diagnostics += try surveySystemTables(db, dropsCloudKit: run.options.dropsCloudKit)
        try write(db, physical, data, &report, run.monitor)
      }
    }
    try run.begin(.prove)
    try file.quickCheck(stoppingWhen: run.monitor.shouldStop) {}
    if run.isDryRun { return }
    try run.begin(.swap)
    guard report.hasChanges else { return }
    try data.finish(in: file)
    let backup = try replacement.commit(backupVersion: keepsBackup ? mergedStoreLabel : nil)
    data.keep()
    report.backup = backup.map { sibling(of: report.destination, named: $0.path) }
    report.diagnostics += replacement.warnings
  }

  private func write(
    _ db: StoreDatabase, _ source: PhysicalSchema, _ data: MigratedExternalData, _ report: inout MergeReport,
    _ monitor: MigrationMonitor
  ) throws {
    let model = version.model.restricted(toConfiguration: configuration)
    let bound = try db.readPhysicalSchema().bound(to: model)
    // Core Data's own names begin with Z or are those of its features.
    let own = source.properTables.map(\.name).filter { !$0.uppercased().hasPrefix("Z") && !$0.isSystemTable }
    if !own.isEmpty {
      let what = "\(own.count) \(verb(own.count, "table", "tables")) of the app's own in '\(report.store)'"
      report.diagnostics.append(
        .unknownSchemaObjects, .warning,
        "\(what) \(verb(own.count, "is", "are")) not merged: \(own.quoted(5))",
        help: ["copy the rows yourself, if the app needs them"])
    }
    let schema = PairedSchema(
      old: source.bound(to: model).schema, new: bound.schema, hierarchy: EntityHierarchy(model))
    db.registerLargeValues(of: [sourcePaths, [replacement.file.path]])
    let tables = MergedTables(
      schema: schema, rules: rules, store: report.store, destination: report.destination, db: db,
      monitor: monitor)
    var refusal: (any Error)?
    var cells: [Diagnostic] = []
    var made: (entities: [MergeReport.EntityCount], dangling: Int, links: Int) = ([], 0, 0)
    let work = ObjectWork(name: "merging '\(report.store)'") { _ in
      do {
        try tables.match()
        cells = try tables.surveyCells()
        made = try tables.write()
        try tables.takeLargeValues(to: data) { name in
          try sourcePaths.compactMap { try readExternalData(name, ofStoreAt: $0) }.first
        }
      } catch {
        refusal = error
        throw error
      }
    }
    do {
      try ObjectWorkplace(version: version, configuration: configuration, monitor: monitor)
        .carryOut([work], in: db)
    } catch { throw refusal ?? error }
    report.diagnostics += cells
    (report.entities, report.danglingReferences, report.links) = made
    if report.hasChanges { report.diagnostics += bound.schema.triggersPassed(by: "the merged objects") }
  }

  /// Objects that are inserted behind Core Data's back are in no history, and mirroring exports what is in it.
  private func surveySystemTables(_ db: StoreDatabase, dropsCloudKit: Bool) throws -> [Diagnostic] {
    let tables = try db.readPhysicalSchema().tables.map(\.name)
    let mirrors = try !db.filledCloudKitTables().isEmpty
    if mirrors, !dropsCloudKit {
      throw DiagnosticsError(
        .coreDataSystemTables,
        "the store mirrors to CloudKit, which would not export the merged objects",
        notes: ["mirroring exports what is in the persistent history; nothing was written"],
        help: ["pass `--drop-cloudkit`: its tables are dropped, and the app exports everything again"])
    }
    if mirrors { try db.dropCloudKitTables() }
    let hasHistory = try tables.contains {
      try $0.caseInsensitiveCompare("ATRANSACTION") == .orderedSame && db.rowBound(table: $0) > 0
    }
    if !hasHistory { return [] }
    return [Diagnostic](
      .coreDataSystemTables, .warning, "the merged objects are not in the store's persistent history",
      notes: [
        "extensions and other readers of the history do not see them: let them read the whole store again"
      ])
  }
}

extension Diagnostic {
  fileprivate static func mergedIntoItself(_ store: String) -> Self {
    Self(.fileUnreadable, .error, "'\(store)' cannot be merged into itself", notes: ["nothing was written"])
  }
}
