public import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "The gate before a release: everything that has to hold for users' data.",
    discussion: """
      Models compile; released versions are word for word what was released; a path leads from each to the current \
      version; losses are named; every kept store is migrated along every path, proved and compared. All findings are reported \
      together, each with its place; the exit code is 1 if one counts.

      With --against, versions that are there may not be edited or removed, with or without a lock, there must be a path from each \
      of them, and findings that were there before do not count. Without it, findings about versions that can \
      no longer be edited do not count: released ones, and all but the current one of an Xcode package.

      A finding is allowed by a comment in the model's file, with a reason: \
      # modelc:allow MC7018 reason="reviewed" until=2027-01-01. Xcode drops comments when it saves a version: beside a \
      package a modelc.yaml says it: allow: [{code: MC7008, of: Hut.fax, reason: reviewed}].
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: CheckOutput

  @Option(
    help: ArgumentHelp(
      "Count only what is new since a git revision, a folder of released models and stores, or an app: .app, .ipa, .xcarchive.",
      valueName: "rev|dir|app"))
  var against: String?

  @Option(
    help: ArgumentHelp(
      "Of SwiftData's source: which tags users have stores of, with * and ?; all of them by default.",
      valueName: "pattern"))
  var againstTags: String?

  @Option(help: "How much to check: source, store, path or hash; each includes those after it.")
  var level: CheckLevel = .store

  @Option(help: "The lowest severity that makes the check fail: error or warning.")
  var failOn: FailingSeverity = .error

  @Option(
    help: ArgumentHelp("A further store to migrate, or a folder of them; repeatable.", valueName: "store"))
  var store: [String] = []

  @Option(
    help: ArgumentHelp(
      "The longest that a migration to the current version may take, in seconds.", valueName: "seconds"))
  var maxSeconds: Double?

  @Option(help: ArgumentHelp("The most that the old and the new store may need together.", valueName: "MB"))
  var maxMegabytes: Double?

  @Option(
    help: ArgumentHelp(
      "Check generated stores with that many objects of each released version against those limits too.",
      valueName: "objects"))
  var rows: Int?

  @Option(help: ArgumentHelp("A file of known findings, which do not count.", valueName: "file"))
  var baseline: String?

  @Flag(help: "Write that file from the findings of this run.")
  var writeBaseline = false

  @Option(
    help: ArgumentHelp(
      "Check every model against a service's rules too, as `profile:` does: cloudkit.", valueName: "service"))
  var profile: ModelProfile?

  @Flag(
    help:
      "Require a downgrade path from the current version to the last released one, and try it on the kept stores."
  )
  var reversible = false

  @Option(
    help: ArgumentHelp(
      "Require that builds which are still at a version open stores of the current one, as a widget or another phone does.",
      valueName: "version"))
  var compatibleWith: String?

  @Flag(help: "Continue with a warning if what --against names cannot be read, or only in part.")
  var allowUnreadBase = false

  @Flag(help: "Print every finding, also about versions that can no longer be edited.")
  var all = false

  @Flag(help: "Migrate every store again, even if nothing has changed since it passed.")
  var noCache = false

  func validate() throws {
    if writeBaseline, baseline == nil { throw ValidationError("--write-baseline needs --baseline FILE") }
    if let maxSeconds, !(maxSeconds > 0) { throw ValidationError("--max-seconds is more than 0") }
    if let rows {
      if maxSeconds == nil, maxMegabytes == nil {
        throw ValidationError("--rows needs a limit: --max-seconds or --max-megabytes")
      }
      if !(1...10_000_000).contains(rows) { throw ValidationError("--rows is 1 to 10,000,000") }
    }
    if let maxMegabytes, !(maxMegabytes > 0) { throw ValidationError("--max-megabytes is more than 0") }
  }

  func run() throws {
    try output.plain.run {
      try output.requirePlaces()
      var report = try project.project.check(options())
      report.remarks.forEach(output.plain.say)
      if output.writesMarkdown {
        report.introductions = report.changes.compactMap {
          VersionDifference.introduction(from: $0.base, to: $0.model)
        }
      }
      try output.write(report, takesAll: all)
      if writeBaseline, let baseline {
        let text = FindingBaseline.text(of: report.findings.filter(\.counts))
        try Data(text.utf8).write(to: URL(filePath: baseline), options: .atomic)
        output.plain.say("wrote \(baseline)")
        return
      }
      if report.fails(on: failOn.severity) { throw ExitCode(1) }
    }
  }

  private func options() throws -> CheckOptions {
    var options = CheckOptions()
    (options.base, options.baseTags) = (against, againstTags)
    (options.profile, options.compatibleVersion) = (profile, compatibleWith)
    options.level = level
    options.stores = try store.flatMap(stores)
    if maxSeconds != nil || maxMegabytes != nil {
      options.budget = .init(seconds: maxSeconds, megabytes: maxMegabytes)
    }
    options.budgetRows = rows
    options.isReversible = reversible
    options.allowsUnreadBase = allowUnreadBase
    if !noCache { options.cache = resultCache() }
    if let baseline, !writeBaseline {
      try baseline.requireFile()
      options.baseline = FindingBaseline(
        String(decoding: try readFile(URL(filePath: baseline), shownAs: baseline), as: UTF8.self),
        file: baseline)
    }
    return options
  }

  /// A store, or all of a folder's.
  private func stores(at path: String) throws -> [String] {
    try path.requireFile()
    guard path.isExistingFolder else { return [path] }
    let found = ReleaseChecks.stores(in: path)
    if found.isEmpty { throw UsageError(.noStores(path)) }
    return found
  }
}

extension CheckLevel: ExpressibleByArgument {}

extension Diagnostic {
  fileprivate static func noStores(_ folder: String) -> Self {
    Self(
      .nothingChecked, .error, "'\(folder)' holds no store: no file that ends in .sqlite or .store",
      help: ["name a store by its path, or a folder that holds some"])
  }
}

/// `--fail-on`.
enum FailingSeverity: String, ExpressibleByArgument, CaseIterable {
  case error, warning

  var severity: Diagnostic.Severity { self == .error ? .error : .warning }
}

extension ModelProfile: ExpressibleByArgument {}
