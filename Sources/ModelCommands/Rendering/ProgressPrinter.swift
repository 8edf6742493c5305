import Foundation
import ManagedModel
package import ModelMigration

/// Draws the progress of one run.
package final class ProgressPrinter: @unchecked Sendable {
  package enum Style: Hashable, Sendable {
    /// One line that is drawn over and over, for a terminal.
    case bar
    /// A line whenever a phase begins or the run reaches another tenth, and every five seconds where nothing of that
    /// happens, once the run has lasted this many seconds.
    case plain(from: Double)
    /// A JSON object per line.
    case json
  }

  /// Moves to the line's begin and clears it.
  static let lineErasure = "\r\u{1B}[K"

  private let style: Style?
  private let store: String
  private let write: @Sendable (String) -> Void
  private let start = ContinuousClock.now
  private let lock = NSLock()
  private var shownTenth: (phase: MigrationPhase, tenth: Int)?
  private var shownAt = ContinuousClock.now
  private var hasBar = false

  /// - Parameter style: nil for none.
  package init(style: Style?, store: String, write: @escaping @Sendable (String) -> Void) {
    (self.style, self.store, self.write) = (style, store, write)
  }

  package func show(_ progress: MigrationProgress) {
    lock.withLock {
      switch style {
      case nil: return
      case .bar: drawBar(progress)
      case .plain(let from): if seconds(since: start) >= from { writeLine(progress) }
      case .json: write(Self.line.json(of: (store, progress)).compact + "\n")
      }
    }
  }

  /// Writes a line of something else, and takes a bar away first.
  package func interrupt(with line: String) { lock.withLock { write(erased() + line + "\n") } }

  deinit { if hasBar { write(Self.lineErasure) } }

  private func erased() -> String {
    defer { hasBar = false }
    return hasBar ? Self.lineErasure : ""
  }

  private func drawBar(_ progress: MigrationProgress) {
    // The swap is the end: what follows is the result.
    if progress.phase == .swap { return write(erased()) }
    let width = 24
    let filled = Int((progress.whole ?? 0) * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let elapsed = Int(seconds(since: start))
    write(
      Self.lineErasure + FleetProgress.wrapping.off + "\(bar) \(progress.percent) \(progress.title.printable)"
        + (elapsed > 1 ? "  \(elapsed) s" : "") + FleetProgress.wrapping.on)
    hasBar = true
  }

  private func writeLine(_ progress: MigrationProgress) {
    let tenth = Int((progress.whole ?? 0) * 10)
    if let shown = shownTenth, shown.phase == progress.phase, shown.tenth == tenth,
      seconds(since: shownAt) < 5
    {
      return
    }
    (shownTenth, shownAt) = ((progress.phase, tenth), .now)
    write(
      "\(store.printable): \(progress.title.printable) \(progress.percent)"
        .trimmingCharacters(in: .whitespaces) + "\n")
  }

  static let line = JSONObject<(store: String, progress: MigrationProgress)>(
    "progress", "A line of `--progress json`, on standard error."
  ).adding([
    "store": .store(\.store), "phase": .word(\.progress.phase, "Which part of the run."),
    "entity": .value(\.progress.entity), "completed": .value(\.progress.completed, "Rows or objects."),
    "total": .value(\.progress.total, "0 where it is not known."),
    "whole": .value(\.progress.whole, "From 0 to 1, of the whole run; null until it is planned."),
  ])
}

/// Draws how far the migrations of many stores are, for a terminal: a line for each that is going on, and one for all.
///
/// The block is drawn over and over. Where a line of something else comes, it goes away first and is drawn again below.
package final class FleetProgress: @unchecked Sendable {
  /// Moves to the line above.
  private static let lineUp = "\u{1B}[A"
  /// A long line is cut at the margin, so that each takes one line of the terminal; afterwards lines are broken again.
  static let wrapping = (off: "\u{1B}[?7l", on: "\u{1B}[?7h")
  static let codes = [ProgressPrinter.lineErasure, lineUp, wrapping.off, wrapping.on]
  /// More would not fit into a terminal; the others are counted.
  private static let mostLines = 12

  private let total: Int?
  private let write: @Sendable (String) -> Void
  private let lock = NSLock()
  private let start = ContinuousClock.now
  private var drawnAt: ContinuousClock.Instant?
  private var height = 0
  private var nextPlace = 0
  /// What is going on, by the order in which it began.
  private var running: [Int: (store: String, progress: MigrationProgress)] = [:]
  private var (done, failed) = (0, 0)

  /// - Parameter total: how many stores there are; nil if they come from a list whose end is not known.
  package init(total: Int?, write: @escaping @Sendable (String) -> Void) {
    (self.total, self.write) = (total, write)
  }

  /// Carries out the migration of a store, whose line is there meanwhile.
  package func showing<Result>(_ store: String, _ body: (MigrationMonitor) throws -> Result) rethrows
    -> Result
  {
    let place = lock.withLock {
      nextPlace += 1
      running[nextPlace] = (store, MigrationProgress(phase: .plan))
      return nextPlace
    }
    defer { lock.withLock { running[place] = nil } }
    return try body(
      MigrationMonitor { [weak self] progress in
        self?.lock.withLock {
          self?.running[place]?.progress = progress
          self?.draw()
        }
      })
  }

  /// Counts a store that has ended, and writes its line above the block.
  package func end(isFailure: Bool, _ line: () -> Void) {
    lock.withLock {
      (done, failed) = (done + (isFailure ? 0 : 1), failed + (isFailure ? 1 : 0))
      erase()
      line()
      draw()
    }
  }

  package func finish() { lock.withLock { erase() } }

  private func erase() {
    if height == 0 { return }
    let above = String(repeating: Self.lineUp + ProgressPrinter.lineErasure, count: height - 1)
    write(ProgressPrinter.lineErasure + above)
    height = 0
  }

  /// Ten times a second at most: a terminal is slower than small stores.
  private func draw() {
    if let drawnAt, ContinuousClock.now - drawnAt < .milliseconds(100) { return }
    drawnAt = .now
    erase()
    let all = running.sorted { $0.key < $1.key }.map(\.value)
    var lines = all.prefix(Self.mostLines).map { store, progress in
      let share = progress.percent
      let margin = String(repeating: " ", count: 5 - share.count)
      return "  \(margin)\(share)  \(progress.title)  \(store)".printable
    }
    if all.count > lines.count { lines.append("         and \(all.count - lines.count) more") }
    lines.append(summary)
    write(Self.wrapping.off + lines.joined(separator: "\n") + Self.wrapping.on)
    height = lines.count
  }

  /// `12 done, 1 failed of 1,000, 35 per second, 28 s left`
  private var summary: String {
    let (ended, passed) = (done + failed, seconds(since: start))
    var parts = [
      "\(grouped(done)) done", "\(grouped(failed)) failed" + (total.map { " of \(grouped($0))" } ?? ""),
    ]
    if ended > 0, passed > 1 {
      let rate = Double(ended) / passed
      parts.append(rate < 1 ? "\((1 / rate).humanDuration) for each" : "\(Int(rate)) per second")
      if let total { parts.append("\((Double(max(0, total - ended)) / rate).humanDuration) left") }
    }
    return parts.joined(separator: ", ")
  }
}

extension MigrationProgress {
  /// The phase, and the entity that it is at.
  fileprivate var title: String { phase.rawValue + (entity.map { " \($0)" } ?? "") }

  /// Empty until the run is planned.
  fileprivate var percent: String { whole.map { "\(Int($0 * 100)) %" } ?? "" }
}
