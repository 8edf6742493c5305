public import Foundation
public import ManagedModel
import ModelArchives

/// Reads a model in any of its forms: a folder with a `versions.yaml`, an `.xcdatamodeld`, a `.momd`.
///
/// Its versions are read, not checked: ``compileModel(at:to:)`` and `Project.check(_:)` of ReleaseChecks do that, and
/// `StoreMigrator.plan(for:accepting:)` with the target version.
///
/// - Returns: the model, and warnings and remarks about its files.
/// - Throws: ``DiagnosticsError`` with everything that was found, where the model cannot be read whole.
public func readModel(
  at url: URL
) throws(DiagnosticsError) -> (model: VersionedModel, diagnostics: [Diagnostic]) {
  let (model, diagnostics) = ModelReader().read(at: url)
  guard let model, !diagnostics.hasErrors else { throw DiagnosticsError(diagnostics) }
  return (model, diagnostics)
}

/// Reads a model, checks every version, and writes the `.momd` that Core Data loads.
///
/// The same model gives the same bytes. The bundle is written beside its place and moved there whole; only a compiled
/// bundle is replaced.
///
/// - Parameters:
///   - source: the model in any of its forms, see ``readModel(at:)``.
///   - bundle: where the bundle shall be; its name ends in `.momd`.
/// - Returns: the warnings and remarks, at their places.
/// - Throws: ``DiagnosticsError`` where the model cannot be read, where a version breaks a rule, where a version's name
///   is not a file name (MC2107), or where the bundle cannot be written (MC2205, MC2206); then nothing is written.
@discardableResult
public func compileModel(at source: URL, to bundle: URL) throws -> [Diagnostic] {
  let (model, read) = try readModel(at: source)
  let diagnostics = (read + checkVersions(model)).ordered
  if diagnostics.hasErrors { throw DiagnosticsError(diagnostics) }
  try model.writeBundle(to: bundle)
  return diagnostics
}

/// Reads the mapping models of a mapping file, or one of Xcode's, for `CustomMigrations.mappingModels`.
///
/// - Parameters:
///   - file: a mapping file in YAML, an `.xcmappingmodel`, or a `.cdm` that Xcode compiled.
///   - models: of a `.cdm`, which knows its versions by their hashes: the models that may have these.
/// - Throws: ``DiagnosticsError`` with everything that was found, where the file cannot be read whole (MC0009 if there is
///   none), and of a `.cdm` where no model has its versions (MC4101).
public func readMappingModels(
  at file: URL, among models: [VersionedModel] = []
) throws -> [CustomMappingModel] {
  switch file.pathExtension {
  case "xcmappingmodel": return [try readXcodeMappingModel(at: file).mappingModel]
  case "cdm": return [try readCompiledMappingModel(at: file, among: models).mappingModel]
  default: break
  }
  let reading = readMappingFile(yaml: try readFile(file, shownAs: file.relativePath), file: file.relativePath)
  if reading.diagnostics.hasErrors { throw DiagnosticsError(reading.diagnostics) }
  return reading.mappingModels.flatMap(\.bothDirections)
}

/// What the rules of a valid model say about every version and about the versions side by side, each finding at
/// its place.
package func checkVersions(
  _ model: VersionedModel, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  checkModels(of: model.versions, minimum: minimum).reportedOnce(of: model.versions)
    + model.checkVersionDifferences()
}
