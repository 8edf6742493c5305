import ArgumentParser
import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore
import ReleaseChecks
import SwiftDataModels

struct Adopt: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import existing models as YAML.",
    discussion: """
      Takes .xcdatamodeld and .xcdatamodel folders, .momd bundles, .mom files, also of a git revision \
      (HEAD~1:App.xcdatamodeld), and stores, which contain their own model; .xcmappingmodel folders and .cdm files become \
      mapping models under Migrations. The same source always gives the same files; files with other content are not \
      changed without --force; a model that cannot be read completely, or that compile refuses, is not written. With \
      --into, a store's version is added to an existing model. With --as swiftdata, models become Swift \
      source for SwiftData instead.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Overwrite files that have other content.")
  var force = false

  @Option(
    name: .customLong("as"),
    help: .text(
      """
      The version's name, if a store is adopted; by default the identifier that the store records, or V1. Or \
      swiftdata: the models are written as Swift source.
      """, "version"))
  var versionName: String?

  @Option(help: .text("The model that the source's only version is added to.", "model"))
  var into: String?

  @Option(help: .text("With --into: the version that it comes before.", "version"))
  var before: String?

  @Argument(help: .text("What to adopt.", "source"))
  var sources: [String]

  func validate() throws {
    try refuse(sources.isEmpty, "name a model, a mapping model or a store")
    try refuse(writesSwiftData && into != nil, "'--into' adds a version in YAML")
    try refuse(before != nil && into == nil, "'--before' places a version that '--into' adds")
  }

  func work() throws {
    var adopted: [JSONValue] = []
    var findings: [Diagnostic] = []
    try requirePlace()
    // All are read before the first is written.
    let models = try sources.filter { !isMappingModel($0) }.map { ($0, try readSound($0)) }
    for (source, (model, diagnostics, taken)) in models {
      output.report(diagnostics.filter { !$0.isAccepted })
      findings += taken
      if let into {
        let (text, version) = try add(model, into: into, from: source)
        adopted.append(Self.added.json(of: (into, version)))
        if !output.writesJSON { output.print(text.printable) }
        continue
      }
      let (folder, inexpressible) = try write(model)
      output.report(inexpressible)
      findings += inexpressible
      adopted.append(Self.model.json(of: (project.model ?? model.name, folder, model)))
      if !output.writesJSON {
        // With what Core Data's meaning was taken of.
        output.print(([model.head(at: folder)] + model.versionLines() + taken.acceptedFactLines).shownLines)
      }
    }
    // After the models, because a compiled mapping model needs them.
    for mapping in try adoptMappings(sources.filter(isMappingModel)) {
      output.report(mapping.diagnostics)
      findings += mapping.diagnostics
      adopted.append(mapping.json)
      if !output.writesJSON { output.print(mapping.text) }
    }
    if output.writesJSON { output.print(Self.result.json(of: (adopted, findings))) }
    if !models.isEmpty, !writesSwiftData { output.say("next: \(programName) compile\(project.arguments)") }
  }

  /// What a source does not tell would be missing in the files, and in their hashes; of two properties of one name a file
  /// has one. So a model that `compile` refuses is not taken.
  private func readSound(
    _ source: String
  ) throws -> (model: VersionedModel, diagnostics: [Diagnostic], taken: [Diagnostic]) {
    try source.requireFile()
    let (model, diagnostics) = try read(source)
    guard let model, diagnostics.unread.isEmpty else { throw DiagnosticsError(diagnostics) }
    try model.versions.flatMap { $0.refusals(in: model) }.ordered.refuse()
    let accepted = checkModels(of: model.versions, minimum: .warning).filter(\.isAccepted)
    return (model, diagnostics, diagnostics + accepted)
  }

  private func requirePlace() throws {
    let parts = URL(filePath: project.project.modelsFolder).standardizedFileURL.pathComponents
    let package = parts.first { [.xcodePackage, .bundle].contains(ModelSourceKind($0)) }
    guard let package else { return }
    throw UsageError(
      .noBundlePlace, "models in YAML cannot be inside '\(package)', which Xcode or an app reads",
      help: ["leave out `--models`: they are written to Models in the project's folder, which `-C` names"])
  }

  private func read(_ source: String) throws -> (VersionedModel?, [Diagnostic]) {
    if source.isModelPath || source.isSwiftSource { return project.project.reader.read(source) }
    let name = URL(filePath: source).deletingPathExtension().lastPathComponent
    return (try readStore(source, name: name), [])
  }

  private func readStore(_ path: String, name: String) throws -> VersionedModel {
    let stored = try readStoreModel(at: path)
    // The store's own hashes have to confirm it.
    guard case .trusted(let model) = stored.cached else {
      throw DiagnosticsError(stored.cached.finding(ofStore: path, .error))
    }
    let wanted = writesSwiftData ? nil : versionName
    if let wanted, !isVersionName(wanted) { throw UsageError(.noVersionName(wanted)) }
    // The identifier that the store has on record, where it has one that can name a file.
    let identifiers = stored.metadata?.versionIdentifiers ?? []
    let recorded = identifiers.count == 1 && isVersionName(identifiers[0]) ? identifiers[0] : "V1"
    let version = wanted ?? recorded
    return VersionedModel(
      name: name, versions: [ModelVersion(name: version, model: model, origin: .xcode)],
      currentVersionName: version)
  }

  /// Writes all files or none.
  ///
  /// - Returns: the model's folder, and what its files cannot say.
  private func write(_ model: VersionedModel) throws -> (folder: String, inexpressible: [Diagnostic]) {
    let folder = join(project.project.modelsFolder, project.model ?? model.name)
    if writesSwiftData {
      var named = model
      named.name = project.model ?? model.name
      let source = named.swiftDataSource()
      try write(source.parts.map { ("\($0.name).swift", $0.file) }, to: folder)
      return (folder, source.diagnostics)
    }
    try checkNothingIsUnlisted(model, in: folder)
    var files = [(versionListFileName, headed(writeVersions(model), .versionList))]
    for version in model.versions {
      files.append(("\(version.name).yaml", headed(writeModel(version.model), .version)))
    }
    try write(files, to: folder)
    try writeSchemas()
    return (folder, [])
  }

  /// Whether `--as` names no version.
  private var writesSwiftData: Bool { versionName == "swiftdata" }

  /// A file of a model's folder, with the line by which an editor finds its schema.
  func headed(_ text: String, _ kind: LanguageFileKind) -> String {
    schemaComment(path: "../Schemas/\(kind.rawValue)") + "\n" + text
  }

  /// The schemas that those lines name, as `init` writes them.
  func writeSchemas() throws {
    for file in schemaFiles(in: project.project.schemaFolder()) { try file.write() }
  }

  /// Writes all files or none; with other content than those that are there, only where that is wanted.
  func write(_ files: [(String, String)], to folder: String) throws {
    let files = files.map { ProjectFile(path: join(folder, $0.0), text: $0.1) }
    if !force {
      try files.filter(\.wouldOverwrite).refuse(
        each: "has other content", notes: [],
        help: "adopt under another name with `--model`, or overwrite with `--force`")
    }
    for file in files { try file.write() }
  }

  static let result = JSONObject<(adopted: [JSONValue], findings: [Diagnostic])>(
    "adoption", "What was adopted."
  ).adding([
    "adopted": .value(.list(of: .either([model.shape, added.shape, AdoptedMapping.shape]), ""), \.adopted),
    "diagnostics": .diagnostics(\.findings),
  ])

  private static let model = JSONObject<(name: String, folder: String, model: VersionedModel)>(
    "adoptedModel", "A model that was written."
  ).adding([
    "model": .value(\.name, "Its name."), "folder": .value(\.folder, "Its folder."),
    "current": .value(\.model.currentVersionName, "The current version."),
    "versions": .value({ $0.model.versions.map(\.name) }, "Their names."),
  ])

  private static let added = JSONObject<(model: String, version: String)>(
    "addedVersion", "With --into: a version that was added."
  ).adding(["model": .value(\.model), "added": .value(\.version)])

  func isMappingModel(_ source: String) -> Bool {
    ["xcmappingmodel", "cdm"].contains(URL(filePath: source).pathExtension)
  }

  /// Writes a file for every step; several mapping models of one step become a list in it.
  func adoptMappings(_ sources: [String]) throws -> [AdoptedMapping] {
    guard !sources.isEmpty else { return [] }
    for source in sources { try source.requireFile() }
    let models = (try? project.project.readModels().models) ?? []
    var steps: [AdoptedMapping] = []
    for source in sources {
      let imported = try read(mapping: source, among: models)
      let (modelName, mapping) = (project.model ?? imported.modelName, imported.mappingModel)
      let name = "\(mapping.sourceVersionName)-\(mapping.destinationVersionName).yaml"
      let file = join(join(project.project.migrationsFolder, modelName), name)
      var findings = imported.diagnostics
      // A mapping model names its versions; where the project has the model, it should have those.
      if let model = models.first(where: { $0.name == modelName }) {
        findings += mapping.versionNames.filter { model.version(named: $0) == nil }
          .map { .otherVersions($0, source, of: model, isAdopted: true) }
      }
      if let index = steps.firstIndex(where: { $0.file == file }) {
        steps[index].mappingModels.append(mapping)
        steps[index].diagnostics += findings
      } else {
        steps.append(AdoptedMapping(file: file, mappingModels: [mapping], diagnostics: findings))
      }
    }
    for step in steps {
      let url = URL(filePath: step.file)
      // Where the models lie elsewhere, the way to the schemas is not the same in every project.
      let schema = "../../Models/Schemas/\(LanguageFileKind.mapping.rawValue)"
      let head = project.models == nil ? schemaComment(path: schema) + "\n" : ""
      try write(
        [(url.lastPathComponent, head + writeMappingFile(step.mappingModels))],
        to: String(step.file.dropLast(url.lastPathComponent.count + 1)))
    }
    if project.models == nil { try writeSchemas() }
    return steps
  }

  private func read(mapping source: String, among models: [VersionedModel]) throws -> ImportedMapping {
    let url = URL(filePath: source, relativeTo: nil)
    if url.pathExtension == "cdm" {
      return try AppBuild.withFile(source) { try readCompiledMappingModel(at: $0, among: models) }
    }
    return try readXcodeMappingModel(at: url)
  }
}

extension CachedModel {
  /// Why there is no model, or none to trust.
  func finding(ofStore path: String, _ severity: Diagnostic.Severity) -> Diagnostic {
    let note: Diagnostic.Note =
      switch self {
      case .unreadable(let reason): "its model cache cannot be read: \(reason)"
      case .untrusted(_, let differing):
        "its model cache is not trusted: \(counted(differing.count, "entity", plural: "entities")) of it or of the store's metadata differ in their hashes, \(differing.quoted())"
      case .absent, .trusted: "stores written before iOS 9 have no model cache"
      }
    return Diagnostic(
      .noTrustedModel, severity,
      "'\(path)' contains no model that its version hashes confirm", notes: [note],
      help: ["adopt the app's .xcdatamodeld or .momd instead"])
  }
}

/// Opens a store without a trace and reads its own model, even if nothing confirms it, with what its metadata says, if that
/// can be read.
func readStoreModel(at path: String) throws -> (cached: CachedModel, metadata: StoreMetadata?) {
  let connection = try StoreConnection(path: path)
  let stored = try connection.read { db in
    let metadata = try? db.readStoreMetadata()
    return (cached: try db.examineModelCache(metadata: metadata), metadata: metadata)
  }
  try connection.close()
  return stored
}

extension Diagnostic.Code {
  /// A store without a model of its own, or with one that its hashes do not confirm.
  static let noTrustedModel = Self("MC5109")
}
