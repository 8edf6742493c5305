import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The gate before a release: everything that has to hold for users' data.",
    discussion: """
      Models compile; released versions are word for word what was released; a path leads from each to the current \
      version; losses are named; every kept store is migrated along every path, proved and compared. All findings come \
      together, at their places; the exit code is 1 where one counts. With --against, findings that were there before \
      do not count.

      A finding is allowed by a comment in the model's file, with a reason: \
      # modelc:allow MC7018 reason="reviewed" until=2027-01-01
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: CheckOutput

  @Option(
    help: ArgumentHelp(
      "Count only what is new since a git revision, or a folder of released models and stores.",
      valueName: "rev|dir"))
  var against: String?

  @Option(help: "How much is looked at: source, store, path or hash; each holds those after it.")
  var level: CheckLevel = .store

  @Option(help: "The least severity that makes the answer no: error or warning.")
  var failOn: FailingSeverity = .error

  @Option(help: ArgumentHelp("A further store to migrate; repeatable.", valueName: "store"))
  var store: [String] = []

  @Option(
    help: ArgumentHelp("The most that a migration to the current version may take.", valueName: "seconds"))
  var maxSeconds: Double?

  @Option(help: ArgumentHelp("The most that the old and the new store may need together.", valueName: "MB"))
  var maxMegabytes: Double?

  @Option(help: ArgumentHelp("A file of findings that the project lives with.", valueName: "file"))
  var baseline: String?

  @Flag(help: "Write that file from the findings of this run.")
  var writeBaseline = false

  @Flag(help: "Migrate every store again, also where nothing has changed since it was found sound.")
  var noCache = false

  func validate() throws {
    if writeBaseline, baseline == nil { throw ValidationError("--write-baseline needs --baseline FILE") }
    if let maxSeconds, !(maxSeconds > 0) { throw ValidationError("--max-seconds is more than 0") }
    if let maxMegabytes, !(maxMegabytes > 0) { throw ValidationError("--max-megabytes is more than 0") }
  }

  func run() throws {
    try output.plain.run {
      try output.requirePlaces()
      let models = try readCheckedModels(of: project.project)
      let base = try against.map { try readBases(of: models, $0) } ?? [:]
      for store in store { try requireFile(at: store) }
      let report = runChecks(models, against: base, baseName: against, options: try options())
      try output.write(report)
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
    var options = CheckOptions(today: today())
    options.level = level
    options.stores = store
    options.testFolder = migrationTestFolder(of: project.project)
    if maxSeconds != nil || maxMegabytes != nil {
      let bytes = maxMegabytes.map { Int64(min($0 * Double(1 << 20), 9e18)) }
      options.budget = .init(seconds: maxSeconds, bytes: bytes)
    }
    if !noCache { options.cache = resultCache() }
    if let baseline, !writeBaseline {
      try requireFile(at: baseline)
      options.baseline = FindingBaseline(
        try String(contentsOf: URL(filePath: baseline), encoding: .utf8), file: baseline)
    }
    return options
  }

  private func readBases(
    of models: [CheckedModel], _ name: String
  ) throws(DiagnosticsError) -> [String: BaseModel] {
    let base: CheckBase = isExistingFolder(name) ? .folder(name) : .revision(name)
    var found: [String: BaseModel] = [:]
    for subject in models {
      found[subject.model.name] = try readBaseModel(at: subject.path, in: base) { model, diagnostics in
        (diagnostics + checkVersions(model, reading: diagnostics)).ordered
      }
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

/// Every model of a project with what its files say of it.
///
/// - Throws: where a model cannot be read at all.
func readCheckedModels(of project: Project) throws(DiagnosticsError) -> [CheckedModel] {
  var models: [CheckedModel] = []
  for path in try project.modelPaths() {
    let (model, diagnostics) = readModelSource(path)
    guard let model else { throw DiagnosticsError(diagnostics) }
    let findings = (diagnostics + checkVersions(model, reading: diagnostics)).ordered
    models.append(CheckedModel(path: path, model: model, diagnostics: findings))
  }
  return models
}

/// Where a project keeps its migration tests, a folder for each model.
func migrationTestFolder(of project: Project) -> String { join(project.folder, "Tests/Migrations") }

/// What earlier runs found sound, in the user's cache folder.
func resultCache() -> ResultCache? {
  guard let folder = CompileStamp.cacheFolder, let tool = CompileStamp.tool else { return nil }
  return ResultCache(folder: folder.deletingLastPathComponent().appending(path: "check"), program: tool)
}

/// The day in UTC, as `2026-01-31`.
func today() -> String {
  Date.now.formatted(.iso8601.year().month().day().dateSeparator(.dash))
}
