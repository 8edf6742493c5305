import ArgumentParser
import Foundation
import Logging
import ModelMigration

/// How a run reports its progress and its log, both on standard error.
struct ProgressOptions: ParsableArguments {
  enum Style: String, ExpressibleByArgument, CaseIterable { case auto, bar, plain, json, none }

  @Option(help: "Progress: a bar, plain lines, JSON lines, none, or automatic (auto).")
  var progress: Style = .auto

  @Flag(
    name: .shortAndLong, help: "Log the models, the mapping and every statement with its rows and seconds.")
  var verbose = false

  /// A monitor that writes as asked.
  ///
  /// - Parameter store: as the user named it, for lines that may be of several.
  func monitor(_ output: OutputOptions, store: String) -> MigrationMonitor {
    let style = resolved(output)
    let printer = ProgressPrinter(style: style, store: store) { text in
      writeTerminal(text, to: .standardError, isData: style == .json, keeping: FleetProgress.codes)
    }
    let report: @Sendable (MigrationProgress) -> Void = { printer.show($0) }
    guard verbose else { return MigrationMonitor(onProgress: report) }
    let logger = Logger(label: "modelc") { _ in RunLog { printer.interrupt(with: $0) } }
    return MigrationMonitor(logger: logger, onProgress: report)
  }

  /// What shows the progress of many stores; nil where it would not be drawn over.
  ///
  /// - Parameter count: how many there are, if that is known.
  func ofFleet(_ output: OutputOptions, count: () throws -> Int?) rethrows -> FleetProgress? {
    guard resolved(output) == .bar else { return nil }
    return FleetProgress(total: try count()) { text in
      writeTerminal(text, to: .standardError, keeping: FleetProgress.codes)
    }
  }

  /// - Returns: nil for none.
  private func resolved(_ output: OutputOptions) -> ProgressPrinter.Style? {
    switch progress {
    case .none: nil
    case .bar: .bar
    case .plain: .plain(from: 0)
    case .json: .json
    case .auto:
      output.terminal.quiet || output.writesJSON
        ? nil
        : isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
          ? .bar : .plain(from: 1)
    }
  }
}

/// What `-v` prints of a run's log, a line each.
private struct RunLog: LogHandler {
  let write: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var notes: [String] = []
    if let rows = event.metadata?["rows"].flatMap({ Int("\($0)") }) { notes.append(counted(rows, "row")) }
    if let seconds = event.metadata?["seconds"].flatMap({ Double("\($0)") }) {
      notes.append(seconds.humanDuration)
    }
    let suffix = notes.isEmpty ? "" : "  -- \(notes.joined(separator: ", "))"
    write("\(event.message)".printable + suffix)
  }
}
