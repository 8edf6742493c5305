import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Migrate stores to the current model version.",
    discussion: """
      The store is recognized by its version hashes. If rows change, a private clone of it is altered, \
      proved and swapped in with one rename; if only the schema changes, or values change and no backup is kept, the \
      store itself is changed in one transaction. The old store stays next to it as a backup. Any failure leaves \
      the store unchanged.

      With --into, the objects are merged into another store that has data: from the old app's store into the new app's, or of two \
      stores of one model. An object that both have stays one object, and references follow it; merging twice changes nothing.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var fleet: FleetOptions
  @OptionGroup var fetch: FetchOptions
  @OptionGroup var history: HistoryOptions
  @OptionGroup var merge: MergeOptions

  @Option(
    name: [.customShort("o")],
    help: .text("Write the migrated store to this file; the old one is unchanged.", "file"))
  var outputFile: String?

  @Flag(help: "Do everything except the swap.")
  var dryRun = false

  @Option(help: .text("When downgrading, save a copy of the original store to this file.", "file"))
  var keepLost: String?

  @Flag(help: "Do not keep the old store.")
  var noBackup = false

  @Flag(help: "Continue although another program has the store open, as long as it holds no lock.")
  var forceBusy = false

  @Flag(help: "Change a store in place although its file has other names (hard links): all of them change.")
  var force = false

  @Option(
    help: .text(
      "The command that puts a fetched and migrated store back, and before that its backup, as 'aws s3 cp {file} {}'.",
      "command"))
  var put: String?

  @Argument(help: "The stores.")
  var stores: [String] = []

  func validate() throws {
    let areSeveral = try fleet.areSeveral(stores)
    try refuseMergeOptions()
    try put.map(StoreTransport.requirePlaces)
    try refuse(
      (put == nil) != (fetch.fetch == nil || dryRun || outputFile != nil),
      "--fetch brings a store and --put takes it back; with --dry-run or -o leave out --put")
    try refuse(
      (fleet.isGiven || fetch.fetch != nil) && fleet.report != nil && fleet.linesFile == nil,
      "for many stores, one line is written for each: --report jsonl=FILE")
    try refuse(
      areSeveral && (keepLost != nil || target.restore != nil), "--keep-lost and --restore take one store")
    try refuse(outputFile != nil && areSeveral, "-o takes one store")
    let report = pageFile ?? fleet.report
    let others = [outputFile, keepLost].compactMap { $0?.standardPath }
    try refuse(report.map { others.contains($0.standardPath) } == true, "--report needs a file of its own")
    try refuse(
      pageFile != nil && (areSeveral || merge.into != nil),
      "--report html=FILE is about the migration of one store")
    try refuse(outputFile != nil && dryRun, "-o and --dry-run exclude each other")
    try refuse(
      outputFile != nil && target.route == .inPlace,
      "-o writes another file; --route in-place changes the store itself")
  }

  func run() throws {
    var records: [JSONValue] = []
    var worst: Int32 = 0
    var models: [VersionedModel] = []
    var custom = CustomMigrations()
    do {
      try output.run(json: stores.count == 1 ? ["store": .string(stores[0])] : [:]) {
        for file in [outputFile, dryRun ? nil : keepLost].compactMap(\.self) {
          try requireFreePlace(at: file)
        }
        try (pageFile ?? fleet.report)?.refuseStore()
        models = try project.project.readSoundModels { output.report($0) }
        if stores.count == 1, !fleet.isGiven, fetch.fetch == nil { try stores[0].requireFile() }
        custom = try project.project.customMigrations(for: models)
      }
    } catch {
      output.say("nothing was written")
      throw error
    }
    if let into = merge.into { return try runMerge(into: into, models: models, custom: custom) }
    if fleet.isGiven || fetch.fetch != nil { return try runFleet(models: models, custom: custom) }
    let history = history.search(project.project)
    for store in stores where worst != 5 {
      // A failure of one store does not stop the others; only the user does.
      let (record, code) = migrate(store, models: models, custom: custom, history)
      records.append(record)
      if worst == 0 { worst = code }
    }
    let record = JSONValue.oneOrSeveral(records)
    if output.writesJSON { output.print(record) }
    if let report = fleet.report {
      try output.run {
        let text =
          pageFile == nil ? record.prettyPrinted + "\n" : project.project.migrationPage(record, models)
        try ProjectFile(path: pageFile ?? report, text: text).write(isNamed: true)
      }
    }
    if worst != 0 { throw ExitCode(worst) }
  }

  /// `--report html=FILE`
  private var pageFile: String? {
    fleet.report.flatMap { $0.hasPrefix("html=") ? String($0.dropFirst("html=".count)) : nil }
  }

  private func migrate(
    _ store: String, models: [VersionedModel], custom: CustomMigrations, _ history: VersionSearch
  ) -> (record: JSONValue, code: Int32) {
    do {
      let monitor = progress.monitor(output, store: store)
      let report = try monitor.cancelling(onSignals: output) {
        try migrateStore(
          at: store, models: models, to: destination, options: options, custom: custom, monitor: monitor)
      }
      say(report)
      return (report.json, 0)
    } catch let error as MigrationRefusedError {
      output.report(error.plan.diagnostics)
      output.say("nothing was written")
      return (error.plan.json, exitStatus(for: error.plan.diagnostics))
    } catch {
      var (diagnostics, code) = output.explain(error)
      diagnostics += history.findings(of: store, after: diagnostics)
      output.report(diagnostics)
      output.say("nothing was written")
      let record: JSONValue = ["store": .string(store), "diagnostics": diagnostics.json]
      guard let error = error as? MigrationValidationError else { return (record, code) }
      return (record + ["violations": error.violations.json], code)
    }
  }

  /// What can be said before any store is read.
  private func requireFreePlace(at path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      throw UsageError(
        .storeWriteFailed, "'\(path)' already exists",
        help: ["name a file that does not exist yet, or remove this one if it is not needed"],
        cocoaCode: 134160)
    }
    try path.requireFolder()
  }

  var destination: MigrationDestination {
    if let outputFile { return .file(outputFile) }
    return dryRun ? .nowhere : .inPlaceOfStore
  }

  var options: MigrationOptions {
    var options = target.options
    options.keepsBackup = !noBackup
    options.keptLosses = keepLost
    options.forcesBusy = forceBusy
    options.changesLinkedStores = force
    return options
  }

  private func say(_ report: MigrationReport) {
    let plan = report.plan
    output.report(report.diagnostics + plan.diagnostics, minimum: .warning)
    target.unusedCodes(in: plan).forEach(output.say)
    guard !plan.isDone || report.destination != nil else {
      if target.compact {
        output.say("note: \(plan.store) is not compacted; `-o FILE` writes a compacted copy")
      }
      if !output.writesJSON { output.print("\(plan.store) is already \(plan.to); nothing to do".printable) }
      return
    }
    guard !output.writesJSON else { return }
    output.print(report.text(isDryRun: dryRun))
    if let keepLost, !dryRun, plan.losses.isEmpty {
      output.say(
        "nothing was lost: \(keepLost.shellWord) contains nothing that an upgrade would have to restore")
    }
  }

  func refuseMergeOptions() throws {
    guard merge.into != nil else { return }
    try refuse(stores.count != 1 || fleet.isGiven || fetch.fetch != nil, "--into takes one store")
    try refuse(
      outputFile != nil || keepLost != nil || target.restore != nil || target.to != nil || target.compact
        || target.applyIndexes || target.route != .auto || fleet.report != nil,
      "--into merges into the version of that store: it cannot be combined with -o, --to, --route, --compact, --apply-indexes, --keep-lost, --restore and --report"
    )
  }

  func runMerge(into destination: String, models: [VersionedModel], custom: CustomMigrations) throws {
    try output.run(json: ["store": .string(stores[0])]) {
      let monitor = progress.monitor(output, store: stores[0])
      do {
        let report = try monitor.cancelling(onSignals: output) {
          var options = options
          options.allowsDowngrade = false
          return try merge.rules.merge(
            storeAt: stores[0], into: destination, models: models, options: options,
            custom: custom,
            isDryRun: dryRun, monitor: monitor)
        }
        output.report(report.diagnostics, minimum: .warning)
        output.print(report.json, else: report.text)
      } catch let error as MigrationRefusedError {
        throw DiagnosticsError(error.plan.diagnostics)
      }
    }
  }
}

extension MergeReport: JSONResult {
  static let result = JSONObject<Self>("merge", "What became of a store's objects in another store.").adding([
    "store": .store(\.store), "into": .value(\.destination, "The store that took them."),
    "path": .value(\.plan.path, "The versions through which the store was migrated first."),
    "entities": .value(\.entities, "What became of the objects."),
    "links": .value(\.links, "Links of many-to-many relationships that were added."),
    "danglingReferences": .value(
      \.danglingReferences, "References of added objects to objects that the store itself did not have."),
    "written": .value(
      { $0.backup != nil || !$0.isDryRun && $0.hasChanges }, "Whether the other store was changed."),
    "backup": .value(\.backup, "The backup of the other store."), "seconds": .seconds(\.seconds),
    "diagnostics": .diagnostics(\.diagnostics),
  ])

  fileprivate var text: String {
    let table = TextTable(
      .left, .right, .right, .right, header: ["entity", "added", "matched", "changed"],
      rows: entities.map { [$0.entity.printable, "\($0.added)", "\($0.matched)", "\($0.changed)"] })
    let versions = plan.path.joined(separator: " → ")
    let what = "\(counted(added, "object")) and \(counted(links, "link")) added, \(changed) changed"
    let head =
      "\(store.printable) (\(versions.printable)) \(isDryRun ? "would be merged" : "merged") into \(destination.printable)"
    var lines = [head] + table.lines(indent: 2)
    if danglingReferences > 0 {
      lines.append(
        "  \(counted(danglingReferences, "reference")) to missing objects \(danglingReferences == 1 ? "is" : "are") nil now"
      )
    }
    lines.append(
      isDryRun
        ? "Dry run: \(what); nothing was written"
        : hasChanges ? "\(what) in \(seconds.humanDuration)" : "Nothing is new; nothing was written")
    if let backup { lines.append("Backup: \(backup.printable)") }
    return lines.shownLines
  }
}

extension MergeReport.EntityCount: JSONResult {
  static let result = JSONObject<Self>("mergedEntity", "An entity's objects.").adding([
    "entity": .value(\.entity), "added": .value(\.added, "Objects that the other store did not have."),
    "matched": .value(\.matched, "Objects that both had."),
    "changed": .value(\.changed, "Those of them that got values or references."),
  ])
}
