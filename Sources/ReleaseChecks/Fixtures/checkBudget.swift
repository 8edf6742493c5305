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
      var (findings, seconds) = measure(way.versions, rows: rows, self, options)
      // What stops rows that nobody has made is no error of a version that nobody has.
      if released.isEmpty { findings.removeAll { $0.code != .overBudget } }
      return step(.store, "\(way.name), \(rows) generated objects", findings, seconds: seconds)
    }
  }
}

private func measure(
  _ way: [ModelVersion], rows: Int, _ subject: CheckedModel, _ options: CheckOptions
) -> (findings: [Diagnostic], seconds: Double) {
  do {
    let temporary = try TemporaryFolder("budget")
    defer { temporary.remove() }
    let folder = temporary.url
    let store = folder.appending(path: "made-up.sqlite").path
    guard let version = way.first else { return ([], 0) }
    _ = try makeFixture(at: store, of: version, .rows(rows))
    let run = StoreRun(
      store: store, version: version, model: subject.model, custom: subject.mappings.custom, options: options)
    return run.measure(along: way, in: folder, named: "a store of \(version.name) with \(rows) objects")
  } catch {
    let unmeasured = Diagnostic(
      .overBudget, .error, "no store of '\(way.first?.name ?? "")' could be made to measure: \(error)",
      help: ["look at the space in the temporary folder"])
    return ((error as? DiagnosticsError)?.diagnostics ?? [unmeasured], 0)
  }
}
