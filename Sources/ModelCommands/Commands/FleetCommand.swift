import ArgumentParser
import Foundation
import ManagedModel
import PersistentStore
import ReleaseChecks

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Report how work on many stores went.",
    subcommands: [FleetReportCommand.self])
}

struct FleetReportCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Summarize the lines of --report jsonl of all shares.",
    discussion: """
      If a store has several lines, the last one counts, except lines of a worker that found it done or in use. Lines that \
      were cut off are counted but not used. Exits with 1 if a store has failed.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

  @Option(help: "How the result is written: text, json, or html, a page for a browser.")
  var format: Format = .text

  @OptionGroup var terminal: TerminalOptions

  @Argument(
    help: .text(
      "Files that `modelc migrate --report jsonl=FILE` has written, or verify, inspect or export.", "file"))
  var files: [String]

  var output: OutputOptions { terminal.output(json: format == .json) }

  func work() throws {
    var summary = FleetSummary()
    for file in files { try summary.read(file) }
    if summary.stores.isEmpty {
      throw UsageError(
        .fileUnreadable, "no line of \(files.listed) is about a store",
        help: ["`modelc migrate --list FILE --report jsonl=LINES` writes them"])
    }
    switch format {
    case .text: output.print(summary.text)
    case .json: output.print(FleetSummary.result.json(of: summary))
    case .html: output.print(data: summary.page)
    }
    if summary.count(.failed) > 0 { throw ExitCode(1) }
  }
}

/// What the lines of a fleet say together.
struct FleetSummary {
  /// What counts of a line.
  struct Store: Decodable {
    struct Finding: Decodable { var code, severity, message: String }

    var store: String
    var status: FleetStatus
    var from, to: String?
    var seconds: Double?
    var bytes: Int64?
    var diagnostics: [Finding]?

    /// The first error's.
    var failure: Finding? { diagnostics?.first { $0.severity == "error" } ?? diagnostics?.first }
  }

  /// Stores with a finding of the same code.
  struct Failure {
    var code: String
    var message: String
    var count: Int
    /// Three of them, by name.
    var examples: [String]
  }

  /// By the bytes of the name.
  private(set) var stores: [[UInt8]: Store] = [:]
  /// Lines that cannot be read.
  private(set) var unreadable = 0

  mutating func read(_ file: String) throws {
    try file.requireFile()
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    defer { try? handle.close() }
    var lines = LineReader(of: handle.fileDescriptor, limit: 64 << 20)
    while let line = lines.next() {
      guard let line, let store = try? JSONDecoder().decode(Store.self, from: Data(line)) else {
        unreadable += line?.isEmpty == true ? 0 : 1
        continue
      }
      // A run that begins again finds what is done, or what another one, still at work, has locked. Any other failure is
      // news, as what `verify` finds afterwards.
      let known = stores[Array(store.store.utf8)]?.status
      let isBusy = store.status == .failed && store.failure?.code == Diagnostic.Code.storeInUse.description
      if known == .migrated && store.status != .failed || known != nil && known != .failed && isBusy {
        continue
      }
      stores[Array(store.store.utf8)] = store
    }
  }

  /// The stores that lines of a report say are done; none if there is no report yet.
  static func finished(in file: String, _ isDone: (Store) -> Bool) throws -> Set<[UInt8]> {
    var summary = FleetSummary()
    if FileManager.default.fileExists(atPath: file) { try summary.read(file) }
    return Set(summary.stores.filter { isDone($0.value) }.keys)
  }

  func count(_ status: FleetStatus) -> Int { stores.values.count { $0.status == status } }

  /// Those that something was done with.
  private var worked: [Store] { stores.values.filter { ![.current, .failed].contains($0.status) } }
  private var seconds: Double { worked.compactMap(\.seconds).reduce(0, +) }
  private var bytes: Int64 { worked.compactMap(\.bytes).reduce(0) { $0.addingClamped($1) } }

  /// By the versions before and after, the most stores first.
  var steps: [(from: String, to: String, count: Int)] {
    Dictionary(grouping: worked.filter { $0.to != nil }) { [$0.from ?? "", $0.to ?? ""] }
      .map { ($0.key[0], $0.key[1], $0.value.count) }.sorted { ($1.2, $0.0) < ($0.2, $1.0) }
  }

  var failures: [Failure] {
    byCode(
      stores.values.filter { $0.status == .failed }.map {
        ($0, $0.failure ?? .init(code: "unknown", severity: "error", message: ""))
      })
  }

  /// What else was found: how sound stores differ from their model, and what a migration warned of.
  var warnings: [Failure] {
    byCode(
      stores.values.filter { $0.status != .failed }.flatMap { store in
        (store.diagnostics ?? []).filter { $0.severity == "warning" }.unique(by: \.code).map { (store, $0) }
      })
  }

  private func byCode(_ findings: [(store: Store, finding: Store.Finding)]) -> [Failure] {
    Dictionary(grouping: findings, by: \.finding.code).map { code, found in
      let found = found.sorted { $0.store.store < $1.store.store }
      return Failure(
        code: code, message: found[0].finding.message, count: found.count,
        examples: found.prefix(3).map(\.store.store))
    }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  var slowest: [Store] { Array(worked.sorted { ($0.seconds ?? 0) > ($1.seconds ?? 0) }.prefix(5)) }

  /// How much was done in which time; nil if no time is known.
  var work: String? {
    guard seconds > 0 else { return nil }
    return "\(bytes > 0 ? "\(bytes.humanSize) in " : "")\(seconds.humanDuration) of work, the longest "
      + (slowest.first?.seconds ?? 0).humanDuration
  }

  /// The object of `fleet report`.
  static let result = JSONObject<Self>("fleetReport", "How work on many stores went.").adding([
    "stores": .value(\.stores.count), "migrated": .value({ $0.count(.migrated) }),
    "current": .value({ $0.count(.current) }, "Stores that already had the target version."),
    "tried": .value({ $0.count(.tried) }, "Stores of a dry run, which were not changed."),
    "verified": .value({ $0.count(.verified) }), "inspected": .value({ $0.count(.inspected) }),
    "exported": .value({ $0.count(.exported) }), "failed": .value({ $0.count(.failed) }),
    "unreadableLines": .value(\.unreadable, "Lines that were cut off."),
    "bytes": .value({ Int($0.bytes) }, "Of the stores that were worked on, before."),
    "seconds": .value(\.seconds, "Of work, of all processes together."),
    "steps": .list(\.steps, of: step, "What was migrated."),
    "failures": .list(\.failures, of: failure, "By the code of the first error."),
    "warnings": .list(\.warnings, of: failure, "Of stores that did not fail, by code."),
    "slowest": .list(\.slowest, of: slow, "The five that took longest."),
  ])

  private static let step = JSONObject<(from: String, to: String, count: Int)>(
    "fleetStep", "Stores of a version."
  ).adding(["from": .value(\.from), "to": .value(\.to), "count": .value(\.count)])
  private static let failure = JSONObject<Failure>("fleetFailure", "Stores with a finding of one code.")
    .adding([
      "code": .value(\.code), "message": .value(\.message, "Of the first of them."), "count": .value(\.count),
      "examples": .value(\.examples, "Three of them, by name."),
    ])
  private static let slow = JSONObject<Store>("fleetStore", "A store.")
    .adding(["store": .store(\.store), "seconds": .value({ $0.seconds ?? 0 })])
}
