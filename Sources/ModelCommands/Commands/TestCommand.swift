import ArgumentParser
import ManagedModel
import ReleaseChecks

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Migrate the stores of Tests/Migrations and compare the results.",
    discussion: """
      Each YAML file of Tests/Migrations/<Model> names a store or contains objects, the versions from and to, and what is \
      expected: counts, objects, queries. `modelc explain MC7025` shows one. Tests whose files, store and versions have \
      not changed since they passed are not run again.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: CheckOutput

  @Flag(help: "Write the results into the files, instead of comparing them.")
  var update = false

  @Flag(help: "Also run tests that have not changed since they passed.")
  var noCache = false

  @Argument(help: "A part of a test's name, or of 'V1 → V3'.")
  var filter: String?

  func run() throws {
    try output.plain.run {
      try output.requirePlaces()
      let start = ContinuousClock.now
      let models = try project.project.readCheckedModels()
      let errors = models.flatMap { $0.diagnostics + $0.mappings.diagnostics }
        .filter { $0.severity == .error }
      try (project.project.misplacedTests(models.map(\.model.name)) + errors).refuse()
      var options = CheckOptions()
      if !noCache { options.cache = resultCache() }
      let folder = project.project.migrationTestFolder()
      let runs = models.map { subject in
        subject.runMigrationTests(
          in: join(folder, subject.model.name), filter: filter, options: options, updates: update)
      }
      let steps = runs.flatMap(\.steps)
      if steps.isEmpty {
        throw DiagnosticsError(
          .nothingChecked,
          filter.map { "no test matches '\($0)'" } ?? "there is no migration test in '\(folder)'",
          help: filter == nil
            ? [
              "write '\(folder)/\(models.first?.model.name ?? "Model")/V1.yaml'; `modelc explain MC7025` shows one",
              "`modelc release --fixture 1000` keeps stores that `modelc check` migrates without a test",
            ] : ["`modelc test` runs all tests; a filter is a part of a test's name, or of 'V1 → V3'"])
      }
      try output.write(report(steps, models, seconds(since: start)))
      for file in runs.flatMap(\.updated) { output.plain.say("wrote \(file)") }
      if output.format == .text { zip(models, runs).forEach(printCoverage) }
      let cached = runs.map(\.cached).reduce(0, +)
      if cached > 0 { output.plain.say("\(counted(cached, "test")) unchanged since they passed") }
      if steps.flatMap(\.findings).hasErrors { throw ExitCode(1) }
    }
  }

  private func report(_ steps: [CheckStep], _ models: [CheckedModel], _ seconds: Double) -> CheckReport {
    let findings = steps.flatMap { step in step.findings.map { CheckFinding($0, of: step) } }
    var report = CheckReport(steps: steps, findings: findings, models: models.map(\.model.name))
    report.versions = models.map(\.model.versions.count).reduce(0, +)
    report.seconds = seconds
    return report
  }

  /// Which steps of the way to the current version some test takes.
  private func printCoverage(_ subject: CheckedModel, _ run: MigrationTestRun) {
    let paths = subject.model.testCoverage(run.covered)
    guard !paths.isEmpty else { return }
    let table = TextTable(
      .left, .right, header: ["from", "tests to \(subject.model.currentVersionName)", "other tests"],
      rows: paths.map { [$0.from, grouped($0.toCurrent), grouped($0.others)] })
    output.plain.print(table.lines(indent: 2).shownLines)
    let covered = paths.count { $0.toCurrent > 0 }
    output.plain.print("\(covered) of \(counted(paths.count, "path")) to the current version tested")
  }
}
