import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct Export: ParsableCommand {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case xcdatamodeld, momd
    case jsonSchema = "json-schema"
  }

  static let configuration = CommandConfiguration(
    abstract: "Write what other tools read.",
    discussion: """
      xcdatamodeld: Xcode's model, with all versions or one (V4, App.momd#V4). Over a package that is there, only what \
      was edited changes: git shows no other difference.
      momd: the compiled bundle.
      json-schema: the JSON Schemas of version files, versions.yaml and mapping models, by which editors complete and \
      check them; written beside the models, in Models/Schemas, where their first lines look for them.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(name: .customLong("as"), help: "What to write: xcdatamodeld, momd or json-schema.")
  var kind: Kind

  @Option(
    name: [.customShort("o")],
    help: ArgumentHelp(
      "The folder to write to, made if absent, or the package itself, by its extension; the project's Build without it.",
      valueName: "path"))
  var outputPath: String?

  @Argument(
    help: ArgumentHelp(
      "A model, by name or path, or one version; all models of the project without it.", valueName: "model"))
  var model: String?

  func validate() throws {
    if kind == .jsonSchema, model != nil { throw ValidationError("the schemas are those of all models") }
  }

  func run() throws {
    try output.run {
      switch kind {
      case .xcdatamodeld: try write(.xcdatamodeld)
      case .momd: try write(.momd)
      case .jsonSchema:
        let files = schemaFiles(in: outputPath ?? schemaFolder(of: project.project))
        for file in files { try file.write() }
        report(files.map(\.path), files.map(\.path), [])
      }
    }
  }

  private func write(_ format: ModelFormat) throws {
    let place = outputPath ?? project.project.buildFolder
    let exports = try exportModels(model, of: project.project, as: format, to: place)
    let lines = exports.map { export in
      let count = counted(export.model.versions.count, "version")
      return "\(export.path): \(count), current \(export.model.currentVersionName)"
    }
    report(exports.map(\.path), lines, exports.flatMap(\.diagnostics).ordered)
  }

  private func report(_ paths: [String], _ lines: [String], _ findings: [Diagnostic]) {
    output.report(findings)
    if output.writesJSON {
      output.print(
        .object([
          .init("written", JSONValue(paths)), .init("diagnostics", .array(findings.map(\.json))),
        ]))
    } else {
      output.print(lines.joined(separator: "\n"))
    }
  }
}
