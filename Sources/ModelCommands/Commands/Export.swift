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

/// Standard output, or a new file that is complete or not there.
final class TextSink {
  private let path: String?
  private let handle: FileHandle
  private var buffer = Data()

  /// - Parameter path: nil for standard output. An existing file is refused.
  init(_ path: String?) throws {
    self.path = path
    guard let path else {
      handle = .standardOutput
      // A reader that ends early (`| head`) must not end us before the store is closed.
      _ = signal(SIGPIPE, SIG_IGN)
      return
    }
    guard !FileManager.default.fileExists(atPath: path) else { throw UsageError(.taken(path)) }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw UsageError(.notWritable(path)) }
    self.handle = handle
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { try flush() }
  }

  func finish() throws {
    try flush()
    if path != nil { try handle.close() }
  }

  func discard() {
    guard let path else { return }
    try? handle.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func flush() throws {
    do {
      try handle.write(contentsOf: buffer)
    } catch  where path == nil && errno == EPIPE {
      // Whoever read has seen enough.
      throw ExitCode.success
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension Diagnostic {
  fileprivate static func taken(_ path: String) -> Self {
    Self(.fileUnreadable, .error, "'\(path)' exists already", help: ["name a file that does not exist yet"])
  }

  fileprivate static func notWritable(_ path: String) -> Self {
    Self(.fileUnreadable, .error, "'\(path)' cannot be written", help: ["make its folder first"])
  }
}
