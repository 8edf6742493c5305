public import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check before a release that no user's data is lost or left behind.",
    discussion: """
      Models compile; released versions are exactly what was released; a path leads from each to the current \
      version; losses are named; every kept store is migrated along every path, proved and compared. All findings are reported \
      together, each with its place; the exit code is 1 if one counts.

      With --against, versions of that revision may not be edited or removed, with or without a lock, there must be a path from each \
      of them, and findings that already existed do not count. Without it, findings about versions that can \
      no longer be edited do not count: released ones, and all but the current one of an Xcode package.

      A finding is allowed by a comment in the model's file, with a reason: \
      # modelc:allow MC7018 reason="reviewed" until=2027-01-01; in Swift source with //. Xcode drops comments when it \
      saves a version: for a package, write it in a modelc.yaml next to it: allow: [{code: MC7008, of: Hut.fax, reason: reviewed}].
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: CheckOutput

  @Option(
    help: .text(
      "Count only what is new since a git revision, a folder of released models and stores, or an app: .app, .ipa, .xcarchive.",
      "rev|dir|app"))
  var against: String?

  @Option(
    help: .text(
      "For SwiftData source: the tags that users have stores of, with * and ?; by default all.", "pattern"))
  var againstTags: String?

  @Option(help: "How much to check: source, store, path or hash; each level includes those after it.")
  var level: CheckLevel = .store

  @Option(help: "The lowest severity that makes the check fail: error or warning.")
  var failOn: FailingSeverity = .error

  @Option(help: "Another store to migrate, or a folder of stores; repeatable.")
  var store: [String] = []

  @Option(help: .text("The longest that a migration to the current version may take, in seconds.", "seconds"))
  var maxSeconds: Double?

  @Option(help: .text("The most space that old and new store may need together.", "MB"))
  var maxMegabytes: Double?

  @Option(
    help: .text(
      "Also check these limits with a generated store of that many objects for each released version.",
      "objects"))
  var rows: Int?

  @Option(help: .text("A file of known findings, which do not count.", "file"))
  var baseline: String?

  @Flag(help: "Write the findings of this run to that file.")
  var writeBaseline = false

  @Option(
    help: .text("Check every model against a service's rules too, as `profile:` does: cloudkit.", "service"))
  var profile: ModelProfile?

  @Flag(
    help:
      "Require a downgrade path from the current version to the last released one, and test it on the kept stores."
  )
  var reversible = false

  @Option(
    help: .text(
      "Require that builds still at this version can open stores of the current one, as a widget or another phone would.",
      "version"))
  var compatibleWith: String?

  @Flag(help: "Continue with a warning if the models that --against names cannot be read, or only in part.")
  var allowUnreadBase = false

  @Flag(help: "Print every finding, including those about versions that can no longer be edited.")
  var all = false

  @Flag(help: "Migrate every store again, even if nothing has changed since it passed.")
  var noCache = false

  func validate() throws {
    try refuse(writeBaseline && baseline == nil, "--write-baseline needs --baseline FILE")
    try refuse(
      [.path, .hash].contains(level) && (!store.isEmpty || maxSeconds != nil || maxMegabytes != nil),
      "--level \(level.rawValue) migrates no store: leave out --store, --max-seconds and --max-megabytes")
    if let maxSeconds, !(maxSeconds > 0) { throw ValidationError("--max-seconds is more than 0") }
    if let rows {
      try refuse(
        maxSeconds == nil && maxMegabytes == nil, "--rows needs a limit: --max-seconds or --max-megabytes")
      try refuse(!(1...10_000_000).contains(rows), "--rows is 1 to 10,000,000")
    }
    if let maxMegabytes, !(maxMegabytes > 0) { throw ValidationError("--max-megabytes is more than 0") }
  }

  func run() throws {
    try output.plain.run {
      try output.requirePlaces()
      var report = try output.reportingRefusal { try project.project.check(options()) }
      report.remarks.forEach(output.plain.say)
      if output.writesMarkdown {
        report.introductions = report.changes.compactMap {
          VersionDifference.introduction(from: $0.base, to: $0.model)
        }
      }
      try output.write(report, takesAll: all)
      if writeBaseline, let baseline {
        try ProjectFile(path: baseline, text: FindingBaseline.text(of: report.findings.filter(\.counts)))
          .write(isNamed: true)
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
    if found.isEmpty {
      throw UsageError(
        .nothingChecked, "'\(path)' holds no store: no file that ends in .sqlite or .store",
        help: ["name a store by its path, or a folder that holds some"])
    }
    return found
  }
}

extension CheckLevel: ExpressibleByArgument {}

/// `--fail-on`.
enum FailingSeverity: String, ExpressibleByArgument, CaseIterable {
  case error, warning

  var severity: Diagnostic.Severity { self == .error ? .error : .warning }
}

extension ModelProfile: ExpressibleByArgument {}
