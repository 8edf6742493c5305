import Foundation
package import ManagedModel
import ModelFormats

extension CheckedModel {
  /// The migration tests of a model: the YAML files of its folder, by name.
  ///
  /// - Parameter filter: a part of the file's name, or of `from → to`.
  package func runMigrationTests(
    in folder: String, filter: String?, options: CheckOptions, updates: Bool = false
  ) -> MigrationTestRun {
    let names = directoryEntries(of: folder).map(\.name).filter { $0.hasSuffix(".yaml") }
    let files = names.map { "\(folder)/\($0)" }
    let runs = concurrentMap(files) { file in runTest(file, self, filter: filter, options, updates: updates) }
    return runs.compactMap(\.self).reduce(into: MigrationTestRun()) { all, run in
      all.steps += run.steps
      all.covered += run.covered
      all.updated += run.updated
      all.cached += run.cached
    }
  }
}

/// The result of a run of tests.
package struct MigrationTestRun: Sendable {
  /// A step for each test.
  package var steps: [CheckStep] = []
  /// Versions from which, and to which, a test leads.
  package var covered: [Coverage] = []
  /// Files that were written anew.
  package var updated: [String] = []
  package var cached = 0

  package typealias Coverage = (from: String, to: String)
}

/// One test alone; nil if the filter leaves it out.
private func runTest(
  _ file: String, _ subject: CheckedModel, filter: String?, _ options: CheckOptions, updates: Bool
) -> MigrationTestRun? {
  let model = subject.model
  var step = subject.step(.test, file, [])
  let start = ContinuousClock.now
  do {
    let test = try readMigrationTest(at: file)
    let to = test.to ?? model.currentVersionName
    step.name = "\((file as NSString).lastPathComponent): \(test.from) → \(to)"
    if let filter, !step.name.contains(filter), !file.contains(filter) { return nil }
    guard let from = model.version(named: test.from) else {
      throw DiagnosticsError(.noVersion(test.from, of: model, place: test.fromPlace))
    }
    guard let target = model.version(named: to) else {
      throw DiagnosticsError(.noVersion(to, of: model, place: test.toPlace))
    }
    let store = test.store.map { storePath($0, from: file) }
    let key = options.cache?.key("test", subject, files: [file] + [store].compactMap(\.self))
    let covered = [(from: from.name, to: target.name)]
    if !updates, let key, options.cache?.holds(key) == true {
      return MigrationTestRun(steps: [step], covered: covered, cached: 1)
    }
    let session = TestSession(test: test, from: from, to: target, subject: subject)
    let (findings, updated) = try session.run(store: store, updates: updates)
    step.findings = findings
    if findings.isEmpty, updated == nil, let key { options.cache?.keep(key) }
    step.seconds = start.duration(to: .now) / .seconds(1)
    return MigrationTestRun(steps: [step], covered: covered, updated: updated.map { [$0] } ?? [])
  } catch {
    if let filter, !file.contains(filter) { return nil }
    step.findings =
      (error as? DiagnosticsError)?.diagnostics ?? [
        .unmet("the test could not be run: \(error)", file.linePlace(1))
      ]
    return MigrationTestRun(steps: [step])
  }
}

extension VersionedModel {
  /// Of every version from which the current one can be reached: how many tests go from it to the current one, and how
  /// many to another version.
  package func testCoverage(
    _ covered: [MigrationTestRun.Coverage]
  ) -> [(from: String, toCurrent: Int, others: Int)] {
    versions.compactMap { version in
      guard version.name != currentVersionName, pathToCurrent(from: version) != nil else { return nil }
      let own = covered.filter { $0.from == version.name }
      let current = own.count { $0.to == currentVersionName }
      return (version.name, current, own.count - current)
    }
  }
}

/// A path in a test begins at its file's folder.
private func storePath(_ path: String, from file: String) -> String {
  if path.hasPrefix("/") { return path }
  let folder = file.parentPath
  return URL(filePath: folder.isEmpty ? path : "\(folder)/\(path)").standardizedFileURL.path
}
