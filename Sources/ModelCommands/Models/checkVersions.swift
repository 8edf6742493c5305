import Foundation
import ManagedModel
import ModelMapping
import ModelSources

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
  guard isModelPath(argument) || isModelFolder(argument) else {
    return try project.of(modelNamed: argument).readModels()
  }
  let (model, diagnostics) = readModelSource(argument)
  return (model.map { [$0] } ?? [], diagnostics)
}

/// What the rules of a valid model say about every version and about the versions side by side, each finding at
/// its place.
///
/// - Parameters:
///   - reading: what was found while the model was read: versions with errors are not held against others.
///   - minimum: remarks are many; where nobody asks for them they are not made.
func checkVersions(
  _ model: VersionedModel, reading: [Diagnostic], minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  let unread = Set(reading.filter { $0.severity == .error }.compactMap { $0.place?.file })
  return checkVersions(model, minimum: minimum).filter { finding in
    !comparisons.contains(finding.code) || !unread.contains(finding.place?.file ?? "")
  }
}

/// Codes of versions side by side.
private let comparisons: Set<Diagnostic.Code> = [.hashEqualVersions, .hashModifierAlone, .sameVersionTwice]
