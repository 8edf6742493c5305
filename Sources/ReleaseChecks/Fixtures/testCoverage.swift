package import ManagedModel

/// How many tests go from a version to the current one, and how many to another version.
package struct PathCoverage: Hashable, Sendable {
  package var from: String
  package var toCurrent: Int
  package var others: Int
}

extension VersionedModel {
  /// Of every version from which the current one can be reached.
  package func testCoverage(_ covered: [MigrationTestRun.Coverage]) -> [PathCoverage] {
    versions.compactMap { version in
      guard version.name != currentVersionName, ReleaseChecks.path(from: version, in: self) != nil else {
        return nil
      }
      let own = covered.filter { $0.from == version.name }
      let current = own.count { $0.to == currentVersionName }
      return PathCoverage(from: version.name, toCurrent: current, others: own.count - current)
    }
  }
}
