import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

/// Which project, and which of its models, a command is about.
struct ProjectOptions: ParsableArguments {
  @Option(
    name: [.customShort("C")],
    help: ArgumentHelp(
      "The project's folder, with its Models and Migrations; other paths stay relative to where you are.",
      valueName: "dir"))
  var folder: String = "."

  @Option(
    help: ArgumentHelp("The folder that holds the models, instead of the project's Models.", valueName: "dir")
  )
  var models: String?

  @Option(help: ArgumentHelp("The model, where there are several.", valueName: "name"))
  var model: String?

  var project: Project { Project(folder: folder, modelsFolder: models, modelName: model) }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (folder == "." ? "" : " -C \(shellWord(folder))") + (models.map { " --models \(shellWord($0))" } ?? "")
      + (model.map { " --model \(shellWord($0))" } ?? "")
  }
}

/// A folder with models: what `-C`, `--models` and `--model` say, resolved.
struct Project {
  /// As the user wrote it; messages name files below it so.
  let folder: String
  let modelsFolder: String
  let modelName: String?

  init(folder: String, modelsFolder: String? = nil, modelName: String? = nil) {
    self.folder = folder
    self.modelsFolder = modelsFolder ?? join(folder, "Models")
    self.modelName = modelName
  }

  /// Where `compile` writes unless told otherwise.
  var buildFolder: String { join(folder, "Build") }
  var migrationsFolder: String { join(folder, "Migrations") }

  /// The folders of the models, by name; with `--model` only that one.
  func modelFolders() throws(DiagnosticsError) -> [String] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: modelsFolder)) ?? []).sorted()
    let found = names.filter { name in
      FileManager.default.fileExists(atPath: join(join(modelsFolder, name), "versions.yaml"))
    }
    guard let modelName else {
      if found.isEmpty { throw DiagnosticsError(noModels(in: self)) }
      return found.map { join(modelsFolder, $0) }
    }
    guard found.contains(modelName) else {
      throw DiagnosticsError(.noSuchModel(modelName, in: modelsFolder, known: found))
    }
    return [join(modelsFolder, modelName)]
  }

  /// Every model that can be read, with what was found on the way.
  func readModels() throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
    var models: [VersionedModel] = []
    var diagnostics: [Diagnostic] = []
    for folder in try modelFolders() {
      let reading = readVersionedModel(folder: URL(filePath: folder, relativeTo: nil))
      diagnostics += reading.diagnostics
      if let model = reading.model { models.append(model) }
    }
    return (models, diagnostics.ordered)
  }
}

extension Project {
  /// The same for commands on stores: a model that cannot be read in full would lead them astray, so it is refused.
  func readSoundModels() throws(DiagnosticsError) -> [VersionedModel] {
    let (models, diagnostics) = try readModels()
    if diagnostics.hasErrors { throw DiagnosticsError(diagnostics.filter { $0.severity == .error }) }
    return models
  }
}

/// Refuses a path of the command line at which there is nothing.
func requireFile(at path: String) throws(DiagnosticsError) {
  if !FileManager.default.fileExists(atPath: path) { throw DiagnosticsError(.noFile(path)) }
}

/// Joins two paths without touching what the user wrote.
func join(_ folder: String, _ name: String) -> String {
  if folder == "." || folder.isEmpty { return name }
  return folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

extension Diagnostic {
  fileprivate static func noFile(_ path: String) -> Self {
    Self(.fileUnreadable, .error, "there is no file or folder '\(path)'")
  }

  fileprivate static func noSuchModel(_ name: String, in folder: String, known: [String]) -> Self {
    let nearest = nearestName(to: name, among: known)
    return Self(
      .fileUnreadable, .error, "no model '\(name)' in '\(folder)'",
      notes: known.isEmpty ? [] : ["models there: \(known.joined(separator: ", "))"],
      help: nearest.map { ["did you mean '\($0)'?"] }
        ?? (known.isEmpty ? ["`modelc init --model \(shellWord(name))` makes it"] : []))
  }
}
