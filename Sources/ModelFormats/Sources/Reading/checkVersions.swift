package import ManagedModel

/// What the rules of a valid model say about every version and about the versions side by side, each finding at
/// its place.
package func checkVersions(
  _ model: VersionedModel, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  checkModels(of: model.versions, minimum: minimum).reportedOnce(of: model.versions)
    + model.checkVersionDifferences()
}
