import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

/// A command for many stores: several at a time, each on its own, a line for each as it ends.
///
/// The same command goes on after an interruption: a migration recognises stores of the target version and leaves them
/// alone, and `--resume` leaves out what the lines say is done.
struct Fleet: Sendable {
  let options: FleetOptions
  let stores: [String]
  let output: OutputOptions
  var progress: ProgressOptions?
  var transport: StoreTransport?
  /// Whether a line of an earlier run says that this command has nothing left to do with its store.
  var isDone: @Sendable (FleetSummary.Store) -> Bool

  /// A store whose turn it is.
  struct Store {
    /// As the list has it.
    var name: String
    /// What it is here.
    var file: String
    var monitor: MigrationMonitor
  }

  /// - Parameter work: what is done with a store; what it throws is that store's result.
  func run(_ work: @escaping @Sendable (Store) throws -> FleetResult) throws {
    let start = ContinuousClock.now
    var (tally, count) = (try FleetTally(nil, gathers: false, progress: nil), 0)
    try output.run {
      let lines = options.linesFile
      let finished = try options.resume ? lines.map { try FleetSummary.finished(in: $0, isDone) } ?? [] : []
      func isIncluded(_ store: String) -> Bool {
        options.shard?.holds(store) != false && !finished.contains(Array(store.utf8))
      }
      func countStores() throws -> Int {
        var (all, count) = (try names(), 0)
        while let store = all.next() { count += isIncluded(store) ? 1 : 0 }
        return count
      }
      let first = try options.canary?.count(of: countStores)
      let progress = try progress?.ofFleet(output) { options.list == "-" ? nil : try countStores() }
      defer { progress?.finish() }
      tally = try FleetTally(lines, gathers: output.writesJSON && lines != "", progress: progress)
      let shared = tally
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = options.atOnce
      // A list may be longer than what fits into memory: only a few of its stores wait.
      let waiting = DispatchSemaphore(value: 4 * options.atOnce)
      let (limit, isBounded) = (options.maxFailures, first != nil)
      let attempt: @Sendable (String) -> FleetResult = { store in
        progress?.showing(store) { result(of: store, $0, work) }
          ?? result(of: store, MigrationMonitor(), work)
      }
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
          let ended = attempt(store)
          if ended.isBusy, !isFirst, shared.postpone(store, place) { return }
          shared.add(ended, at: place, isFirst: isFirst)
        }
      }
      queue.waitUntilAllOperationsAreFinished()
      // A worker that was killed may have left one behind that had them still; its line is lost, or written by now.
      for (store, place) in shared.postponed {
        queue.addOperation { shared.add(attempt(store), at: place, isFirst: false) }
      }
      queue.waitUntilAllOperationsAreFinished()
    }
    try report(tally, of: count, seconds: seconds(since: start))
  }

  private func report(_ tally: FleetTally, of count: Int, seconds: Double) throws {
    if let results = tally.inOrder { output.print(.array(results)) }
    output.say("\(counted(count, "store")): \(tally.text), in \(seconds.humanDuration)")
    let left = counted(tally.leftOut, "store")
    if tally.leftOut > 0 { output.say("\(left) not started, because others failed") }
    if tally.worst != 0, let file = options.linesFile, !file.isEmpty {
      output.say("`modelc fleet report \(file.shellWord)` says which failed, and why")
    }
    if tally.worst != 0 { throw ExitCode(tally.worst) }
  }

  private func names() throws -> StoreNames {
    try StoreNames(stores, list: options.list, isNullSeparated: options.null)
  }

  private func result(
    of store: String, _ monitor: MigrationMonitor, _ work: (Store) throws -> FleetResult
  ) -> FleetResult {
    func attempt(_ work: () throws -> FleetResult) -> FleetResult {
      do { return try work() } catch {
        let (diagnostics, code) = output.explain(error)
        return FleetResult(store, failedFor: diagnostics, code: code)
      }
    }
    return attempt {
      if store.utf8.contains(0) { throw UsageError(.noPath(store)) }
      guard let transport else { return try work(Store(name: store, file: store, monitor: monitor)) }
      return try transport.carrying(store) { file in
        attempt { try work(Store(name: store, file: file, monitor: monitor)) }
      }
    }
  }
}

extension Migrate {
  func runFleet(models: [VersionedModel], custom: CustomMigrations) throws {
    let (destination, options, isDry) = (destination, options, dryRun)
    // A line of another target says nothing about this one.
    let targets = Set(target.to.map { [$0] } ?? models.map(\.currentVersionName))
    try Fleet(
      options: fleet, stores: stores, output: output, progress: progress,
      transport: fetch.transport(put: put),
      isDone: { [.migrated, .current].contains($0.status) && $0.to.map(targets.contains) ?? true }
    ).run { store in
      do {
        let report = try migrateStore(
          at: store.file, models: models, to: destination, options: options, custom: custom,
          monitor: store.monitor)
        let plan = report.plan
        let path = plan.isCurrent ? plan.to : "\(plan.from) → \(plan.to)"
        return FleetResult(
          store: store.name, status: plan.isDone ? .current : isDry ? .tried : .migrated,
          record: report.json,
          message: plan.isDone
            ? plan.to
            : "\(path), \(counted(report.objects, "object")), \(report.seconds.humanDuration)",
          backup: report.backup)
      } catch let error as MigrationRefusedError {
        let errors = error.plan.diagnostics.filter { $0.severity == .error }
        var result = FleetResult(store.name, failedFor: errors, code: exitStatus(for: errors))
        result.record = error.plan.json
        return result
      }
    }
  }
}

/// How a store of many ended. The raw values stand in JSON.
enum FleetStatus: String, CaseIterable, Decodable {
  /// `tried`: a dry run, which left the store as it was.
  case migrated, current, tried, verified, inspected, exported, failed

  /// How many ended how; of a migration also what there is none of.
  static func text(_ counts: [FleetStatus: Int]) -> String {
    if counts.isEmpty { return "nothing to do" }
    // Where all have failed, nothing says what was to be done.
    let ofMigration = counts.keys.contains { [.migrated, .current, .tried].contains($0) }
    let shown = allCases.filter {
      counts[$0] != nil || $0 == .failed || ofMigration && [.migrated, .current].contains($0)
    }
    return shown.map {
      "\(grouped(counts[$0] ?? 0)) "
        + ($0 == .current ? "already current" : $0 == .tried ? "would be migrated" : $0.rawValue)
    }.joined(separator: ", ")
  }

  /// Members of each line, before those of the store's own record.
  static let lineMembers: KeyValuePairs<String, JSONShape> = [
    "status": .words(of: FleetStatus.self, ""),
    "exit": Int.shape.said("The exit code for this store."),
  ]
}

/// The result for one store of many.
struct FleetResult: Sendable {
  var store: String
  var status: FleetStatus
  var code: Int32 = 0
  var record: JSONValue
  var message = ""
  /// The old store beside a migrated one.
  var backup: String?
  /// Whether somebody else had the store.
  var isBusy = false
}

extension FleetResult {
  init(_ store: String, failedFor diagnostics: [Diagnostic], code: Int32) {
    self.init(
      store: store, status: .failed, code: code,
      record: ["store": .string(store), "diagnostics": .array(diagnostics.map(\.json))],
      message: diagnostics.first.map { "\($0.code): \($0.message)" } ?? "")
    isBusy = diagnostics.contains { $0.code == .storeInUse }
  }
}

/// Writes results as they come, and counts how many ended how.
private final class FleetTally: @unchecked Sendable {
  private let lock = NSLock()
  private let handle: FileHandle
  private let writesJSON: Bool
  private let progress: FleetProgress?
  /// For `--format json`, which is one document; nil without it.
  private var gathered: [(place: Int, record: JSONValue)]?
  private var counts: [FleetStatus: Int] = [:]
  /// Of the stores that went first.
  private(set) var failedFirst = 0
  /// Stores that were not begun.
  private(set) var leftOut = 0
  /// Stores that others had: they are tried again when no other store is at work.
  private(set) var postponed: [(store: String, place: Int)] = []
  private(set) var worst: Int32 = 0

  /// - Parameters:
  ///   - file: for lines of JSON, at whose end they are added; empty for standard output; nil for lines of text there.
  ///   - gathers: whether results are kept for the end; without a file nothing is written before it.
  init(_ file: String?, gathers: Bool, progress: FleetProgress?) throws {
    (writesJSON, self.progress) = (file != nil, progress)
    gathered = gathers ? [] : nil
    guard let file, !file.isEmpty else {
      handle = .standardOutput
      return
    }
    // Lines that a loss of power cut off may have zeros.
    try file.refuseStore(isText: ![0, UInt8(ascii: "{")].contains(file.firstBytes.first))
    // Another worker may write to the same file: each line goes to its end, wherever that is by then.
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file, NSUnderlyingErrorKey: cause])
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The last line of a run that was killed may be cut off: it shall not take the next one with it.
    let size = try handle.seekToEnd()
    if size > 0 {
      try handle.seek(toOffset: size - 1)
      if try handle.read(upToCount: 1) != Data([0x0A]) { try handle.write(contentsOf: Data([0x0A])) }
    }
  }

  /// How many ended how: as `12 migrated, 3 already current, 0 failed`.
  var text: String { lock.withLock { FleetStatus.text(counts) } }

  /// What was gathered, in the order in which the stores were named; nil if nothing is.
  var inOrder: [JSONValue]? { lock.withLock { gathered }?.sorted { $0.place < $1.place }.map(\.record) }

  /// Whether no further store is begun.
  ///
  /// - Parameter limit: how many may fail.
  func isOver(limit: Int?, isBehindFirst: Bool) -> Bool {
    lock.withLock { counts[.failed, default: 0] >= limit ?? .max || isBehindFirst && failedFirst > 0 }
  }

  func leaveOut() { lock.withLock { leftOut += 1 } }

  /// - Returns: false where there are too many to remember.
  func postpone(_ store: String, _ place: Int) -> Bool {
    lock.withLock {
      guard postponed.count < 10_000 else { return false }
      postponed.append((store, place))
      return true
    }
  }

  /// - Parameters:
  ///   - place: of the store among those that are named, from 1.
  ///   - isFirst: whether it goes before others, to see whether it can be done.
  func add(_ result: FleetResult, at place: Int, isFirst: Bool) {
    lock.withLock {
      gathered?.append((place, result.record))
      counts[result.status, default: 0] += 1
      if result.status == .failed {
        failedFirst += isFirst ? 1 : 0
        if worst == 0 { worst = result.code }
      }
      let isFailure = result.status == .failed
      guard gathered == nil || writesJSON else {
        progress?.end(isFailure: isFailure) {}
        return
      }
      let state = result.status.rawValue
      let head: JSONValue = ["status": .string(state), "exit": .integer(Int64(result.code))]
      let text =
        writesJSON
        ? (head + result.record).compact
        : "\(state.padding(toLength: 9, withPad: " ", startingAt: 0))  \(result.store)  \(result.message)"
          .printable
      func writeLine() { writeTerminal(text + "\n", to: handle, isData: writesJSON) }
      if let progress { progress.end(isFailure: isFailure, writeLine) } else { writeLine() }
    }
  }
}
