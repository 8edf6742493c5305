import Foundation
import ManagedModel
import ModelMigration
import StoreFixtures
import TestSupport
import Testing

@testable import ReleaseChecks

/// `check`, `plan` and `migrate` name the same losses: what versions retire as the first advises, the last accepts, and
/// nothing is asked for that no store can lose.
///
/// `MODELC_SEEDS=300` compares more random steps.
@Suite("What is lost has one name") struct LossesAgreeTests {
  private struct Step {
    let old: ModelVersion
    var new: ModelVersion
    let name: String

    var model: VersionedModel {
      VersionedModel(name: "Random", versions: [old, new], currentVersionName: new.name)
    }
  }

  private func steps(ofHierarchies: Bool) -> [Step] {
    EnginesAgreeTests.seeds.flatMap { seed -> [Step] in
      let trial = MigrationTrial(seed: seed, ofHierarchies: ofHierarchies)
      let models = trial.models.enumerated().map { index, model in
        ModelVersion(name: "V\(index + 1)", model: model)
      }
      return zip(models, models.dropFirst()).map {
        Step(old: $0, new: $1, name: "\(seed): \($0.name) → \($1.name)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `on random steps`(ofHierarchies: Bool) throws {
    var compared = 0
    try withTemporaryFolder { folder in
      for step in steps(ofHierarchies: ofHierarchies) where !checkModel(step.new.model).hasErrors {
        let check = VersionStep(from: step.old, to: step.new)
        let path = try planPath(from: step.old.name, models: [step.model])
        guard !path.isBlocked else { continue }
        let asked = Set(check.removals().map(\.name))
        let planned = Set(
          path.diagnostics.filter { $0.code == .droppedData }.compactMap(\.subject).map {
            [$0.entity, $0.property].compactMap(\.self).joined(separator: ".")
          })
        #expect(asked == planned, "\(step.name)")
        let store = folder.appending(path: "store.sqlite")
        func losses(_ model: VersionedModel) throws -> [MigrationPlan.Loss] {
          try planMigration(ofStoreAt: store.path, models: [model]).losses.filter { $0.code == .droppedData }
        }
        let hierarchy = EntityHierarchy(step.old.model)
        // One store may have no link between some two entities.
        var uncounted = asked
        for seed: UInt64 in 1...5 where seed == 1 || !uncounted.isEmpty {
          try? FileManager.default.removeItem(at: store)
          guard (try? makeFixture(at: store.path, of: step.old, .rows(80), seed: seed)) != nil else { break }
          let counted = try losses(step.model).map {
            [$0.entity, $0.property].compactMap(\.self).joined(separator: ".")
          }
          uncounted = uncounted.filter { name in
            !counted.contains { hierarchy.isListed(removal($0), in: [name]) }
          }
        }
        guard FileManager.default.fileExists(atPath: store.path) else { continue }
        for name in uncounted.sorted() {
          Issue.record("\(step.name): '\(name)' is asked for, and no store loses it")
        }
        var retiring = step
        retiring.new.retired = asked.sorted()
        let open = try losses(retiring.model).filter { !$0.isAcknowledged }
        #expect(open.isEmpty, "\(step.name): asked \(asked.sorted()), left \(open)")
        compared += asked.isEmpty ? 0 : 1
        try FileManager.default.removeItem(at: store)
      }
    }
    print("\(compared) steps with losses compared")
    #expect(compared > 4)
  }

  @Test func `links that those of a new inverse replace are none that a modelc.yaml retires`() throws {
    var versions = versionsOf(["A\n  bs => B\nB\n  a -> A", "A\n  bs => B.a\nB\n  a -> A.bs"])
    for index in versions.indices { versions[index].notation = .swiftData }
    let model = VersionedModel(name: "App", versions: versions, currentVersionName: "V2")
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "store.sqlite")
      _ = try makeFixture(at: store, of: versions[0], rows: 40, seed: 1)
      let plan = try planMigration(ofStoreAt: store.path, models: [model])
      let help = plan.diagnostics.filter { $0.code == .droppedData }.map { $0.help.first ?? "" }
      #expect(help == ["leave 'A.bs' as it was, and add a relationship under another name"])
    }
  }

  private func removal(_ name: String) -> Removal {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    return Removal(entity: parts[0], property: parts.count > 1 ? parts[1] : nil)
  }
}
