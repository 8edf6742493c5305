import ArgumentParser
import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ReleaseChecks
import SwiftDataModels

struct Compile: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compile models to .momd bundles.",
    discussion:
      """
      Writes nothing unless every version of every model compiles. The same models give the same bytes.

      With --fix, edits that findings offer are made in the model's files first, if they change only what \
      the finding is about; the others are listed.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: [.customShort("o")], help: .text("The folder to write to, instead of the project's Build.", "dir"))
  var outputFolder: String?

  @Flag(help: "Write nothing; exit with 1 if a bundle would change.")
  var check = false

  @Flag(help: "Make the safe edits that findings offer, then compile.")
  var fix = false

  @Flag(name: .shortAndLong, help: "Also show remarks, not only errors and warnings.")
  var verbose = false

  @Argument(
    help: .text(
      "Models by name or folder, or .xcdatamodeld packages, also REV:path; by default all of the project's models.",
      "model"))
  var models: [String] = []

  func validate() throws { if fix, check { throw ValidationError("--check writes nothing; --fix writes") } }

  func work() throws {
    let start = ContinuousClock.now
    for argument in models where argument.isModelPath { try argument.requireFile() }
    let fixes = fix ? try fixModels() : []
    let (models, diagnostics) = try readModels(models, of: project.project)
    // A package compiles by itself, as in Xcode; what mappings near it say is for the gate.
    let own = models.filter { project.project.folderOfMappingModels(of: $0) == nil }
    let mappings = project.project.readMappings(for: own)
    let minimum: Diagnostic.Severity = verbose ? .information : .warning
    let found = models.map { checkVersions($0, reading: diagnostics, minimum: minimum) }
    // A version with errors is not there: that mappings name it is not a second error.
    let stated =
      diagnostics.hasErrors
      ? mappings.diagnostics.filter { $0.code != .mappingOfOtherVersions }
      : mappings.diagnostics + mappings.check(against: own)
    let findings = (diagnostics + found.joined() + stated).ordered
    // Remarks are for those who ask; they never stop anything.
    let isShown: (Diagnostic) -> Bool = { verbose || $0.severity > .information || $0.code == .unproven }
    let shown = findings.filter(isShown)
    output.report(shown)
    if findings.hasErrors {
      output.say(summary(of: shown) + (try fixHint(for: shown)))
      if output.writesJSON { output.print(Self.findings.json(of: (shown, fix ? fixes : nil))) }
      throw ExitCode(exitStatus(for: findings))
    }
    let folder = outputFolder ?? project.project.buildFolder
    try models.requireNamesOfTheirOwn(in: folder)
    let bundles = try zip(models, found).map {
      let findings = part(diagnostics + stated, $0, models) + $1
      return ($0, try compile($0, into: folder), findings.ordered.filter(isShown))
    }
    printResult(bundles, fixes)
    let count = counted(models.map(\.versions.count).reduce(0, +), "version")
    output.say("\(check ? "Checked" : "Compiled") \(count) in \(seconds(since: start).humanDuration)")
  }

  /// Without what is in the files of other models.
  private func part(_ found: [Diagnostic], _ model: VersionedModel, _ all: [VersionedModel]) -> [Diagnostic] {
    func folders(_ model: VersionedModel) -> [String] {
      model.versions.compactMap(\.sourceMap?.file.parentPath)
        + [join(project.project.migrationsFolder, model.name)]
    }
    let others = Set(all.flatMap(folders)).subtracting(folders(model))
    return found.filter { $0.place.map { others.contains($0.file.parentPath) } != true }
  }

  /// - Returns: the bundle's path.
  private func compile(_ model: VersionedModel, into folder: String) throws -> String {
    let path = join(folder, model.name + ".momd")
    let url = URL(filePath: path)
    if check {
      let differences = try model.checkBundle(at: url)
      if differences.hasErrors { throw DiagnosticsError(differences) }
    } else {
      try FileManager.default.createDirectory(at: URL(filePath: folder), withIntermediateDirectories: true)
      try model.writeBundle(to: url)
    }
    return path
  }

  /// Mends the files of the models that are meant, and says what was done.
  private func fixModels() throws -> [ModelFixes.Fix] {
    let all = try foldersToFix().map(ModelFixes.init)
    try all.flatMap(\.edits).replaceFiles()
    let fixes = all.flatMap(\.fixes)
    if !output.writesJSON { output.print(fixes.text()) }
    return fixes
  }

  /// The folders of the models that are meant: YAML alone is edited.
  private func foldersToFix() throws -> [String] {
    let project = project.project
    if models.isEmpty { return try project.modelPaths().filter(\.isModelFolder) }
    return try models.filter { $0.isModelFolder || !$0.isModelPath }.flatMap { name in
      name.isModelFolder ? [name] : try project.of(modelNamed: name).modelPaths(onlyFolders: true)
    }
  }

  /// How many edits `--fix` would make, which is tried in memory: one may bring more errors than it mends, and the files
  /// that it edits are those of the models.
  private func fixHint(for findings: [Diagnostic]) throws -> String {
    guard !fix, findings.contains(where: \.isSafelyFixable) else { return "" }
    let count = try foldersToFix().map(ModelFixes.init).flatMap(\.fixes).count { $0.refusal == nil }
    return count == 0 ? "" : "; `--fix` makes \(counted(count, "edit"))"
  }

  private func printResult(_ bundles: [(VersionedModel, String, [Diagnostic])], _ fixes: [ModelFixes.Fix]) {
    if output.writesJSON {
      let objects = bundles.map { model, path, findings in
        let own = fixes.filter {
          $0.place.file.hasPrefix(join(project.project.modelsFolder, model.name) + "/")
        }
        return Self.compiled.json(of: (path, model, findings, fix ? own : nil))
      }
      return output.print(.oneOrSeveral(objects))
    }
    output.print(
      bundles.flatMap { model, path, _ in
        [path] + model.versionLines { $0.name == model.currentVersionName ? "current" : "" }
      }.shownLines)
  }

  typealias Compiled = (
    bundle: String, model: VersionedModel, findings: [Diagnostic], fixes: [ModelFixes.Fix]?
  )

  static let compiled = JSONObject<Compiled>("compiledModel", "A model with its versions.")
    .adding(VersionedModel.result) { ($0.bundle, $0.model) }
    .adding(["diagnostics": .diagnostics(\.findings), "fixes": .optional(\.fixes, "With --fix.")])

  static let findings = JSONObject<(findings: [Diagnostic], fixes: [ModelFixes.Fix]?)>(
    "findings", "What prevents it; nothing was written."
  ).adding(["diagnostics": .diagnostics(\.findings), "fixes": .optional(\.fixes, "With --fix.")])
}

/// Reads models by name or path; without any, all models of the project.
func readModels(
  _ arguments: [String], of project: Project
) throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
  if arguments.isEmpty { return try project.readModels() }
  var models: [VersionedModel] = []
  var diagnostics: [Diagnostic] = []
  for argument in arguments {
    let reading = try readModel(argument, of: project)
    diagnostics += reading.diagnostics
    models += reading.models
  }
  return (models, diagnostics.ordered)
}

private func readModel(
  _ argument: String, of project: Project
) throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
  if ModelSourceKind(argument) == .versionFile, FileManager.default.fileExists(atPath: argument) {
    throw DiagnosticsError(.noModelButVersion(argument))
  }
  guard argument.isModelPath || argument.isModelFolder || argument.isSwiftSource else {
    return try project.of(modelNamed: argument).readModels()
  }
  let (model, diagnostics) = project.reader.read(argument)
  return (model.map { [$0] } ?? [], diagnostics)
}
