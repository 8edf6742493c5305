import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Random custom mappings, by both ways: what the source had is in the target or counted.
///
/// `MODELC_SEEDS=5000` runs more, `MODELC_FIRST_SEED=1000` others.
@Suite("The account of custom mappings") struct MappingAccountTests {
  /// What cannot be migrated is refused by the plan: a run that ends on its way fails the test.
  @Test func `everything is carried or counted`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELC_SEEDS"].flatMap { UInt64($0) } ?? 12
    let first = environment["MODELC_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
    var (migrated, refused) = (0, [String: Int]())
    var tally: [String: Int] = [:]
    try withTemporaryFolder { folder in
      for seed in first..<(first + max(1, count)) {
        let trial = try RandomMapping(seed: seed)
        let source = trial.model.versions[0]
        let store = try TestStore("\(seed).sqlite", in: folder, of: source, objects: trial.objects)
        var planted = PlantedThings(seed: seed, model: source.model, frameworkVersion: 1344)
        _ = try planted.plant(in: store)
        let before = try store.read { try PlainStore($0, source.model) }
        var custom = CustomMigrations(mappingModels: [trial.model.name: [trial.mapping]])
        custom.usesObjectCopy = seed % 3 == 0
        custom.sortsLookupsFrom = seed % 2 == 0 ? 0 : .max
        let allowed: Set<AcceptedLoss> = [
          .droppedData, .narrowedNumbers, .failedConversions, .mergedObjects,
        ]
        do {
          let report = try migrateStore(
            at: store.url.path, models: [trial.model],
            options: MigrationOptions(acceptedLosses: allowed, keepsBackup: false), custom: custom)
          migrated += 1
          let target = trial.model.last
          let after = try store.read { try PlainStore($0, target) }
          let account = MappingAccount(
            before, after, trial, losses: report.plan.losses,
            findings: report.plan.diagnostics + report.diagnostics)
          for (kind, count) in account.tally { tally[kind, default: 0] += count }
          #expect(account.problems.isEmpty, "seed \(seed): \(trial.mapping)")
        } catch let error as MigrationRefusedError {
          for finding in error.plan.diagnostics where finding.severity == .error {
            refused["\(finding.code)", default: 0] += 1
          }
        }
        try FileManager.default.removeItem(at: store.url)
      }
    }
    let counts = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("\(migrated) of \(count) migrated, refused \(refused); \(counts)")
    #expect(migrated * 2 > Int(count))
  }
}
