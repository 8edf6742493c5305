import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration

/// Many stores: several at a time, each on its own, a line for each as it ends.
///
/// The same command goes on after an interruption: it recognises stores of the target version and leaves them alone.
extension Migrate {
  /// `--report jsonl` writes the lines to standard output, `--report jsonl=FILE` adds them to a file.
  private var linesFile: String? {
    guard let report, report == "jsonl" || report.hasPrefix("jsonl=") else { return nil }
    return String(report.dropFirst("jsonl=".count))
  }

  var isFleet: Bool { fleet.jobs != nil || fleet.shard != nil || linesFile != nil }

  func runFleet(models: [VersionedModel], custom: CustomMigrations) throws {
    var seen: Set<String> = []
    let named = stores.filter { seen.insert($0).inserted }
    let share = fleet.shard?.share(of: named) ?? named
    let (destination, options) = (destination, options)
    let start = ContinuousClock.now
    var tally = FleetTally()
    try output.run { tally = try FleetTally(linesFile, gathers: output.writesJSON && linesFile == nil) }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = fleet.jobs ?? 1
    let shared = tally
    for store in share {
      queue.addOperation { shared.add(migrateOne(store, models, custom, destination, options)) }
    }
    queue.waitUntilAllOperationsAreFinished()
    if output.writesJSON, linesFile == nil { output.print(.array(tally.records(of: share))) }
    let ofAll = share.count == named.count ? "" : " of \(grouped(named.count))"
    output.say(
      "\(counted(share.count, "store"))\(ofAll): \(grouped(tally.done)) migrated, \(grouped(tally.current)) "
        + "already current, \(grouped(tally.failed)) failed, in \(humanDuration(seconds(since: start)))")
    if tally.worst != 0 { throw ExitCode(tally.worst) }
  }
}

/// The result for one store.
private struct FleetResult: Sendable {
  enum Status: String { case migrated, current, failed }

  var store: String
  var status: Status
  var code: Int32 = 0
  var record: JSONValue
  var message = ""
}

private func migrateOne(
  _ store: String, _ models: [VersionedModel], _ custom: CustomMigrations,
  _ destination: MigrationDestination, _ options: MigrationOptions
) -> FleetResult {
  do {
    let report = try migrateStore(
      at: store, models: models, to: destination, options: options, custom: custom)
    let plan = report.plan
    return FleetResult(
      store: store, status: plan.isCurrent ? .current : .migrated,
      record: report.json,
      message: plan.isCurrent
        ? plan.to
        : "\(plan.from) → \(plan.to), \(counted(report.objects, "object")), \(humanDuration(report.seconds))")
  } catch let error as MigrationRefusedError {
    let errors = error.plan.diagnostics.filter { $0.severity == .error }
    return FleetResult(
      store: store, status: .failed, code: exitStatus(for: errors), record: error.plan.json,
      message: line(errors))
  } catch {
    let (diagnostics, code) = OutputOptions().explain(error)
    return FleetResult(
      store: store, status: .failed, code: code,
      record: ["store": .string(store), "diagnostics": .array(diagnostics.map(\.json))],
      message: line(diagnostics))
  }
}

private func line(_ diagnostics: [Diagnostic]) -> String {
  diagnostics.first.map { "\($0.code): \($0.message)" } ?? ""
}

/// Writes results as they come, and counts how many ended how.
private final class FleetTally: @unchecked Sendable {
  private let lock = NSLock()
  private let handle: FileHandle
  private let writesJSON: Bool
  /// For `--format json`, which is one document; nil if each result is written as it comes.
  private var gathered: [String: JSONValue]?
  private(set) var done = 0
  private(set) var current = 0
  private(set) var failed = 0
  private(set) var worst: Int32 = 0

  init() {
    handle = .standardOutput
    writesJSON = false
  }

  /// - Parameters:
  ///   - file: for lines of JSON, at whose end they are added; empty for standard output; nil for lines of text there.
  ///   - gathers: whether nothing is written before the end.
  init(_ file: String?, gathers: Bool) throws {
    writesJSON = file != nil
    gathered = gathers ? [:] : nil
    guard let file, !file.isEmpty else {
      handle = .standardOutput
      return
    }
    if !FileManager.default.fileExists(atPath: file) { try Data().write(to: URL(filePath: file)) }
    handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.seekToEnd()
  }

  /// What was gathered, in the order of the stores.
  func records(of stores: [String]) -> [JSONValue] {
    lock.withLock { stores.compactMap { gathered?[$0] } }
  }

  func add(_ result: FleetResult) {
    lock.withLock {
      gathered?[result.store] = result.record
      switch result.status {
      case .migrated: done += 1
      case .current: current += 1
      case .failed:
        failed += 1
        if worst == 0 { worst = result.code }
      }
      guard gathered == nil else { return }
      let state = result.status.rawValue
      let head: JSONValue = ["status": .string(state), "exit": .integer(Int64(result.code))]
      let text =
        writesJSON
        ? (head + result.record).compact
        : printable(
          "\(state.padding(toLength: 8, withPad: " ", startingAt: 0))  \(result.store)  \(result.message)")
      writeTerminal(text + "\n", to: handle, isData: writesJSON)
    }
  }
}

extension Migrate {
  /// Of each record of a fleet.
  static let fleetMembers: KeyValuePairs<String, JSONShape> = [
    "status": .words(["migrated", "current", "failed"], ""),
    "exit": .integer("The exit code for this store."),
  ]
}
