import Foundation
package import Logging
package import ManagedModel
import PersistentStore

/// Watches one run, and can end it: progress and log go out through it, a wish to stop comes in.
///
/// It may be used from any thread. A run that is cancelled ends at the next row block or statement, whatever it was
/// doing, and leaves the store byte for byte what it was; after the swap there is nothing to cancel any more.
package final class MigrationMonitor: @unchecked Sendable {
  /// What is written here at `debug`: models found, the mapping and why, every statement with its rows and seconds.
  /// Values of the store's rows never are.
  package let logger: Logger
  private let onProgress: @Sendable (MigrationProgress) -> Void
  private let lock = NSLock()
  private var wasCancelled = false
  private var wasNoticed = false
  private var last: MigrationProgress?
  private var lastReport = ContinuousClock.now
  private var course = RunCourse()

  /// - Parameters:
  ///   - logger: silent unless given.
  ///   - onProgress: called on a thread that works, at the beginning of each phase, whenever a hundredth of it is done,
  ///     and once a second where nothing of that happens.
  package init(
    logger: Logger = Logger(label: "modelc", factory: { _ in SwiftLogNoOpLogHandler() }),
    onProgress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) {
    self.logger = logger
    self.onProgress = onProgress
  }

  /// Asks the run to end; a second time does nothing.
  package func cancel() { lock.withLock { wasCancelled = true } }

  package var isCancelled: Bool {
    lock.withLock {
      wasNoticed = wasNoticed || wasCancelled
      return wasCancelled
    }
  }

  /// Whether the run has asked since it was cancelled, so that it is on its way out.
  package var isEnding: Bool { lock.withLock { wasNoticed } }

  /// States what is to come, in order, with the time that each phase is expected to take, in any unit.
  package func expect(_ phases: [(phase: MigrationPhase, weight: Double)]) {
    lock.withLock { course = RunCourse(phases) }
  }

  /// Says how far the run is; calls that would show nothing new are left out.
  package func report(_ phase: MigrationPhase, entity: String? = nil, completed: Int64 = 0, total: Int64 = 0)
  {
    let progress = MigrationProgress(phase: phase, entity: entity, completed: completed, total: total)
    let news = lock.withLock { () -> MigrationProgress? in
      let isNoticeable =
        last?.phase != progress.phase || last?.entity != progress.entity
        || hundredths(last) != hundredths(progress)
      guard isNoticeable else { return nil }
      var news = progress
      news.whole = course.advance(to: progress)
      (last, lastReport) = (news, .now)
      return news
    }
    if let news { onProgress(news) }
  }

  /// Says that the run has done all of its work.
  func reportEnd() {
    let end = lock.withLock { () -> MigrationProgress in
      var end = last ?? MigrationProgress(phase: .plan)
      end.total = max(end.total, 1)
      (end.completed, end.whole) = (end.total, 1)
      last = end
      return end
    }
    onProgress(end)
  }

  /// Whether the run was asked to end; asked from within long work, it gives a sign of life once a second.
  package func shouldStop() -> Bool {
    let sign = lock.withLock { () -> MigrationProgress? in
      guard let last, ContinuousClock.now - lastReport > .seconds(1) else { return nil }
      lastReport = .now
      return last
    }
    if let sign { onProgress(sign) }
    return isCancelled
  }

  private func hundredths(_ progress: MigrationProgress?) -> Int? { progress?.fraction.map { Int($0 * 100) } }

  /// Throws if the run has been cancelled; for loops over rows.
  package func checkCancellation() throws { if isCancelled { throw DiagnosticsError.cancelled("migration") } }

  /// Runs a migration, or other work that `name` names, under its monitor: whatever it fails with once it is cancelled is
  /// the cancellation.
  package func watching<Result>(naming name: String = "migration", _ body: () throws -> Result) throws
    -> Result
  {
    do {
      try checkCancellation()
      return try body()
    } catch {
      if isCancelled { throw DiagnosticsError.cancelled(name) }
      throw error
    }
  }
}

extension StoreDatabase {
  /// Runs statements that end with an error as soon as the run is cancelled, in the middle of a row if need be.
  package func interruptible<Result>(by monitor: MigrationMonitor, _ body: () throws -> Result) throws
    -> Result
  {
    try monitor.checkCancellation()
    return try interrupting(when: monitor.shouldStop, body)
  }
}

extension Diagnostic.Code { package static let cancelled = Self("MC6004", exit: .interrupted) }

extension DiagnosticsError {
  fileprivate static func cancelled(_ name: String) -> Self {
    let finding = Diagnostic(
      .cancelled, .error, "the \(name) was cancelled", notes: ["the store is unchanged"],
      help: ["run it again; it starts over"], cocoaCode: 134120)
    return Self([finding], underlying: CancellationError())
  }
}
