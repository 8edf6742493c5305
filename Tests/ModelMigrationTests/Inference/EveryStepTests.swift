import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import ReleaseChecks
import TestSupport
import Testing

/// Every step of every genuine model, and the way from its first version to its last: what can be inferred runs, on a
/// store with objects of every entity and on every route, to the objects that the reference engine makes of them; what
/// cannot says why. The table is printed.
///
/// Each is on one route, in turn; with `MODELC_SEEDS` on all.
@Suite("Every step of the genuine models", .needsFixtures) struct EveryStepTests {
  /// What conflicts with a way although losses are accepted; every other one is open.
  ///
  /// MC3101: something new is required and nothing tells its value. MC3202: two properties claim one renaming identifier.
  static let refusals = [
    "Model → Modelv4": "MC3202", "MultiassetUserDataModel → MultiassetUserDataModel_v11": "MC3101",
    "MultiassetUserDataModel_v10 → MultiassetUserDataModel_v11": "MC3101",
  ]

  private static let routes: [(RouteRequest, MigrationRoute)] = [
    (.inPlace, .inPlace), (.clone, .clone),
  ]

  @Test func `runs to the same objects, or has a reason why not`() throws {
    var table: [String] = []
    var refused: [String: String] = [:]
    try withTemporaryFolder { folder in
      var migrated: [TestStore] = []
      for package in Fixtures.all(withExtension: "xcdatamodeld") {
        guard let model = readXcodeModelPackage(at: package).model, model.versions.count > 1 else { continue }
        let versions = model.versions
        let steps = zip(versions, versions.dropFirst()).map { [$0, $1] }
        for path in steps + (versions.count > 2 ? [versions] : []) {
          let place = folder.appending(path: "\(table.count)")
          try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
          let routes =
            Fixtures.areWhole ? Self.routes : [Self.routes[table.count % Self.routes.count]]
          // A way is gone through the versions, and at once.
          for steps in path.count > 2 ? [path, [path[0], path[path.count - 1]]] : [path] {
            let outcome = try outcome(along: steps, named: model.name, on: routes, in: place, &migrated)
            let way = "\(path[0].name) → \(path[path.count - 1].name)"
            if !outcome.hasPrefix("inferred") { refused[way] = String(outcome.prefix(6)) }
            table.append("\(model.name): \(way)\(steps.count < path.count ? " at once" : ""): \(outcome)")
          }
        }
      }
      if Oracle.isPresent { try Oracle.expectSound(migrated.map(\.url)) }
    }
    print(table.joined(separator: "\n"))
    #expect(table.count > 40)
    #expect(refused == Self.refusals)
  }

  private func outcome(
    along path: [ModelVersion], named name: String, on routes: [(RouteRequest, MigrationRoute)],
    in folder: URL, _ migrated: inout [TestStore]
  ) throws -> String {
    let steps = zip(path, path.dropFirst()).map { inferMappingModel(from: $0, to: $1) }
    let refusals = steps.flatMap(\.diagnostics).filter { $0.severity == .error }
    if let first = refusals.first { return "\(first.code): \(first.message)" }
    let (first, last) = (path[0], path[path.count - 1])
    if first.entityVersionHashesByName == last.entityVersionHashesByName { return "inferred, equal hashes" }
    let store = try TestStore(
      "\(path.count).sqlite", in: folder, of: first, objects: generatedObjects(of: first.model, count: 4))
    var model = VersionedModel(name: name, versions: path, currentVersionName: last.name)
    model.isStepwise = true
    var expected = try store.objects(first.model)
    for (index, step) in steps.enumerated() {
      let (from, to) = (path[index].model, path[index + 1].model)
      expected = normalized(ReferenceEngine(expected, step.mappingModel, from: from, to: to).run(), to)
    }
    for (route, taken) in routes {
      let copy = try store.copy(named: "\(path.count) \(route.rawValue).sqlite")
      do {
        let report = try copy.migrate(model, route: route)
        if report.plan.route != taken { return "the route \(route) was not taken" }
      } catch let error as MigrationRefusedError {
        let reason = error.plan.diagnostics.first { $0.severity == .error }
        return "\(reason?.code.description ?? "") by rows: \(reason?.message ?? "")"
      }
      if normalized(try copy.objects(last.model), last.model) != expected { return "differs: \(route)" }
      migrated.append(copy)
    }
    return "inferred, \(expected.count) objects"
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
          options: MigrationOptions(acceptedLosses: [.droppedData, .narrowedNumbers], keepsBackup: false))
        let comparison = try old.read { before in
          try new.read { after in
            try compareStores(
              before: before, at: old.url.path, after: after, at: new.url.path, models: models)
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
