import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct Export: ParsableCommand {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case jsonSchema = "json-schema"
    case yaml, jsonl
  }

  static let configuration = CommandConfiguration(
    abstract: "Write what other tools and people read.",
    discussion: """
      json-schema: the JSON Schemas of version files, versions.yaml and mapping models, by which editors complete and \
      check them; written beside the models, in Models/Schemas, where their first lines look for them.

      yaml, jsonl: the objects of a store, by entity and primary key, references as Entity/p1. `modelc fixture \
      --objects` makes a store of the YAML file. jsonl has one object per line and takes stores of any size.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(name: .customLong("as"), help: "What to write: json-schema, or of a store yaml or jsonl.")
  var kind: Kind

  @Option(
    name: [.customShort("o")],
    help: ArgumentHelp(
      "The folder to write to, made if absent; for objects the file, instead of standard output.",
      valueName: "path"))
  var destination: String?

  @Argument(help: ArgumentHelp("The store whose objects to write.", valueName: "store"))
  var store: String?

  func validate() throws {
    if objectForm != nil, store == nil { throw ValidationError("name the store whose objects to write") }
    if objectForm == nil, store != nil { throw ValidationError("\(kind.rawValue) is not made of a store") }
  }

  func run() throws {
    if let objectForm, let store { return try export(store, as: objectForm) }
    try output.run {
      let files = schemaFiles(in: destination ?? schemaFolder(of: project.project))
      for file in files { try file.write() }
      if output.writesJSON {
        output.print(.object([.init("written", JSONValue(files.map(\.path)))]))
      } else {
        output.print(files.map(\.path).joined(separator: "\n"))
      }
    }
  }

  private var objectForm: ObjectForm? { ObjectForm(rawValue: kind.rawValue) }

  private func export(_ store: String, as form: ObjectForm) throws {
    try output.run(json: [.init("store", .string(store))]) {
      // A store with a model of its own needs no project.
      let models = (try? project.project.readModels())?.models ?? []
      let sink = try TextSink(destination)
      do {
        let count = try exportObjects(ofStoreAt: store, as: form, among: models, write: sink.write)
        try sink.finish()
        guard let destination else { return }
        if output.writesJSON {
          output.print(
            .object([
              .init("store", .string(store)), .init("written", .string(destination)),
              .init("objects", .integer(Int64(count))),
            ]))
        } else {
          output.say("Wrote \(counted(count, "object")) of \(store) to \(destination)")
        }
      } catch {
        sink.discard()
        throw error
      }
    }
  }
}
