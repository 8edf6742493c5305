import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct Compile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compile models to .momd bundles.",
    discussion:
      "Writes nothing unless every version of every model compiles. The same models give the same bytes.")

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: [.customShort("o")],
    help: ArgumentHelp("The folder to write to, instead of the project's Build.", valueName: "dir"))
  var outputFolder: String?

  @Flag(help: "Write nothing; exit with 1 if a bundle would change.")
  var check = false

  @Flag(name: .shortAndLong, help: "Remarks too, beside errors and warnings.")
  var verbose = false

  @Argument(
    help: ArgumentHelp(
      "Models by name, or .xcdatamodeld paths, also REV:path; all of the project's without any.",
      valueName: "model"))
  var models: [String] = []

  func run() throws {
    try output.run {
      let start = ContinuousClock.now
      for argument in models where isModelPath(argument) { try requireFile(at: argument) }
      let (models, diagnostics) = try readModels(models, of: project.project)
      let findings = (diagnostics + models.flatMap(checkVersions)).ordered
      // Remarks are for those who ask; they never stop anything.
      let shown = findings.filter { verbose || $0.severity > .information }
      output.report(shown)
      if findings.hasErrors {
        output.say(summary(of: shown))
        if output.writesJSON {
          output.print(.object([.init("diagnostics", .array(shown.map(\.json)))]))
        }
        throw ExitCode(exitStatus(for: findings))
      }
      let folder = outputFolder ?? project.project.buildFolder
      let bundles = try models.map { ($0, try compile($0, into: folder)) }
      printResult(bundles)
      sayCount(models.map(\.versions.count).reduce(0, +), since: start)
    }
  }

  /// - Returns: the bundle's path.
  private func compile(_ model: VersionedModel, into folder: String) throws -> String {
    let path = join(folder, model.name + ".momd")
    let url = URL(filePath: path)
    if check {
      let differences = try checkModelBundle(model, at: url)
      if differences.hasErrors { throw DiagnosticsError(differences) }
    } else {
      try FileManager.default.createDirectory(at: URL(filePath: folder), withIntermediateDirectories: true)
      try writeModelBundle(model, to: url)
    }
    return path
  }

  private func printResult(_ bundles: [(VersionedModel, String)]) {
    if output.writesJSON {
      let objects = bundles.map { $0.json(bundle: $1) }
      output.print(objects.count == 1 ? objects[0] : .array(objects))
      return
    }
    for (model, path) in bundles { output.print(path + "\n" + table(of: model)) }
  }

  private func table(of model: VersionedModel) -> String {
    var table = TextTable(.left, .right, .left)
    for version in model.versions {
      let mark = version.name == model.currentVersionName ? "current" : ""
      table.append(version.name, counted(version.model.entities.count, "entity", plural: "entities"), mark)
    }
    return table.lines(indent: 2).joined(separator: "\n")
  }

  private func sayCount(_ versions: Int, since start: ContinuousClock.Instant) {
    let time = humanDuration(seconds(since: start))
    output.say("\(check ? "Checked" : "Compiled") \(counted(versions, "version")) in \(time)")
  }
}
