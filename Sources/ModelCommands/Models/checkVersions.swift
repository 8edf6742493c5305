import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// Reads models by name or path; without any, all models of the project.
func readModels(
  _ arguments: [String], of project: Project
) throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
  if arguments.isEmpty { return try project.readModels() }
  var models: [VersionedModel] = []
  var diagnostics: [Diagnostic] = []
  for argument in arguments {
    let reading = try readModel(argument, of: project)
    diagnostics += reading.diagnostics
    models += reading.models
  }
  return (models, diagnostics.ordered)
}

private func readModel(
  _ argument: String, of project: Project
) throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
  if ModelSourceKind(argument) == .versionFile, FileManager.default.fileExists(atPath: argument) {
    throw DiagnosticsError(.noModelButVersion(argument))
  }
  guard argument.isModelPath || argument.isModelFolder || argument.isSwiftSource else {
    return try project.of(modelNamed: argument).readModels()
  }
  let (model, diagnostics) = project.reader.read(argument)
  return (model.map { [$0] } ?? [], diagnostics)
}
