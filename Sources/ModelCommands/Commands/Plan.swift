import ArgumentParser
import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import ReleaseChecks

struct Plan: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a migration would do to a store, without doing it.",
    discussion: """
      Exits with 1 if something prevents the migration. The store is read and left without a trace. With --from instead \
      of a store it shows the path between two versions: what happens to every store, and what stops some.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

  @OptionGroup var project: ProjectOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var history: HistoryOptions

  @Option(help: .text("Without a store: the version to start from.", "version"))
  var from: String?

  @Option(help: .text("Write the mapping of the whole path to a file, with every property, as YAML.", "file"))
  var mapping: String?

  @Option(help: "How the result is written: text, json, markdown, or html, a page for a browser.")
  var format: Format = .text

  @OptionGroup var terminal: TerminalOptions

  @Flag(name: .shortAndLong, help: "Print the mapping in full.")
  var verbose = false

  @Flag(help: "Print the SQL statements too.")
  var sql = false

  @Argument(help: "The store.")
  var store: String?

  func validate() throws {
    try refuse(store == nil && from == nil, "name a store, or a version with --from")
    try refuse(store != nil && from != nil, "a store and --from exclude each other")
    try refuse(from != nil && sql, "--sql takes a store: statements depend on it")
  }

  var output: OutputOptions { terminal.output(json: format == .json) }
  var refusalHead: JSONValue { store.map { ["store": .string($0)] } ?? [:] }

  func work() throws {
    if let mapping, FileManager.default.fileExists(atPath: mapping) { throw UsageError(.taken(mapping)) }
    let models = try project.project.readSoundModels { output.report($0) }
    try store?.requireFile()
    let custom = try project.project.customMigrations(for: models)
    if let store { try plan(store, models, custom) } else { try plan(models, custom) }
  }

  private func plan(_ store: String, _ models: [VersionedModel], _ custom: CustomMigrations) throws {
    let plan: MigrationPlan
    do {
      plan = try planMigration(ofStoreAt: store, models: models, options: target.options, custom: custom)
    } catch let error as DiagnosticsError {
      let search = history.search(project.project)
      throw DiagnosticsError(error.diagnostics + search.findings(of: store, after: error.diagnostics))
    }
    let seconds = plan.estimatedSeconds(at: cachedMachineSpeed)
    let segments = plan.segments.map { (path: $0.path, mappingModel: $0.mappingModel) }
    let (back, file) = try way(segments, plan.modelName, models, custom)
    let isNext = !plan.isDone && !plan.isBlocked
    let next = "next: \(programName) migrate\(project.arguments) \(store.shellWord)\(target.arguments)"
    try show(
      MigrationPlan.ofStore.json(of: (plan, seconds, back)), planMarkdown(plan, seconds: seconds),
      planText(plan, seconds: seconds), back, file, models, plan.diagnostics, statements: plan.statements,
      advice: target.unusedCodes(in: plan) + (isNext ? [next] : []))
  }

  /// The way between two versions.
  private func plan(_ models: [VersionedModel], _ custom: CustomMigrations) throws {
    let asked = [from, target.to].compactMap(\.self)
    let fitting = models.filter { model in asked.allSatisfy { model.askedVersion($0) != nil } }
    if fitting.count > 1 { throw UsageError(.whichModel(fitting.map(\.name))) }
    let plan = try planPath(
      from: from ?? "", to: target.to, models: models, custom: custom, chain: target.options.chain)
    // Inferred steps come to one mapping; what is written for a step reads the objects of its own version.
    let segments =
      plan.segments.allSatisfy(\.isInferred)
      ? [(path: plan.path, mappingModel: plan.mappingModel)]
      : plan.segments.map { (path: $0.versions.map(\.name), mappingModel: $0.mappingModel) }
    let (back, file) = try way(segments, plan.modelName, models, custom)
    try show(
      PathPlan.result.json(of: (plan, back)), planMarkdown(plan), planText(plan), back, file, models,
      plan.diagnostics)
  }

  /// The way back, and each segment as a file says it, where that is to be printed or written.
  private func way(
    _ segments: [(path: [String], mappingModel: MappingModel)], _ name: String, _ models: [VersionedModel],
    _ custom: CustomMigrations
  ) throws -> (back: Downgrade?, file: String?) {
    guard let model = models.first(where: { $0.name == name }) else { return (nil, nil) }
    let passed = segments.flatMap(\.path).compactMap { model.version(named: $0) }
    guard let source = passed.first, let destination = passed.last else { return (nil, nil) }
    let back = downgrade(from: destination, to: source, of: model, custom: custom)
    guard verbose || mapping != nil, source.name != destination.name else { return (back, nil) }
    if let mapping, segments.count > 1 {
      throw UsageError(
        .noBundlePlace, "'\(mapping)' can hold one mapping, not the \(segments.count) of this path",
        help: [
          "ask for one of them, without a store: "
            + segments.map { path, _ in
              "`--from \((path.first ?? "").shellWord) --to \((path.last ?? "").shellWord)`"
            }.listed
        ])
    }
    let files = segments.compactMap { segment -> String? in
      let ends = segment.path.compactMap { model.version(named: $0) }
      guard let from = ends.first, let to = ends.last else { return nil }
      return writeMappingFile([segment.mappingModel.stated(from: from, to: to)])
    }
    return (back, files.joined(separator: "\n"))
  }

  /// Prints a plan in the format that was asked for, and writes its mapping where that was.
  private func show(
    _ json: JSONValue, _ markdown: String, _ text: String, _ back: Downgrade?, _ file: String?,
    _ models: [VersionedModel], _ diagnostics: [Diagnostic], statements: [String] = [], advice: [String] = []
  ) throws {
    switch format {
    case .json: output.print(json)
    case .markdown: output.print(markdown)
    case .html: output.print(data: project.project.migrationPage(json, models))
    case .text:
      output.print(text)
      if let back, !diagnostics.hasErrors { output.print(back.text()) }
      if verbose, let file { output.print(data: "\n" + file) }
      if sql, !statements.isEmpty {
        output.print(data: "\n" + statements.map(\.sqlListing).joined(separator: "\n"))
      }
    }
    if let mapping, let file {
      try Data(file.utf8).write(to: URL(filePath: mapping), options: .withoutOverwriting)
      output.say("wrote \(mapping)")
    }
    if format == .text {
      output.report(diagnostics, minimum: .warning)
      advice.forEach(output.say)
    }
    if diagnostics.hasErrors { throw ExitCode(exitStatus(for: diagnostics)) }
  }
}
