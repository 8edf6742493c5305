package import ManagedModel

/// The exit code that says how a command ended.
///
/// Where findings of several kinds stand together, the one nearest to the world wins: the environment, then the
/// run, then the store, then what was asked for, then what was found.
///
/// - Parameter severity: the least severity that makes the answer no.
/// - Returns: 0 done, 1 findings, 2 usage or a missing file, 3 store refused, 4 migration failed, 5 interrupted,
///   6 environment.
package func exitStatus(for diagnostics: [Diagnostic], failingOn severity: Diagnostic.Severity = .error)
  -> Int32
{
  let codes = diagnostics.filter { $0.severity >= severity }.map(exitStatus)
  return [6, 5, 4, 3, 2, 1].first { codes.contains($0) } ?? 0
}

private func exitStatus(_ diagnostic: Diagnostic) -> Int32 {
  let code = diagnostic.code.description
  if code.hasPrefix("MC53") { return 6 }
  if code.hasPrefix("MC5") { return 3 }
  if code == "MC6004" { return 5 }
  // What a policy did, or a mapping's rule refuses, comes up in the run.
  if code.hasPrefix("MC6") || code.hasPrefix("MC43") || code == "MC4110" { return 4 }
  if code == "MC0014" { return 2 }
  // A file that was named on the command line or belongs to the project is missing; one that a line of a model
  // names is a finding in that model.
  if code == "MC0009" || code == "MC0207", !diagnostic.isInsideFile { return 2 }
  return 1
}

extension Diagnostic {
  /// Whether it has a place that is more than a file's beginning.
  fileprivate var isInsideFile: Bool {
    guard let place else { return false }
    return place.start != SourceLocation(line: 1, column: 1) || place.start != place.end
  }
}
