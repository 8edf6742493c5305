import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a migration would do to a store, without doing it.",
    discussion: """
      Exits with 1 if something prevents the migration. The store is read and left without a trace. With --from instead \
      of a store it shows the path between two versions: what happens to every store, and what stops some.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

  @OptionGroup var project: ProjectOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var history: HistoryOptions

  @Option(help: ArgumentHelp("Without a store: the version to start from.", valueName: "version"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Write the mapping of the whole path to a file, with every property, as YAML.", valueName: "file"))
  var mapping: String?

  @Option(help: "How the result is written: text, json, markdown, or html, a page for a browser.")
  var format: Format = .text

  @Option(help: "Colors: auto, always or never; NO_COLOR is respected.")
  var color: ColorMode = .auto

  @Flag(name: .shortAndLong, help: "Print only results and problems, no progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the mapping in full.")
  var verbose = false

  @Flag(help: "Print the SQL statements too.")
  var sql = false

  @Argument(help: "The store.")
  var store: String?

  func validate() throws {
    if store == nil, from == nil { throw ValidationError("name a store, or a version with --from") }
    if store != nil, from != nil { throw ValidationError("a store and --from exclude each other") }
    if from != nil, sql { throw ValidationError("--sql takes a store: statements depend on it") }
  }

  private var output: OutputOptions { OutputOptions.with(json: format == .json, color: color, quiet: quiet) }

  func run() throws {
    try output.run(json: store.map { ["store": .string($0)] } ?? [:]) {
      if let mapping, FileManager.default.fileExists(atPath: mapping) { throw UsageError(.taken(mapping)) }
      let models = try project.project.readSoundModels { output.report($0) }
      let custom = try project.project.customMigrations(for: models)
      if let store { try plan(store, models, custom) } else { try plan(models, custom) }
    }
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
    let back = downgrade(from: plan.to, to: plan.from, of: plan.modelName, models, custom)
    let mappingText = stated(plan.mappingModel, plan.modelName, plan.from, plan.to, models)
    switch format {
    case .json:
      output.print(MigrationPlan.ofStore.json(of: (plan, seconds, back)))
    case .markdown: output.print(planMarkdown(plan, seconds: seconds))
    case .html:
      let page = MigrationPlan.ofStore.json(of: (plan, seconds, back))
      output.print(data: project.project.migrationPage(page, models))
    case .text:
      output.print(planText(plan, seconds: seconds))
      if let back, !plan.isBlocked { output.print(back.text()) }
      if verbose, let mappingText { output.print(data: "\n" + mappingText) }
      if sql, !plan.statements.isEmpty {
        output.print(data: "\n" + plan.statements.map(\.sqlListing).joined(separator: "\n"))
      }
    }
    try writeMapping(mappingText)
    if format == .text {
      output.report(plan.diagnostics, minimum: .warning)
      target.unusedCodes(in: plan).forEach(output.say)
      if !plan.isDone, !plan.isBlocked {
        output.say("next: \(programName) migrate\(project.arguments) \(store.shellWord)\(target.arguments)")
      }
    }
    if plan.isBlocked { throw ExitCode(exitStatus(for: plan.diagnostics)) }
  }

  /// The way between two versions.
  private func plan(_ models: [VersionedModel], _ custom: CustomMigrations) throws {
    let plan = try planPath(
      from: from ?? "", to: target.to, models: models, custom: custom, chain: target.options.chain,
      mappingFile: writeMappingFile)
    let back = downgrade(from: plan.to, to: plan.from, of: plan.modelName, models, custom)
    let mappingText = stated(plan.mappingModel, plan.modelName, plan.from, plan.to, models)
    switch format {
    case .json: output.print(PathPlan.result.json(of: (plan, back)))
    case .markdown: output.print(planMarkdown(plan))
    case .html:
      output.print(data: project.project.migrationPage(PathPlan.result.json(of: (plan, back)), models))
    case .text:
      output.print(planText(plan))
      if let back, !plan.isBlocked { output.print(back.text()) }
      if verbose, let mappingText { output.print(data: "\n" + mappingText) }
    }
    try writeMapping(mappingText)
    if format == .text { output.report(plan.diagnostics, minimum: .warning) }
    if plan.isBlocked { throw ExitCode(exitStatus(for: plan.diagnostics)) }
  }

  private func downgrade(
    from source: String, to target: String, of name: String, _ models: [VersionedModel],
    _ custom: CustomMigrations
  ) -> Downgrade? {
    guard let model = models.first(where: { $0.name == name }), let later = model.version(named: source),
      let earlier = model.version(named: target)
    else { return nil }
    return ModelMigration.downgrade(from: later, to: earlier, of: model, custom: custom)
  }

  /// The mapping of the whole path as a file, where it is to be printed or written.
  private func stated(
    _ mapping: MappingModel, _ model: String, _ from: String, _ to: String, _ models: [VersionedModel]
  ) -> String? {
    guard verbose || self.mapping != nil, from != to, let model = models.first(where: { $0.name == model }),
      let source = model.version(named: from), let destination = model.version(named: to)
    else { return nil }
    return writeMappingFile([mapping.stated(from: source, to: destination)])
  }

  private func writeMapping(_ text: String?) throws {
    guard let mapping, let text else { return }
    try Data(text.utf8).write(to: URL(filePath: mapping), options: .withoutOverwriting)
    output.say("wrote \(mapping)")
  }
}
