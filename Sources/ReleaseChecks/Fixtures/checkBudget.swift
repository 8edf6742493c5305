import Foundation
import ManagedModel
import StoreFixtures

extension CheckedModel {
  /// Migrates a generated store of each released version to the current version and compares time and size with the budget
  /// (MC7005). One at a time, so that each has the machine to itself.
  ///
  /// - Parameter known: where nothing is released, versions that users may have; if there are none, they may have any.
  func checkBudget(_ released: [ModelVersion], orOf known: Set<String>, options: CheckOptions) -> [CheckStep]
  {
    guard options.budget != nil, let rows = options.budgetRows else { return [] }
    let open = model.versions.filter { known.isEmpty || known.contains($0.name) }
    return (released.isEmpty ? open : released).compactMap { version in
      guard let way = ReleaseChecks.path(from: version, in: model), way.versions.count > 1 else { return nil }
      var (findings, seconds): ([Diagnostic], Double) = ([], 0)
      do {
        let temporary = try TemporaryFolder("budget")
        defer { temporary.remove() }
        let (first, store) = (way.versions[0], temporary.url.appending(path: "made-up.sqlite").path)
        _ = try makeFixture(at: store, of: first, .rows(rows))
        let run = StoreRun(
          store: store, version: first, model: model, custom: mappings.custom, options: options)
        (findings, seconds) = run.measure(
          along: way.versions, in: temporary.url, named: "a store of \(first.name) with \(rows) objects")
      } catch {
        let unmeasured = Diagnostic(
          .overBudget, .error, "no store of '\(version.name)' could be created to measure: \(error)",
          help: ["check the space in the temporary folder"])
        findings = (error as? DiagnosticsError)?.diagnostics ?? [unmeasured]
      }
      // What stops rows that nobody has made is no error of a version that nobody has.
      if released.isEmpty { findings.removeAll { $0.code != .overBudget } }
      return step(.store, "\(way.name), \(rows) generated objects", findings, seconds: seconds)
    }
  }
}
