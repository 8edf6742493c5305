package import ManagedModel

/// How many tests go from a version to the current one, and how many to another version.
package struct PathCoverage: Hashable, Sendable {
  package var from: String
  package var toCurrent: Int
  package var others: Int
}

/// Of every version from which the current one can be reached.
package func testCoverage(
  of model: VersionedModel, _ covered: [MigrationTestRun.Coverage]
) -> [PathCoverage] {
  model.versions.compactMap { version in
    guard version.name != model.currentVersionName, path(from: version, in: model) != nil else { return nil }
    let own = covered.filter { $0.from == version.name }
    let current = own.count { $0.to == model.currentVersionName }
    return PathCoverage(from: version.name, toCurrent: current, others: own.count - current)
  }
}
