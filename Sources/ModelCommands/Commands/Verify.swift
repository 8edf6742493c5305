import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks
import StoreRepair

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check a store against its model, and for consistency.",
    discussion: """
      Looks at the file, the schema, entity numbers, references, orders, uniqueness, required values, validation \
      rules and external files; never writes. Exits with 1 if it finds an error; warnings do not count.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var fleet: FleetOptions
  @OptionGroup var fetch: FetchOptions

  @Option(
    help: .text(
      "The store from before the migration: every object and every value that both have is compared.", "old"))
  var before: String?

  @Flag(help: "Run SQLite's full integrity check, which compares every index with its table.")
  var full = false

  @Flag(help: "Show values of the first rows of a finding, not only their primary keys.")
  var showValues = false

  @Argument(help: "The stores.")
  var stores: [String] = []

  func validate() throws {
    if try fleet.areSeveralRead(stores), before != nil { throw ValidationError("--before takes one store") }
    let files = (stores + [before].compactMap(\.self)).map { URL(filePath: $0).resolvingSymlinksInPath() }
    try refuse(before != nil && Set(files).count == 1, "--before takes another store, such as the backup")
  }

  func run() throws {
    if stores.count != 1 || fleet.isGiven || fetch.fetch != nil { return try runFleet() }
    let store = stores[0]
    try output.run(json: ["store": .string(store)]) {
      let start = ContinuousClock.now
      let models = try project.modelsForStores { output.report($0) }
      let (verification, comparison) = try verify(store, models)
      report(store, verification, comparison, seconds: seconds(since: start))
      // What was found is the answer, whatever the family of its code.
      if verification.hasErrors || comparison?.diagnostics.hasErrors == true { throw ExitCode(1) }
    }
  }

  private func runFleet() throws {
    var known: [VersionedModel] = []
    try output.run { known = try project.modelsForStores { output.report($0) } }
    let (verify, models) = (self, known)
    try Fleet(
      options: fleet, stores: stores, output: output,
      transport: fetch.transport(), isDone: { $0.status == .verified }
    ).run { store in
      let start = ContinuousClock.now
      let (verification, comparison) = try verify.verify(store.file, models)
      let found = verification.findings.map(\.diagnostic) + (comparison?.diagnostics ?? [])
      let errors = found.filter { $0.severity == .error }
      var result = FleetResult(store.name, failedFor: errors, code: 1)
      if errors.isEmpty {
        (result.status, result.code, result.message) = (.verified, 0, verification.subjectText)
      }
      result.record = Verification.result.json(
        of: (store.name, verification, seconds(since: start), comparison))
      return result
    }
  }

  private func verify(
    _ store: String, _ models: [VersionedModel]
  ) throws -> (Verification, StoreComparison?) {
    let connection = try openStore(store, among: models)
    var verification = try connection.read { db in
      try verifyStore(
        db, name: store, path: connection.file.path, among: models,
        options: VerificationOptions(integrityCheck: full ? .full : .quick, showsValues: showValues))
    }
    if verification.yardstick == nil, !verification.isDamaged {
      throw DiagnosticsError(verification.findings.map(\.diagnostic))
    }
    for (index, finding) in verification.findings.enumerated() {
      let isSaid = finding.diagnostic.help.contains { $0.contains("`modelc repair ") }
      guard let repair = finding.repairText, !isSaid else { continue }
      verification.findings[index].diagnostic.help.append("`modelc repair \(store.shellWord)` \(repair)")
    }
    var comparison: StoreComparison?
    if let old = before, !verification.isDamaged {
      let other = try openStore(old, among: models)
      comparison = try other.read(with: connection) { before, after in
        try compareStores(
          before: before, at: old, after: after, at: store, models: models,
          custom: models.isEmpty ? CustomMigrations() : project.project.customMigrations(for: models))
      }
      try other.close()
    }
    try connection.close()
    return (verification, comparison)
  }

  private func report(
    _ store: String, _ verification: Verification, _ comparison: StoreComparison?, seconds: Double
  ) {
    if output.writesJSON {
      return output.print(Verification.result.json(of: (store, verification, seconds, comparison)))
    }
    let found = verification.findings.map(\.diagnostic) + (comparison?.diagnostics ?? [])
    var text = verification.text(store: store)
    if let comparison, let before { text += "\n" + comparison.text(old: before) }
    let outcome = summary(of: found)
    output.print(
      text + "\n\(outcome.prefix(1).uppercased())\(outcome.dropFirst()) in \(seconds.humanDuration)")
    output.report(found)
  }
}
