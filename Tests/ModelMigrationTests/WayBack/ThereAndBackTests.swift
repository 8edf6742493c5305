import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ModelMigration

/// Back and forward again every object is what it was, and forward and back all but what the plans list.
@Suite("There and back") struct ThereAndBackTests {
  /// Every third step; with `MODELC_SEEDS` all, and each whole chain.
  @Test(.needsFixtures) func `along every chain of the genuine models`() throws {
    var outcomes: [String: Int] = [:]
    var steps = 0
    try withTemporaryFolder { folder in
      for package in Fixtures.all(withExtension: "xcdatamodeld") {
        guard let model = readXcodeModelPackage(at: package).model, model.versions.count > 1 else { continue }
        let versions = model.versions
        for path in zip(versions, versions.dropFirst()).map({ [$0, $1] }) + [versions] {
          steps += 1
          guard Fixtures.areWhole || steps % 3 == 0 else { continue }
          let chain = VersionedModel(
            name: model.name, versions: path.map(inOrder), currentVersionName: path[path.count - 1].name)
          let ends = [path[0], path[path.count - 1]]
          guard ends[0].entityVersionHashesByName != ends[1].entityVersionHashesByName else { continue }
          try expectSame(chain, "\(model.name): \(ends.map(\.name))", in: folder, &outcomes) {
            generatedObjects(of: $0, count: 4)
          }
        }
      }
    }
    print("genuine chains: \(outcomes)")
    #expect((outcomes["there and back"] ?? 0) > (Fixtures.areWhole ? 25 : 7))
    #expect((outcomes["back and there"] ?? 0) > (Fixtures.areWhole ? 25 : 7))
  }

  @Test(arguments: [false, true])
  func `along random chains`(ofHierarchies: Bool) throws {
    var outcomes: [String: Int] = [:]
    try withTemporaryFolder { folder in
      for seed in EnginesAgreeTests.seeds {
        let trial = MigrationTrial(seed: seed, ofHierarchies: ofHierarchies)
        if trial.models.contains(where: { checkModel($0).hasErrors }) || trial.returnsToOldHashes { continue }
        try expectSame(versionedModel(trial.models), "seed \(seed): \(trial.log)", in: folder, &outcomes) {
          model in
          model == trial.models[0] ? trial.objects : RandomObjects.draw(model, seed: seed)
        }
      }
    }
    print("random chains: \(outcomes)")
    #expect((outcomes["there and back"] ?? 0) > 0)
  }

  /// Xcode's versions have no order; here they stand in that of their names.
  private func inOrder(_ version: ModelVersion) -> ModelVersion {
    var version = version
    version.origin = .language
    version.predecessorNames = []
    return version
  }

  private func expectSame(
    _ chain: VersionedModel, _ label: String, in folder: URL, _ outcomes: inout [String: Int],
    objects: (ManagedObjectModel) -> [ManagedObject]
  ) throws {
    let (first, last) = (chain.versions[0], chain.versions[chain.versions.count - 1])
    for (way, start, turn) in [("there and back", first, last), ("back and there", last, first)] {
      let name = UUID().uuidString
      let store = try TestStore(
        "\(name).sqlite", in: folder, of: start, usesWAL: false, objects: objects(start.model))
      let original = try store.copy(named: "\(name)-original.sqlite")
      let kept = folder.appending(path: "\(name)-kept.sqlite")
      defer { for url in [store.url, original.url, kept] { try? FileManager.default.removeItem(at: url) } }
      do {
        var options = MigrationOptions(
          targetVersion: turn.name, acceptedLosses: [.droppedData, .narrowedNumbers])
        options.keepsBackup = false
        options.allowsDowngrade = true
        if way == "back and there" { options.keptLosses = kept.path }
        let report = try migrateStore(at: store.url.path, models: [chain], options: options)
        options.targetVersion = start.name
        options.keptLosses = nil
        if way == "back and there" { options.restoredLosses = kept.path }
        _ = try migrateStore(at: store.url.path, models: [chain], options: options)
        let lost = way == "back and there" ? [] : report.plan.losses
        let problems = try differences(original, store, start, lost)
        if !problems.isEmpty {
          Issue.record("\(label), \(way): \(problems.prefix(5)); listed: \(report.plan.losses)")
        }
        outcomes[way, default: 0] += 1
      } catch let error as MigrationRefusedError {
        let code = error.plan.diagnostics.first { $0.severity == .error }?.code.description ?? "?"
        outcomes["refused \(code)", default: 0] += 1
      }
    }
  }

  /// What differs between two stores of a version, apart from what is listed as lost.
  private func differences(
    _ before: TestStore, _ after: TestStore, _ version: ModelVersion, _ lost: [MigrationPlan.Loss]
  ) throws -> [String] {
    let hierarchy = EntityHierarchy(version.model)
    func isLost(_ entity: String, _ property: String?) -> Bool {
      lost.contains {
        hierarchy.isKind(entity, of: $0.entity) && ($0.property == nil || $0.property == property)
      }
    }
    /// A reference is lost on both sides, and what is derived follows.
    func isExcused(_ entity: String, _ property: String) -> Bool {
      if isLost(entity, property) || hierarchy.attribute(named: property, of: entity)?.isDerived == true {
        return true
      }
      guard let relationship = hierarchy.relationship(named: property, of: entity) else { return false }
      let destination = relationship.destinationEntityName
      let inverse = hierarchy.inverse(of: relationship)?.name
      return lost.contains { loss in
        (loss.property == nil || loss.property == inverse)
          && (hierarchy.isKind(destination, of: loss.entity)
            || hierarchy.isKind(loss.entity, of: destination))
      }
    }
    let old = normalized(try before.objects(version.model), version.model).filter {
      !isLost($0.id.entityName, nil)
    }
    let new = Dictionary(
      normalized(try after.objects(version.model), version.model).map { ($0.id, $0) }
    ) { first, _ in first }
    return old.flatMap { object -> [String] in
      let entity = object.id.entityName
      guard let other = new[object.id] else { return ["\(entity) \(object.id.primaryKey) is gone"] }
      let names = Set(object.values.keys).union(object.toOne.keys).union(object.toMany.keys)
      return names.filter { name in
        !isExcused(entity, name)
          && (object.values[name] != other.values[name] || object.toOne[name] != other.toOne[name]
            || object.toMany[name] != other.toMany[name])
      }.map { "\(object.id).\($0): \(shown(object, $0)), then \(shown(other, $0))" }
    }
  }

  private func shown(_ object: ManagedObject, _ name: String) -> String {
    let keys = object.ends(of: name).map(\.primaryKey)
    return object.values[name].map { "\($0)" } ?? "\(keys)"
  }
}
