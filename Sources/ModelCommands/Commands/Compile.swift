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

  @Argument(
    help: ArgumentHelp(
      "Models by name, or .xcdatamodeld folders; all of the project's without any.", valueName: "model"))
  var models: [String] = []

  func run() throws {
    try output.run {
      let start = ContinuousClock.now
      for argument in models where looksLikePath(argument) { try requireFile(at: argument) }
      let (models, diagnostics) = try readModels(models, of: project.project)
      let findings = (diagnostics + models.flatMap(checkVersions)).ordered
      output.report(findings)
      if findings.hasErrors {
        output.say(summary(of: findings))
        if output.writesJSON {
          output.print(.object([.init("diagnostics", .array(findings.map(\.json)))]))
        }
        throw ExitCode(exitStatus(for: findings))
      }
      let folder = outputFolder ?? project.project.buildFolder
      let bundles = try models.map { ($0, try compile($0, into: folder)) }
      printResult(bundles, findings)
      let versions = counted(models.map(\.versions.count).reduce(0, +), "version")
      output.say("\(check ? "Checked" : "Compiled") \(versions) in \(humanDuration(seconds(since: start)))")
    }
  }

  /// A model is named by itself or by the path of its source.
  private func looksLikePath(_ argument: String) -> Bool {
    ["xcdatamodeld", "xcdatamodel", "momd"].contains(URL(filePath: argument).pathExtension)
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

  private func printResult(_ bundles: [(VersionedModel, String)], _ findings: [Diagnostic]) {
    if output.writesJSON {
      let objects = bundles.map { $0.json(bundle: $1) }
      output.print(objects.count == 1 ? objects[0] : .array(objects))
      return
    }
    for (model, path) in bundles {
      output.print(path)
      var table = TextTable(.left, .right, .left)
      for version in model.versions {
        let mark = version.name == model.currentVersionName ? "current" : ""
        table.append(version.name, counted(version.model.entities.count, "entity", plural: "entities"), mark)
      }
      output.print(table.lines(indent: 2).joined(separator: "\n"))
    }
  }
}
