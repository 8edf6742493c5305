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
      Self.lineErasure + FleetProgress.wrapping.off + "\(bar) \(percent(progress)) \(title(progress))"
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
      "\(store.printable): \(title(progress)) \(percent(progress))".trimmingCharacters(in: .whitespaces)
        + "\n")
  }

  private func title(_ progress: MigrationProgress) -> String {
    progress.phase.rawValue + (progress.entity.map { " \($0.printable)" } ?? "")
  }

  private func percent(_ progress: MigrationProgress) -> String {
    progress.whole.map { "\(Int($0 * 100)) %" } ?? ""
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
