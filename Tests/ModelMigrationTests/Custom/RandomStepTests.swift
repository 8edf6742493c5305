import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Random mappings between random versions, hierarchies too: statements and work object by object come to the same, and
/// what the plan lets through is migrated.
///
/// `MODELC_SEEDS=5000` runs more, `MODELC_FIRST_SEED=1000` others; `MODELC_CHAINS=FOLDER` also leaves each there as a
/// project with its mapping and its store.
@Suite("Random mappings of random steps") struct RandomStepTests {
  private static let seeds: ClosedRange<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELC_SEEDS"].flatMap { UInt64($0) } ?? 25
    let first = environment["MODELC_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
    return first...(first + max(1, count) - 1)
  }()

  private struct Outcome: Equatable {
    var objects: [ManagedObject] = []
    var messages: [String] = []
    var losses: [String] = []
    /// The plan's codes, where it refuses.
    var refusal: Set<String> = []
    /// A run that ends on its way: rules of what custom steps make are not tried by the plan, and nothing else ends it.
    var failure: [String] = []
    var account: [String] = []
  }

  private func outcome(
    _ store: TestStore, _ model: VersionedModel, _ custom: CustomMigrations
  ) throws -> (Outcome, statements: Int) {
    let before = sound(try store.objects(model.versions[0].model))
    let run = try MappedRun(
      store, model, custom,
      accepting: [.droppedData, .narrowedNumbers, .failedConversions, .mergedObjects])
    // References to missing objects that statements leave as they are.
    let losses = (run.report?.plan.losses ?? []).filter { $0.code.description != "MC3126" }.map {
      "\($0.code) \($0.entity) \($0.property ?? "") \($0.count)"
    }
    // A policy may read anything, so that nothing is lost for certain.
    let hasPolicies = custom.mappingModels[model.name]?.first?.entityMappings.contains {
      $0.policyName != nil
    }
    let account = (hasPolicies == true ? nil : run.report).flatMap { report in
      custom.mappingModels[model.name]?.first.map {
        StepAccount(before, sound(run.objects), model, $0, losses: report.plan.losses).problems
      }
    }
    let outcome = Outcome(
      objects: normalized(sound(run.objects), model.last), messages: texts(run.report?.diagnostics ?? []),
      losses: losses.sorted(),
      refusal: Set(run.refusal.filter { $0.severity == .error }.map(\.code.description)),
      failure: texts(run.failure), account: account ?? [])
    return (outcome, run.statements)
  }

  @Test(arguments: [false, true], [false, true])
  func `both ways give the same, or are refused by the plan`(ofHierarchies: Bool, withPolicies: Bool) throws {
    var (migrated, tried, statements, refusals) = (0, 0, 0, [String: Int]())
    try withTemporaryFolder { folder in
      for seed in Self.seeds {
        let trial = MigrationTrial(seed: seed, ofHierarchies: ofHierarchies, isNumbered: true)
        let models = Array(trial.models.prefix(2))
        if models.contains(where: { checkModel($0).hasErrors }) { continue }
        let model = versionedModel(models)
        var drawing = RandomStepMapping(seed: seed, from: model.versions[0], to: model.versions[1])
        var mapping = drawing.draw()
        if mapping.entityMappings.isEmpty { continue }
        // Every other mapping, first or second, does its default work object by object.
        for index in mapping.entityMappings.indices where withPolicies && (index + Int(seed / 2)) % 2 == 0 {
          if mapping.entityMappings[index].destinationEntityName == nil { continue }
          mapping.entityMappings[index].policyName = "DefaultWorkPolicy"
        }
        tried += 1
        let name = "\(ofHierarchies ? "hierarchy-" : "")\(withPolicies ? "policies-" : "")\(seed)"
        if let folder = EnginesAgreeTests.chains?.appending(component: name) {
          try trial.write(to: folder)
          let mappings = folder.appending(path: "Migrations/Chain")
          try FileManager.default.createDirectory(at: mappings, withIntermediateDirectories: true)
          try Data(writeMappingFile([mapping]).utf8).write(to: mappings.appending(component: "V1-V2.yaml"))
        }
        let store = try TestStore(
          "\(seed).sqlite", in: folder, of: model.versions[0], frameworkVersion: trial.frameworkVersion,
          objects: trial.objects)
        var planted = PlantedThings(seed: seed, model: models[0], frameworkVersion: trial.frameworkVersion)
        _ = try planted.plant(in: store)
        let copy = try store.copy(named: "\(seed)-objects.sqlite")
        defer { for store in [store, copy] { try? FileManager.default.removeItem(at: store.url) } }
        var migrations = CustomMigrations(
          mappingModels: [model.name: [mapping]], policies: PolicyRegistry([DefaultWorkPolicy.self]))
        migrations.sortsLookupsFrom = seed % 2 == 0 ? 0 : .max
        let (one, count) = try outcome(store, model, migrations)
        statements += count
        migrations.usesObjectCopy = true
        let other = try outcome(copy, model, migrations).0
        for code in one.refusal { refusals[code, default: 0] += 1 }
        if one.refusal.isEmpty, one.failure.isEmpty { migrated += 1 }
        let place: Comment =
          "\(name)\n\(trial.description)\n\(mapping.entityMappings)"
        if !one.account.isEmpty { Issue.record("\(one.account.prefix(9).joined(separator: "\n"))\n\(place)") }
        // Which object a to-one gets of several is known at the object, and what a policy leaves at the end.
        if !withPolicies,
          let text = one.failure.first(where: { !$0.hasPrefix("MC6") && !$0.hasPrefix("MC4305") })
        {
          Issue.record("\(text)\n\(place)")
        }
        // Of rows that stay the plan knows duplicates; work by objects leaves none.
        if one.refusal == ["MC3105"], other.failure.contains(where: { $0.hasPrefix("MC6201") }) { continue }
        if one != other { Issue.record("\(differences(one, other))\n\(place)") }
      }
    }
    let counts = refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("\(migrated) of \(tried) migrated; refused: \(counts)")
    #expect(migrated * 3 > tried)
    // Else both sides went object by object.
    #expect(statements > 0 || Self.seeds.count < 25)
  }

  private func differences(_ one: Outcome, _ other: Outcome) -> String {
    let sides = [
      (one.objects.map(text), other.objects.map(text)), (one.messages, other.messages),
      (one.losses, other.losses), (one.refusal.sorted(), other.refusal.sorted()),
      (one.failure, other.failure),
    ]
    return sides.flatMap { left, right in
      left.filter { !right.contains($0) }.map { "- \($0)" }
        + right.filter { !left.contains($0) }.map { "+ \($0)" }
    }.prefix(12).joined(separator: "\n")
  }

  private func text(_ object: ManagedObject) -> String {
    let values = object.values.map { "\($0.key): \($0.value.text)" }
    let links =
      object.toOne.map { "\($0.key) → \($0.value.text)" }
      + object.toMany.map { "\($0.key) → \($0.value.map(\.text))" }
    return "\(object.id.text) \((values.sorted() + links.sorted()).joined(separator: ", "))"
  }
}

private final class DefaultWorkPolicy: EntityMigrationPolicy {}
