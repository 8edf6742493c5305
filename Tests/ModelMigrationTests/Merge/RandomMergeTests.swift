import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@testable import ModelMigration

/// Two random stores of a random model: what SQL counts in them, before and after.
@Suite("Random merges") struct RandomMergeTests {
  @Test func `nothing is lost, nothing is doubled, and twice is once`() throws {
    var outcomes: [String: Int] = [:]
    try withTemporaryFolder { folder in
      for seed in EnginesAgreeTests.seeds {
        let model = RandomModel.draw(seed: seed).model
        if checkModel(model).hasErrors { continue }
        let version = ModelVersion(name: "V1", model: model)
        func store(_ name: String, _ objects: [ManagedObject]) throws -> TestStore {
          try TestStore("\(seed)-\(name).sqlite", in: folder, of: version, usesWAL: false, objects: objects)
        }
        let old = try store("old", RandomObjects.draw(model, seed: seed &+ 1))
        let new = try store("new", RandomObjects.draw(model, seed: seed &+ 2))
        let empty = try store("empty", [])
        defer { for store in [old, new, empty] { try? FileManager.default.removeItem(at: store.url) } }
        outcomes[try expectWhole(old, into: new, model, "seed \(seed)"), default: 0] += 1
        // Into a store that has nothing all of it goes, as it is.
        outcomes["empty: " + (try expectWhole(old, into: empty, model, "seed \(seed), empty")), default: 0] +=
          1
        let (before, after) = (
          colours(try old.objects(model), model), colours(try empty.objects(model), model)
        )
        if (try empty.objects(model)).isEmpty == false { #expect(before == after, "seed \(seed)") }
      }
    }
    print("random merges: \(outcomes)")
    #expect((outcomes["merged"] ?? 0) > 0)
    #expect(outcomes.keys.filter { $0.hasPrefix("empty: refused") }.isEmpty)
  }

  private func expectWhole(
    _ old: TestStore, into new: TestStore, _ model: ManagedObjectModel, _ label: String
  ) throws -> String {
    var options = MigrationOptions()
    options.keepsBackup = false
    func merge(_ old: TestStore, into new: TestStore) throws -> MergeReport {
      try MergeRules().merge(
        storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])], options: options)
    }
    let before = try counts(new, model)
    let bytes = try Data(contentsOf: new.url)
    let report: MergeReport
    do { report = try merge(old, into: new) } catch {
      let found =
        (error as? DiagnosticsError)?.diagnostics ?? (error as? MigrationRefusedError)?.plan.diagnostics
      #expect(try Data(contentsOf: new.url) == bytes, "\(label)")
      let codes = found?.filter { $0.severity == .error }.map(\.code.description) ?? ["\(error)"]
      return "refused \(Set(codes).sorted().joined(separator: " "))"
    }
    let (source, after) = (try counts(old, model), try counts(new, model))
    // Objects with equal values, by what they are: at least as many as either store had, at most as many as both.
    for key in Set(before.keys).union(source.keys).union(after.keys) {
      let (own, others, all) = (before[key] ?? 0, source[key] ?? 0, after[key] ?? 0)
      #expect(all >= own && all <= own + others, "\(label): \(key): \(own), \(others), \(all)")
    }
    #expect(after.values.reduce(0, +) == before.values.reduce(0, +) + report.added, "\(label)")
    #expect(
      report.entities.reduce(0) { $0 + $1.added + $1.matched } == source.values.reduce(0, +), "\(label)")
    let again: MergeReport
    do { again = try merge(old, into: new) } catch {
      Issue.record("\(label): a second time \(error)")
      return "refused again"
    }
    #expect(!again.hasChanges, "\(label): again \(again.entities) \(again.links)")
    return "merged"
  }

  /// How many objects have the same values, derived ones apart.
  private func counts(_ store: TestStore, _ model: ManagedObjectModel) throws -> [String: Int] {
    let hierarchy = EntityHierarchy(model)
    return try store.objects(model).reduce(into: [:]) { counts, object in
      counts[values(of: object, hierarchy), default: 0] += 1
    }
  }

  private func values(of object: ManagedObject, _ hierarchy: EntityHierarchy) -> String {
    let own = object.values.filter {
      hierarchy.attribute(named: $0.key, of: object.id.entityName)?.isDerived != true
    }
    return "\(object.id.entityName) \(own.map { "\($0.key)=\($0.value)" }.sorted())"
  }

  /// What an object looks like with all that can be reached from it in a few steps; keys do not count.
  private func colours(_ objects: [ManagedObject], _ model: ManagedObjectModel) -> [Int] {
    let hierarchy = EntityHierarchy(model)
    var colours: [ManagedObject.ID: Int] = [:]
    for object in objects { colours[object.id] = values(of: object, hierarchy).hashValue }
    for _ in 0..<4 {
      var next = colours
      for object in objects {
        var parts = ["\(colours[object.id] ?? 0)"]
        for (name, id) in object.toOne { parts.append("\(name) \(colours[id] ?? 0)") }
        for (name, ids) in object.toMany {
          let members = ids.map { colours[$0] ?? 0 }
          let isOrdered = hierarchy.relationship(named: name, of: object.id.entityName)?.isOrdered == true
          parts.append("\(name) \(isOrdered ? members : members.sorted())")
        }
        next[object.id] = (parts.prefix(1) + parts.dropFirst().sorted()).hashValue
      }
      colours = next
    }
    return colours.values.sorted()
  }
}
