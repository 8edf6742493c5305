import ArgumentParser
import Foundation
import ModelFormats

struct Export: ParsableCommand {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case jsonSchema = "json-schema"
  }

  static let configuration = CommandConfiguration(
    abstract: "Write what other tools read.",
    discussion: """
      json-schema: the JSON Schemas of version files, versions.yaml and mapping models, by which editors complete and \
      check them; written beside the models, in Models/Schemas, where their first lines look for them.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(name: .customLong("as"), help: "What to write: json-schema.")
  var kind: Kind

  @Option(
    name: [.customShort("o")],
    help: ArgumentHelp("The folder to write to; made if absent.", valueName: "dir"))
  var outputFolder: String?

  func run() throws {
    try output.run {
      let files =
        switch kind {
        case .jsonSchema: schemaFiles(in: outputFolder ?? schemaFolder(of: project.project))
        }
      for file in files { try file.write() }
      if output.writesJSON {
        output.print(.object([.init("written", JSONValue(files.map(\.path)))]))
      } else {
        output.print(files.map(\.path).joined(separator: "\n"))
      }
    }
  }
}
