import ManagedModel
import TestSupport
import Testing

/// Models by chance, edited by chance: what the differences say agrees with hashes and fingerprints.
@Suite("Differences of random models") struct RandomChangesTests {
  private func forEachPair(_ body: (ManagedObjectModel, ManagedObjectModel, String) -> Void) {
    for seed in 1...50 as ClosedRange<UInt64> {
      var drawing = RandomModel.draw(seed: seed)
      let old = drawing.model
      drawing.beginVersion()
      for _ in 0..<Int(seed % 5) { drawing.editAtRandom() }
      body(old, drawing.model, "seed \(seed): \(drawing.log)")
    }
  }

  @Test func `none are found exactly where the fingerprints are equal`() {
    forEachPair { old, new, log in
      #expect(compareModels(from: old, to: new).isEmpty == (old.fingerprint == new.fingerprint), "\(log)")
    }
  }

  @Test func `what is added on the way there is removed on the way back`() {
    forEachPair { old, new, log in
      let (there, back) = (compareModels(from: old, to: new), compareModels(from: new, to: old))
      func names(_ changes: [ModelChange], _ kind: ModelChange.Kind) -> [String] {
        changes.filter { $0.kind == kind && $0.property == nil && $0.fact == nil }.compactMap(\.entity)
          .sorted()
      }
      let isTurned =
        names(there, .added) == names(back, .removed) && names(there, .removed) == names(back, .added)
      #expect(isTurned && there.count == back.count, "\(log)\n\(there.map(\.line))\n\(back.map(\.line))")
    }
  }

  /// An entity's hash differs exactly where a change claims to move it; a rename changes the name and so the hash.
  @Test func `the hashes that move are the ones that differ`() {
    forEachPair { old, new, log in
      let changes = compareModels(from: old, to: new)
      let former = Dictionary(
        uniqueKeysWithValues: changes.filter { $0.kind == .renamed && $0.property == nil }.compactMap {
          change in
          change.old.flatMap { old in change.entity.map { ($0, old) } }
        })
      let (before, after) = (old.entityVersionHashesByName, new.entityVersionHashesByName)
      let gone = changes.filter { $0.kind == .removed && $0.property == nil && $0.fact == nil }.compactMap(
        \.entity)
      let differing = Set(after.keys.filter { after[$0] != before[former[$0] ?? $0] }).union(gone)
      #expect(Set(changes.flatMap(\.entitiesWithMovedHash)) == differing, "\(log)\n\(changes.map(\.line))")
    }
  }

  @Test func `a version with recorded hashes is compared by those of its model`() {
    let (old, new) = (modelOf("A\n  x: string"), modelOf("A\n  x: date"))
    let recorded = ModelVersion(name: "V1", model: old, recordedHashes: new.entityVersionHashesByName)
    let changes = compareModels(from: recorded, to: ModelVersion(name: "V2", model: new))
    #expect(changes.map(\.entitiesWithMovedHash) == [["A"]])
  }
}
