import Foundation
import ManagedModel
import ModelFormats
import ModelMapping
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Every step of every genuine model: what can be inferred runs, on a store with random objects and on every route, to
/// the objects that the reference engine makes of them; what cannot says why. The table is printed.
@Suite("Every step of the genuine models", .needsFixtures) struct EveryStepTests {
  @Test func `runs to the same objects, or has a reason why not`() throws {
    var table: [String] = []
    var open = 0
    try withTemporaryFolder { folder in
      var migrated: [TestStore] = []
      for package in Fixtures.all(withExtension: "xcdatamodeld") {
        guard let model = readXcodeModelPackage(at: package).model, model.versions.count > 1 else { continue }
        for (from, to) in zip(model.versions, model.versions.dropFirst()) {
          let place = folder.appending(path: "\(table.count)")
          try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
          let outcome = try outcome(of: from, to, named: model.name, in: place, &migrated)
          if outcome.hasPrefix("inferred") { open += 1 }
          table.append("\(model.name): \(from.name) → \(to.name): \(outcome)")
        }
      }
      try askOracle(about: migrated.map(\.url))
    }
    print(table.joined(separator: "\n"))
    #expect(table.count > 40)
    #expect(open > 30)
    #expect(table.filter { $0.contains("differs") } == [])
  }

  private func outcome(
    of from: ModelVersion, _ to: ModelVersion, named name: String, in folder: URL,
    _ migrated: inout [TestStore]
  ) throws -> String {
    let (mapping, findings) = inferMappingModel(from: from, to: to)
    let refusals = findings.filter { $0.severity == .error }
    if let first = refusals.first { return "\(first.code): \(first.message)" }
    let flaws = (checkModel(of: from) + checkModel(of: to)).filter { $0.severity == .error }
    if let flaw = flaws.first { return "not run, \(flaw.code): \(flaw.message)" }
    if from.entityVersionHashesByName == to.entityVersionHashesByName { return "inferred, equal hashes" }
    let objects = distinct(RandomObjects.draw(from.model, seed: 7), in: from.model)
    let store = try TestStore(in: folder, of: from, objects: objects)
    let model = VersionedModel(name: name, versions: [from, to], currentVersionName: to.name)
    let before = try store.objects(from.model)
    let engine = ReferenceEngine(before, mapping, from: from.model, to: to.model)
    let expected = normalized(engine.run(), to.model)
    let routes: [(RouteRequest, MigrationRoute)] = [
      (.inPlace, .inPlace), (.clone, .stagedCopy), (.newFile, .newFile),
    ]
    for (route, taken) in routes {
      let copy = try store.copy(named: "\(route.rawValue).sqlite")
      do {
        let report = try copy.migrate(model, route: route)
        if report.plan.route != taken { return "differs: the route \(route) was not taken" }
      } catch let error as MigrationRefusedError {
        let reason = error.plan.diagnostics.first { $0.severity == .error }
        return "by rows, \(reason?.code.description ?? ""): \(reason?.message ?? "")"
      }
      if normalized(try copy.objects(to.model), to.model) != expected { return "differs \(route)" }
      migrated.append(copy)
    }
    return "inferred, \(expected.count) objects"
  }

  /// Of a table with a uniqueness constraint one object, so that random values cannot break it.
  private func distinct(_ objects: [ManagedObject], in model: ManagedObjectModel) -> [ManagedObject] {
    let hierarchy = EntityHierarchy(model)
    let constrained = Set(
      model.entities.filter { !$0.uniquenessConstraints.isEmpty }.map { hierarchy.rootName(of: $0.name) })
    var seen: Set<String> = []
    let kept = objects.filter { object in
      let root = hierarchy.rootName(of: object.id.entityName)
      return !constrained.contains(root) || seen.insert(root).inserted
    }
    let ids = Set(kept.map(\.id))
    return kept.map { object in
      var object = object
      object.toOne = object.toOne.filter { ids.contains($0.value) }
      object.toMany = object.toMany.mapValues { list in list.filter(ids.contains) }
      return object
    }
  }

  /// Genuine stores to the last version: every loss was named by the plan, nothing else is gone.
  @Test(arguments: [
    ("duckduckgo+BrowserServicesKit", "BookmarksModel", "Bookmarks_V"),
    ("duckduckgo+BrowserServicesKit", "SyncMetadata", "SyncMetadata_V"),
  ])
  func `nothing is gone that the plan did not name`(folder: String, name: String, prefix: String) throws {
    let packages = Fixtures.all(withExtension: "xcdatamodeld").filter {
      $0.path.contains(folder) && $0.deletingPathExtension().lastPathComponent.contains(name.prefix(4))
    }
    let models = packages.compactMap { readXcodeModelPackage(at: $0).model }
    let stores = Fixtures.all(withExtension: "sqlite").filter {
      $0.path.contains(folder) && $0.lastPathComponent.hasPrefix(prefix)
    }
    #expect(!stores.isEmpty && !models.isEmpty)
    for store in stores {
      try withTemporaryFolder { place in
        let path = String(store.path.dropFirst(Fixtures.root.path.count + 1))
        let old = TestStore(at: try Fixtures.copyStore(path, into: place))
        let new = try old.copy(named: "new.sqlite")
        let report = try migrateStore(
          at: new.url.path, models: models,
          options: MigrationOptions(allowedLosses: ["MC3111", "MC3109"], keepsBackup: false))
        let comparison = try old.read { before in
          try new.read { after in
            try compareStores(
              before: before, named: old.url.path, after: after, named: new.url.path, models: models)
          }
        }
        let planned = Set(report.plan.losses.map { "\($0.entity).\($0.property ?? "")" })
        for entity in comparison.entities {
          #expect(
            entity.missing.count == 0 || entity.destination == nil, "\(store.lastPathComponent): \(entity)")
          #expect(entity.changed.isEmpty, "\(store.lastPathComponent): \(entity)")
          for lost in entity.lost where lost.objects.count > 0 {
            let named = planned.contains("\(entity.source ?? "").\(lost.name)")
            #expect(named, "\(store.lastPathComponent): \(entity.source ?? "").\(lost.name) of \(planned)")
          }
        }
      }
    }
  }
}
