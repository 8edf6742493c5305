package import ManagedModel

/// The exit code that says how a command ended: of several findings the gravest class, see
/// ``Diagnostic/Code/ExitClass``.
///
/// - Returns: 0 done, 1 findings, 2 usage or a missing file, 3 store refused, 4 migration failed, 5 interrupted,
///   6 environment.
package func exitStatus(for diagnostics: [Diagnostic]) -> Int32 {
  diagnostics.filter { $0.severity == .error }.map(exitStatus).max() ?? 0
}

/// What every exit code means.
package let exitCodes: [(code: Int, meaning: String)] = [
  (0, "done"), (1, "findings"), (2, "usage or configuration"), (3, "store refused"), (4, "migration failed"),
  (5, "interrupted"), (6, "environment (busy, disk full, permission)"), (70, "a bug"),
]

private func exitStatus(_ diagnostic: Diagnostic) -> Int32 {
  let beginning = SourceLocation(line: 1, column: 1)
  return switch diagnostic.code.exit {
  case .findings: 1
  // With a place that is more than a file's beginning it is about what the file says.
  case .missingFile: diagnostic.place.map { $0.start != beginning || $0.end != beginning } == true ? 1 : 2
  case .unknownName: diagnostic.place == nil ? 2 : 1
  case .usage: 2
  case .store: 3
  case .migration: 4
  case .interrupted: 5
  case .environment: 6
  }
}
