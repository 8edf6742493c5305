public import Foundation
public import ManagedModel
import ModelFormats
public import ModelMigration

/// Checks everything that must hold before a release, as `modelc check` does: the versions compile, released ones are
/// unchanged, a path leads from each to the current one, kept stores migrate.
///
/// Every check runs; all findings are reported together.
///
/// - Parameters:
///   - url: the model in any of its forms; its `released.lock` and its kept stores lie beside or in it.
///   - custom: mapping models and policies, where inference is not all; of a project's `Migrations` folder
///     `readMappingModels(at:)` reads the files.
///   - level: how much is looked at.
///   - stores: the paths of further stores to migrate copies of.
/// - Returns: what was looked at and found; ``CheckReport/fails(on:)`` is the answer.
/// - Throws: ``DiagnosticsError`` where the model cannot be read at all.
public func checkRelease(
  ofModelAt url: URL, custom: CustomMigrations = CustomMigrations(), level: CheckLevel = .store,
  stores: [String] = []
) throws(DiagnosticsError) -> CheckReport {
  let (model, diagnostics) = readModelSource(at: url)
  guard let model else { throw DiagnosticsError(diagnostics) }
  let subject = CheckedModel(
    path: url.path, model: model, diagnostics: (diagnostics + checkVersions(model)).ordered,
    mappings: MappingChecks(custom: custom))
  var options = CheckOptions(today: Date.now.formatted(.iso8601.year().month().day().dateSeparator(.dash)))
  options.level = level
  options.stores = stores
  return runChecks([subject], options: options)
}
