import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import ReleaseChecks
import SwiftDataModels

extension Project {
  /// Writes models in a format of Xcode's or Core Data's.
  ///
  /// - Parameters:
  ///   - argument: a model, by name or path, or one version of a model; without it, all models of the project.
  ///   - place: a folder, made if absent, in which each model gets a package of its name; or, for one model, the
  ///     package itself, which then ends in the format's extension.
  /// - Throws: `DiagnosticsError` where a model cannot be read in full or may not be written there.
  /// - Returns: each with what the format cannot say of the model and what was found while it was read.
  func exportModels(
    _ argument: String?, as format: ExportForm, to place: String
  ) throws -> [(path: String, model: VersionedModel, diagnostics: [Diagnostic])] {
    let selection = try selectSoundModels(argument)
    // One version may also be an `.xcdatamodel`.
    let kind = URL(filePath: place).pathExtension
    let isPackage = kind == format.rawValue || format == .xcdatamodeld && kind == "xcdatamodel"
    if isPackage, selection.models.count > 1 {
      throw UsageError(.severalModels(selection.models.map(\.name), place))
    }
    try selection.models.requireNamesOfTheirOwn(in: place)
    return try selection.models.map { model in
      let path = isPackage ? place : join(place, "\(model.name).\(format.rawValue)")
      let url = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      var findings = selection.diagnostics
      var written = model
      if format == .momd {
        try model.writeBundle(to: url)
      } else {
        findings += try model.writeXcodePackage(to: url, keepsOthers: selection.isOneVersion)
        // Beside one version the package may have others, and another current one.
        if selection.isOneVersion { written = readXcodeModelPackage(at: url).model ?? model }
      }
      return (path, written, findings.ordered)
    }
  }

  /// Writes the typed accessors of versions, a Swift file each.
  ///
  /// - Parameters:
  ///   - argument: a version, or a model, whose versions are all written; without it, all versions of all models.
  ///   - place: a folder, made if absent; or, for one version, the `.swift` file itself.
  /// - Returns: the files' paths.
  func exportSwift(_ argument: String?, to place: String) throws -> [String] {
    let selection = try selectSoundModels(argument)
    let versions = selection.models.flatMap { model in model.versions.map { (model, $0) } }
    let isFile = URL(filePath: place).pathExtension == "swift"
    if isFile, versions.count > 1 {
      throw UsageError(
        .noBundlePlace, "'\(place)' can hold one version, not \(versions.count)",
        notes: ["versions: \(versions.map(\.1.name).listed)"],
        help: ["name one of them, or a folder to write all into"])
    }
    let files = versions.map { model, version in
      let folder = selection.models.count > 1 ? join(place, model.name) : place
      return ProjectFile(
        path: isFile ? place : join(folder, "\(version.swiftNamespace).swift"),
        text: version.swiftAccessors())
    }
    // A file of the app's own may have that name.
    let mark = Data("// Written by `modelc export ".utf8)
    let taken = files.filter { file in
      file.wouldOverwrite && (try? Data(contentsOf: URL(filePath: file.path)))?.starts(with: mark) != true
    }
    try taken.refuse(
      each: "was not written by an export", help: "name another place, or remove what is there")
    for file in files { try file.write() }
    return files.map(\.path)
  }

  /// ``selectModels(_:of:)``, where all of it could be read, so that no version goes missing from what is written, and
  /// where `compile` takes it too: it is built by Xcode, loaded by an app, or believed.
  func selectSoundModels(_ argument: String?) throws -> ModelSelection {
    let selection = try selectModels(argument, of: self)
    let refusals = selection.models.flatMap { model in
      model.versions.flatMap { $0.refusals(in: selection.siblings ?? model) }
    }
    try (selection.diagnostics.unread + refusals).ordered.refuse()
    return selection
  }

  /// Writes models as source for SwiftData: a file for each version and one for the plan, or all in one.
  ///
  /// - Parameters:
  ///   - argument: a version, which is then written without a plan, or a model; without it, all models.
  ///   - place: a folder, made if absent; or, for one model, the `.swift` file itself.
  /// - Throws: `UsageError` where that would overwrite a file with other content.
  func exportSwiftData(
    _ argument: String?, to place: String
  ) throws -> (files: [String], diagnostics: [Diagnostic]) {
    let selection = try selectSoundModels(argument)
    let isFile = URL(filePath: place).pathExtension == "swift"
    if isFile, selection.models.count > 1 {
      throw UsageError(.severalModels(selection.models.map(\.name), place))
    }
    try selection.models.requireNamesOfTheirOwn(in: place)
    let mappingModels =
      selection.isOneVersion ? [:] : try customMigrations(for: selection.models).mappingModels
    var files: [ProjectFile] = []
    var diagnostics = selection.diagnostics
    for model in selection.models {
      let source = model.swiftDataSource(
        only: selection.isOneVersion ? model.currentVersionName : nil,
        work: work(in: mappingModels[model.name] ?? []))
      diagnostics += source.diagnostics
      files +=
        isFile
        ? [ProjectFile(path: place, text: source.file)]
        : source.parts.map { ProjectFile(path: join(place, "\($0.name).swift"), text: $0.file) }
    }
    try files.writeUntaken()
    return (files.map(\.path), diagnostics.ordered)
  }
}

/// The models that an argument names.
struct ModelSelection {
  var models: [VersionedModel]
  var diagnostics: [Diagnostic]
  /// Whether a version was chosen, so that the others are not part of what is asked.
  var isOneVersion = false
  /// Of one version: the model that it is of. An earlier version may account for what it says.
  var siblings: VersionedModel?
}

private func selectModels(_ argument: String?, of project: Project) throws -> ModelSelection {
  guard let argument else {
    let (models, diagnostics) = try project.readModels()
    return ModelSelection(models: models, diagnostics: diagnostics)
  }
  if argument.isModelPath || argument.isModelFolder || argument.isSwiftSource {
    try argument.requireFile()
    let (model, diagnostics) = project.reader.read(argument)
    return ModelSelection(models: model.map { [$0] } ?? [], diagnostics: diagnostics)
  }
  let named = project.of(modelNamed: argument, in: project.modelsFolder)
  // A folder that is itself a model holds no other by that name.
  if let (models, diagnostics) = try? named.readModels(), models.contains(where: { $0.name == argument }) {
    return ModelSelection(models: models, diagnostics: diagnostics)
  }
  let found = try project.findVersion(argument)
  let name = found.modelName ?? URL(filePath: argument).deletingPathExtension().lastPathComponent
  var version = found.version
  version.predecessorNames = []
  let model = VersionedModel(name: name, versions: [version], currentVersionName: version.name)
  return ModelSelection(
    models: [model], diagnostics: found.diagnostics, isOneVersion: true, siblings: found.siblings)
}

extension Diagnostic {
  static func severalModels(_ names: [String], _ place: String, called name: String? = nil) -> Self {
    Self(
      .noBundlePlace, .error,
      "'\(place)' can hold one model\(name.map { " called '\($0)'" } ?? ""), not \(names.count)",
      notes: [Note("models: \(names.joined(separator: ", "))")],
      help: [
        name == nil
          ? "name one of them, or a folder to write all into"
          : "name each by its path, with a folder of its own (`-o`)"
      ])
  }
}

extension [ProjectFile] {
  /// Writes Swift files that belong to an app, unless one of them is there with other content.
  func writeUntaken() throws {
    let taken = filter(\.wouldOverwrite)
    // Under another name its plan and its types would be there twice.
    let help =
      taken.contains(where: \.path.isFrozenFile)
      ? "it was edited: keep what its stages do, remove it, run this again, and write that into the new plan"
      : "name another place, or remove what is there"
    try taken.refuse(each: "has other content", help: help)
    for file in self { try file.write() }
  }
}

/// What mapping models do in each step, which the app's own closures have to do then.
private func work(in mappingModels: [CustomMappingModel]) -> [[String]: [String]] {
  Dictionary(
    mappingModels.map { mapping in
      let (from, to) = (mapping.sourceVersionName, mapping.destinationVersionName)
      let name = "The mapping model from \(from) to \(to)"
      let text = AdoptedMapping(file: name, mappingModels: [mapping], diagnostics: []).text
      return (mapping.versionNames, [text])
    }
  ) { $0 + $1 }
}
