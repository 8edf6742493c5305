import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import StoreRepair

struct RepairCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Plan the repair of a damaged store, or carry it out.",
    discussion: """
      Without '--apply' nothing is written: the repair is made on a private copy, and its counts are shown. With '--apply' \
      the copy is checked by 'verify' and replaces the store; the damaged store stays next to it as a backup. What \
      a repair loses is counted, and needs '--allow-loss' (MC6501). Exits with 1 if 'verify' would still find an \
      error.

      With -o the result is a new file, and the damaged store stays where it is: nothing can be lost. '--keep Hut,Visit' saves \
      only these entities, from a store that cannot be repaired otherwise.

      '--orphans' and '--purge-before' drop data that is intact but not needed, and free its space.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Replace the store with the repaired one.")
  var apply = false

  @Flag(help: "Continue although objects, values or references are lost.")
  var allowLoss = false

  @Option(
    name: .customLong("as"),
    help: .text("The version that the store should be, if modelc cannot determine it.", "version"))
  var version: String?

  @Option(
    help: .text(
      "With -o: save only the objects of these entities, and the references between them; separated by commas.",
      "entities"))
  var keep: String?

  @Option(
    help: .text(
      """
      Drop objects of these entities that have lost every owner whose deletion would have deleted them (cascade), with \
      what belongs to them; separated by commas, or 'all' to see which there are.
      """, "entities"))
  var orphans: String?

  @Option(
    help: .text("Drop persistent history from before this day (in UTC, as 2026-01-31) or time.", "date"))
  var purgeBefore: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .text("Write the repaired store to a new file, and leave the damaged one unchanged.", "file"))
  var outputFile: String?

  @Flag(help: "Show the SQL that changes rows.")
  var sql = false

  @Flag(help: "Continue although another program has the store open, as long as it holds no lock.")
  var forceBusy = false

  @Argument(help: "The store.")
  var store: String

  func validate() throws {
    try refuse(keep != nil && outputFile == nil, "--keep saves objects to a new file: name it with -o")
    try refuse(outputFile != nil && apply, "--apply replaces the store, -o leaves it unchanged: choose one")
    try refuse(
      orphans == "all" && apply,
      "--orphans all shows which there are: name the entities to drop theirs with --apply")
  }

  var refusalHead: JSONValue { ["store": .string(store)] }

  func work() throws {
    try refuse(
      purgeBefore != nil && historyEnd == nil,
      "--purge-before takes a day, as 2026-01-31, or a time, as 2026-01-31T12:00:00Z")
    let models = try project.modelsForStores { output.report($0) }
    if let version, !models.isEmpty, !models.contains(where: { $0.version(named: version) != nil }) {
      throw UsageError(.noVersion(version, known: models.flatMap { $0.versions.map(\.name) }))
    }
    do {
      let report = try endingOnSignals("repair", output) { monitor in
        try repairStore(at: store, models: models, options: options) { monitor.isCancelled }
      }
      show(report)
      if report.remaining.contains(where: { $0.diagnostic.severity == .error }) { throw ExitCode(1) }
    } catch let error as RepairRefusedError {
      show(error.report, refusal: error.diagnostic)
      throw ExitCode(exitStatus(for: [error.diagnostic]))
    }
  }

  private var options: StoreRepairOptions {
    var options = StoreRepairOptions(
      isApplied: apply, allowsLoss: allowLoss, versionName: version, forcesBusy: forceBusy)
    options.output = outputFile
    options.keptEntities = names(in: keep)
    options.orphanEntities = names(in: orphans)
    options.historyEnd = historyEnd
    return options
  }

  private func names(in list: String?) -> [String] {
    list?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } ?? []
  }

  private var historyEnd: Date? {
    purgeBefore.flatMap { text in
      (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: .iso8601.year().month().day()))
    }
  }

  private func show(_ report: StoreRepairReport, refusal: Diagnostic? = nil) {
    output.print(StoreRepairReport.result.json(of: (report, refusal, sql)), else: report.text(showsSQL: sql))
    output.report(report.remaining.map(\.diagnostic) + report.warnings + [refusal].compactMap(\.self))
  }
}
