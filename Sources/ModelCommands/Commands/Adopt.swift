import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring existing models in, as YAML.",
    discussion: """
      Takes .xcdatamodeld and .xcdatamodel folders, .momd bundles, .mom files, also of a git revision \
      (HEAD~1:App.xcdatamodeld), and stores, which carry their own model. The same source again writes the same files; files with other content are not touched without --force.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Overwrite files that have other content.")
  var force = false

  @Argument(help: ArgumentHelp("What to adopt.", valueName: "source"))
  var sources: [String]

  func validate() throws {
    if sources.isEmpty { throw ValidationError("name a model or a store") }
  }

  func run() throws {
    try output.run {
      var adopted: [JSONValue] = []
      var findings: [Diagnostic] = []
      for source in sources {
        try requireFile(at: source)
        let (model, diagnostics) = try read(source)
        guard let model else { throw DiagnosticsError(diagnostics) }
        output.report(diagnostics)
        findings += diagnostics
        let folder = try write(model)
        adopted.append(json(model, folder: folder))
        if !output.writesJSON { output.print(text(model, folder: folder)) }
      }
      if output.writesJSON {
        output.print(
          .object([.init("adopted", .array(adopted)), .init("diagnostics", .array(findings.map(\.json)))]))
      } else {
        output.say("next: \(programName) compile\(project.arguments)")
      }
    }
  }

  private func read(_ source: String) throws -> (VersionedModel?, [Diagnostic]) {
    if isModelPath(source) { return readModelSource(source) }
    let name = URL(filePath: source).deletingPathExtension().lastPathComponent
    return (try readStore(source, name: name), [])
  }

  private func readStore(_ path: String, name: String) throws -> VersionedModel {
    let connection = try StoreConnection(path: path)
    let model = try connection.read { db in
      try readStoreModel(
        db, physical: readPhysicalSchema(db), metadata: readStoreMetadata(db))
    }
    try connection.close()
    guard let model else { throw DiagnosticsError(.noTrustedModel(path)) }
    return VersionedModel(
      name: name, versions: [ModelVersion(name: "V1", model: model)], currentVersionName: "V1")
  }

  /// Writes all files or none.
  ///
  /// - Returns: the model's folder.
  private func write(_ model: VersionedModel) throws -> String {
    let folder = join(project.project.modelsFolder, project.model ?? model.name)
    var files = [("versions.yaml", writeVersions(model))]
    for version in model.versions { files.append(("\(version.name).yaml", writeModel(version.model))) }
    let changed = files.filter { name, text in
      guard let present = try? Data(contentsOf: URL(filePath: join(folder, name))) else { return false }
      return present != Data(text.utf8)
    }
    if !changed.isEmpty, !force {
      throw UsageError(.wouldOverwrite(changed.map { join(folder, $0.0) }))
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: join(folder, name)), options: .atomic)
    }
    return folder
  }

  private func json(_ model: VersionedModel, folder: String) -> JSONValue {
    .object([
      .init("model", .string(project.model ?? model.name)), .init("folder", .string(folder)),
      .init("current", .string(model.currentVersionName)),
      .init("versions", JSONValue(model.versions.map(\.name))),
    ])
  }

  private func text(_ model: VersionedModel, folder: String) -> String {
    var lines = [
      "\(folder): \(counted(model.versions.count, "version")), current \(model.currentVersionName)"
    ]
    var table = TextTable(.left, .right)
    for version in model.versions {
      table.append(version.name, counted(version.model.entities.count, "entity", plural: "entities"))
    }
    lines += table.lines(indent: 2)
    return lines.joined(separator: "\n")
  }
}

extension Diagnostic.Code {
  static let wouldOverwrite = Self("MC0012")
  static let noTrustedModel = Self("MC5109")
}

extension Diagnostic {
  fileprivate static func wouldOverwrite(_ files: [String]) -> Self {
    Self(
      .wouldOverwrite, .error, "\(counted(files.count, "file")) would be overwritten",
      notes: files.map { Note("'\($0)' has other content") },
      help: ["adopt under another name with `--model`, or overwrite with `--force`"])
  }

  fileprivate static func noTrustedModel(_ store: String) -> Self {
    Self(
      .noTrustedModel, .error, "'\(store)' carries no model of its own that its version hashes confirm",
      notes: ["stores written before iOS 9 have no model cache"],
      help: ["adopt the app's .xcdatamodeld or .momd instead"])
  }
}
