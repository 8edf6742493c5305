import Foundation
import ManagedModel
import ModelFormats
import ModelMapping

/// The whole program on one page: read → check → compile, and for a store: recognise → map → plan → carry out.
///
/// - read: ``readModels(_:of:)`` — YAML folders, Xcode's packages and bundles, also of a git revision, to `VersionedModel`
/// - check: ``checkVersions(_:)`` — every rule of a valid model, with places
/// - compile: `writeModelBundle` (ModelFormats)
/// - recognise, map, plan: `planMigration` (ModelMigration)
/// - carry out: `migrateStore` (ModelMigration)

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
    !comparisons.contains(finding.code.description) || !unread.contains(finding.place?.file ?? "")
  }
}

/// Codes of versions side by side.
private let comparisons: Set = ["MC2103", "MC2104", "MC2105"]

/// Seconds on a clock that no change of the time of day touches.
func seconds(since start: ContinuousClock.Instant) -> Double {
  let elapsed = (ContinuousClock.now - start).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
}
