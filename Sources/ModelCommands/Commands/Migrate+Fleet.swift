import ArgumentParser
import CustomMigration
import Foundation
import ManagedModel
import ModelMigration

/// Many stores: several at a time, each on its own, a line for each as it ends.
///
/// The same command goes on after an interruption: it recognises stores of the target version and leaves them alone.
extension Migrate {
  /// `--report jsonl` writes the lines to standard output, `--report jsonl=FILE` adds them to a file.
  var linesFile: String? {
    guard let report, report == "jsonl" || report.hasPrefix("jsonl=") else { return nil }
    return String(report.dropFirst("jsonl=".count))
  }

  var isFleet: Bool { fleet.isGiven || linesFile != nil }

  func runFleet(models: [VersionedModel], custom: CustomMigrations) throws {
    let (destination, options) = (destination, options)
    let start = ContinuousClock.now
    var tally = FleetTally()
    var count = 0
    try output.run {
      let finished = try fleet.resume ? linesFile.map(FleetSummary.finished) ?? [] : []
      func isIncluded(_ store: String) -> Bool {
        fleet.shard?.holds(store) != false && !finished.contains(store)
      }
      func names() throws -> StoreNames {
        try StoreNames(stores, list: fleet.list, isNullSeparated: fleet.null)
      }
      func countStores() throws -> Int {
        var (all, count) = (try names(), 0)
        while let store = all.next() { count += isIncluded(store) ? 1 : 0 }
        return count
      }
      let first = try fleet.canary?.count(of: countStores)
      let progress = try progress.ofFleet(output) { fleet.list == "-" ? nil : try countStores() }
      defer { progress?.finish() }
      tally = try FleetTally(
        linesFile, gathers: output.writesJSON && linesFile == nil, progress: progress)
      let shared = tally
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = fleet.jobs ?? 1
      // A list may be longer than what fits into memory: only a few of its stores wait.
      let waiting = DispatchSemaphore(value: 4 * (fleet.jobs ?? 1))
      let (limit, isBounded) = (fleet.maxFailures, first != nil)
      var left = try names()
      while let store = left.next() {
        guard isIncluded(store) else { continue }
        count += 1
        if count - 1 == first { queue.waitUntilAllOperationsAreFinished() }
        let isFirst = first.map { count <= $0 } ?? false
        waiting.wait()
        queue.addOperation { [place = count] in
          defer { waiting.signal() }
          if shared.isOver(limit: limit, isBehindFirst: isBounded && !isFirst) { return shared.leaveOut() }
          func migrated(_ monitor: MigrationMonitor) -> FleetResult {
            migrateOne(store, models, custom, destination, options, monitor)
          }
          let result = progress?.showing(store, migrated) ?? migrated(MigrationMonitor())
          shared.add(result, at: place, isFirst: isFirst)
        }
      }
      queue.waitUntilAllOperationsAreFinished()
    }
    if output.writesJSON, linesFile == nil { output.print(.array(tally.inOrder)) }
    output.say(
      "\(counted(count, "store")): \(grouped(tally.done)) migrated, \(grouped(tally.current)) already current, "
        + "\(grouped(tally.failed)) failed, in \(humanDuration(seconds(since: start)))")
    if tally.leftOut > 0 {
      output.say(
        "\(counted(tally.leftOut, "store")) \(tally.leftOut == 1 ? "was" : "were") not touched, because others failed"
      )
    }
    if tally.worst != 0 { throw ExitCode(tally.worst) }
  }
}

/// How a store of many ended. The raw values stand in JSON.
enum FleetStatus: String, CaseIterable, Decodable { case migrated, current, failed }

/// The result for one store.
private struct FleetResult: Sendable {
  var store: String
  var status: FleetStatus
  var code: Int32 = 0
  var record: JSONValue
  var message = ""
}

private func migrateOne(
  _ store: String, _ models: [VersionedModel], _ custom: CustomMigrations,
  _ destination: MigrationDestination, _ options: MigrationOptions, _ monitor: MigrationMonitor
) -> FleetResult {
  do {
    if store.utf8.contains(0) { throw UsageError(.noPath(store)) }
    let report = try migrateStore(
      at: store, models: models, to: destination, options: options, custom: custom, monitor: monitor)
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
  private let progress: FleetProgress?
  /// For `--format json`, which is one document; nil if each result is written as it comes.
  private var gathered: [(place: Int, record: JSONValue)]?
  private(set) var done = 0
  private(set) var current = 0
  private(set) var failed = 0
  /// Of the stores that went first.
  private(set) var failedFirst = 0
  /// Stores that were not begun.
  private(set) var leftOut = 0
  private(set) var worst: Int32 = 0

  init() {
    handle = .standardOutput
    (writesJSON, progress) = (false, nil)
  }

  /// - Parameters:
  ///   - file: for lines of JSON, at whose end they are added; empty for standard output; nil for lines of text there.
  ///   - gathers: whether nothing is written before the end.
  init(_ file: String?, gathers: Bool, progress: FleetProgress?) throws {
    (writesJSON, self.progress) = (file != nil, progress)
    gathered = gathers ? [] : nil
    guard let file, !file.isEmpty else {
      handle = .standardOutput
      return
    }
    // Another worker may write to the same file: each line goes to its end, wherever that is by then.
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSFilePathErrorKey: file, NSUnderlyingErrorKey: cause])
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The last line of a run that was killed may be cut off: it shall not take the next one with it.
    let size = try handle.seekToEnd()
    if size > 0 {
      try handle.seek(toOffset: size - 1)
      if try handle.read(upToCount: 1) != Data([0x0A]) { try handle.write(contentsOf: Data([0x0A])) }
    }
  }

  /// What was gathered, in the order in which the stores were named.
  var inOrder: [JSONValue] {
    lock.withLock { gathered ?? [] }.sorted { $0.place < $1.place }.map(\.record)
  }

  /// Whether no further store is begun.
  ///
  /// - Parameter limit: how many may fail.
  func isOver(limit: Int?, isBehindFirst: Bool) -> Bool {
    lock.withLock { failed >= limit ?? .max || isBehindFirst && failedFirst > 0 }
  }

  func leaveOut() { lock.withLock { leftOut += 1 } }

  /// - Parameters:
  ///   - place: of the store among those that are named, from 1.
  ///   - isFirst: whether it goes before others, to see whether it can be done.
  func add(_ result: FleetResult, at place: Int, isFirst: Bool) {
    lock.withLock {
      gathered?.append((place, result.record))
      switch result.status {
      case .migrated: done += 1
      case .current: current += 1
      case .failed:
        failed += 1
        failedFirst += isFirst ? 1 : 0
        if worst == 0 { worst = result.code }
      }
      let isFailure = result.status == .failed
      guard gathered == nil else {
        progress?.end(isFailure: isFailure) {}
        return
      }
      let state = result.status.rawValue
      let head: JSONValue = ["status": .string(state), "exit": .integer(Int64(result.code))]
      let text =
        writesJSON
        ? (head + result.record).compact
        : printable(
          "\(state.padding(toLength: 8, withPad: " ", startingAt: 0))  \(result.store)  \(result.message)")
      func writeLine() { writeTerminal(text + "\n", to: handle, isData: writesJSON) }
      if let progress { progress.end(isFailure: isFailure, writeLine) } else { writeLine() }
    }
  }
}

extension Migrate {
  /// Of each record of a fleet.
  static let fleetMembers: KeyValuePairs<String, JSONShape> = [
    "status": .words(of: FleetStatus.self, ""),
    "exit": .integer("The exit code for this store."),
  ]
}
