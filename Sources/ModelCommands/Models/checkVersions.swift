import Foundation
import ManagedModel
import ModelFormats

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
  let (model, diagnostics) = readModelSource(argument)
  return (model.map { [$0] } ?? [], diagnostics)
}

/// Findings about every version, and about the versions compared with each other, at their places.
///
/// - Parameters:
///   - reading: findings of the reader. Versions with errors are not compared with others.
///   - minimum: the least severity that is wanted. Remarks are many and are not made unasked.
func checkVersions(
  _ model: VersionedModel, reading: [Diagnostic], minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  let unread = Set(reading.filter { $0.severity == .error }.compactMap { $0.place?.file })
  return checkVersions(model, minimum: minimum).filter { finding in
    !comparisons.contains(finding.code) || !unread.contains(finding.place?.file ?? "")
  }
}

/// Codes of findings about several versions.
private let comparisons: Set<Diagnostic.Code> = [.hashEqualVersions, .hashModifierAlone, .sameVersionTwice]
