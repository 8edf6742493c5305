import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("A store whose version is not at hand", .needsFixtures) struct OwnModelTests {
  private static let folder = "objcio+core-data/Migrations"

  private func moody(without names: Set<String>) throws -> VersionedModel {
    let package = Fixtures.url("\(Self.folder)/Migrations/Moody.xcdatamodeld")
    var model = try #require(readXcodeModelPackage(at: package).model)
    model.versions.removeAll { names.contains($0.name) }
    model.currentVersionName = "Moody 2"
    return model
  }

  /// The genuine store of version 1 migrates by the model that it carries, as it does where the version is there.
  @Test func `migrates by its own model`() throws {
    try withTemporaryFolder { folder in
      let store = TestStore(
        at: try Fixtures.copyStore("\(Self.folder)/MigrationsTests/Moody.moody", into: folder))
      let other = try store.copy(named: "other.moody")
      let model = try moody(without: ["Moody"])
      #expect(try !StoreMigrator(models: [model]).status(of: store.url).isCurrent)
      let report = try migrateStore(at: store.url.path, models: [model])
      let told = report.plan.diagnostics.filter { $0.code.description == "MC5103" }
      #expect(told.map(\.severity) == [.warning])
      #expect(told.first?.help.first?.contains("under `versions:` of a modelc.yaml") == true, "\(told)")
      #expect(report.plan.path == ["the store's own model", "Moody 2"])
      _ = try migrateStore(at: other.url.path, models: [try moody(without: [])])
      let target = try #require(model.currentVersion).model
      #expect(try store.objects(target) == other.objects(target))
      #expect(try store.objects(target).count > 4)
      #expect(try StoreMigrator(models: [model]).status(of: store.url).isCurrent)
      if Oracle.isPresent { try Oracle.expectSound([store.url]) }
    }
  }

  @Test func `a newer version is added to the package of the others`() throws {
    try withTemporaryFolder { folder in
      let whole = try moody(without: [])
      let store = try TestStore(in: folder, of: try #require(whole.version(named: "Moody 2")), objects: [])
      var model = whole
      model.versions.removeAll { $0.name != "Moody" }
      model.currentVersionName = "Moody"
      let error = #expect(throws: DiagnosticsError.self) { try store.plan(model) }
      let help = error?.diagnostics.first?.help.joined() ?? ""
      #expect(help.contains("`modelc export ") && help.contains("Moody.xcdatamodeld`"), "\(help)")
    }
  }

  @Test func `one entity under its name is enough to know an app, another name is not`() throws {
    let hut = "entities:\n  Hut: {attributes: {name: string?, fax: string?}}"
    let next = hut.replacing("}}", with: ", beds: integer16 = 3}}")
    let edited = try writtenModel(hut.replacing("}}", with: ", extra: string?}}"), next)
    let other = try writtenModel(hut.replacing("Hut", with: "Boat"), next.replacing("Hut", with: "Boat"))
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: try writtenModel(hut, next).versions[0],
        objects: [ManagedObject("Hut", 1, values: ["fax": .string("x")])])
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(other) }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5102"])
      // No mapping file can name what the store carries.
      let plan = try store.plan(
        writtenModel(hut.replacing("}}", with: ", extra: string?}}"), next.replacing(" = 3", with: "")))
      #expect(plan.diagnostics.contains { $0.code.description == "MC3101" && $0.severity == .error })
      #expect(plan.diagnostics.allSatisfy { $0.proposal == nil })
      // Nor can a stage.
      var staged = edited
      staged.stages = [.lightweight(staged.versions.map(\.name))]
      let refusal = try store.plan(staged).diagnostics.first { $0.code.description == "MC3401" }
      #expect(refusal?.help.first?.hasPrefix("make it a version") == true, "\(refusal?.help ?? [])")
      try store.migrate(edited)
      #expect(
        try store.objects(edited.last).map(\.values) == [["fax": .string("x"), "beds": .integer(3)]])
    }
  }

  /// Core Data leaves references to missing objects: those that such a store has are no fault of its migration.
  @Test func `a missing object of a store with a model of its own stays missing`() throws {
    let old = """
      entities:
        Hut: {attributes: {name: string?}, relationships: {trails: {toMany: Trail, inverse: hut}}}
        Trail: {attributes: {name: string?}, relationships: {hut: {to: Hut, inverse: trails}}}
      """
    // It comes first by name, so that the others get new numbers.
    let new = old + "\n  Alpha: {attributes: {name: string?}}"
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: try writtenModel(old).versions[0],
        objects: [ManagedObject("Hut", 1), ManagedObject("Trail", 1)])
      try store.write { try $0.execute(sql: "UPDATE ZTRAIL SET ZHUT = 99") }
      let report = try store.migrate(try writtenModel(new))
      #expect(report.plan.path == ["the store's own model", "V1"])
      #expect(report.brokenReferences == 1)
    }
  }

  /// The store's model, the versions at hand, and whether it is newer than all of them.
  static let newer: [(own: String, versions: [String], isNewer: Bool)] = [
    ("a: date?, b: date?, c: date?", ["a: date?", "a: date?, b: date?"], true),
    ("a: date?, c: date?", ["a: date?"], true),
    // What the target removes or never had is another's.
    ("a: date?", ["a: date?, b: date?"], false),
    ("a: date?, x: date?", ["a: date?", "a: date?, b: date?"], false),
    ("a: date?, b: date?", ["a: date?, b: date?, c: date?", "a: date?, c: date?"], false),
    // One was removed and another one added since.
    ("b: date?, c: date?", ["a: date?", "a: date?, b: date?"], true),
    ("a2: {type: date?, renamingIdentifier: a}", ["a: date?"], true),
    ("a: date?", ["a2: {type: date?, renamingIdentifier: a}"], false),
    ("a: integer16?", ["a: date?", "a: integer64?"], false),
    // Something was removed since, with what the target had brought, or besides it.
    ("a: date?, c: date?, d: date?", ["a: date?", "a: date?, b: date?, c: date?"], true),
    ("x: date?", ["a: date?", "a: date?, b: date?"], true),
    ("b: date?", ["a: date?", "a: date?, b: date?"], true),
  ]

  @Test(arguments: newer)
  func `a store that is newer than every version is not taken back by itself`(
    _ own: String, _ versions: [String], _ isNewer: Bool
  ) throws {
    func text(_ attributes: String) -> String {
      "entities: {Hut: {attributes: {name: string?, \(attributes)}}}"
    }
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: try writtenModel(text(own)).versions[0], objects: [ManagedObject("Hut", 1)])
      let model =
        versions.count == 1
        ? try writtenModel(text(versions[0])) : try writtenModel(text(versions[0]), text(versions[1]))
      guard isNewer else {
        #expect(try store.plan(model).path.first == "the store's own model")
        return
      }
      for attempt in [
        { _ = try store.plan(model) }, { try store.migrate(model) },
        { _ = try StoreMigrator(models: [model]).status(of: store.url) },
      ] {
        let error = #expect(throws: DiagnosticsError.self) { try attempt() }
        #expect(error?.diagnostics.map(\.code.description) == ["MC5112"])
      }
      #expect(try store.plan(model, to: model.currentVersionName).path.count == 2)
    }
  }

  /// 'Continent' goes in Moody 5 and comes back in Moody 6: one step keeps its objects, version by version they are lost.
  @Test func `a way through the versions tells at once what a later step loses`() throws {
    try withTemporaryFolder { folder in
      let store = TestStore(
        at: try Fixtures.copyStore("\(Self.folder)/MigrationsTests/Moody.moody", into: folder))
      var model = try moody(without: [])
      model.currentVersionName = "Moody 6"
      func plan(_ chain: ChainRule) throws -> MigrationPlan {
        var options = MigrationOptions()
        options.chain = chain
        return try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      }
      let stepwise = try plan(.stepwise)
      #expect(stepwise.isBlocked && stepwise.steps.count == 5)
      #expect(stepwise.losses.contains { $0.entity == "Continent" && $0.property == nil && $0.count == 2 })
      let atOnce = try plan(.auto)
      #expect(!atOnce.losses.contains { $0.property == nil })
      #expect(
        !atOnce.diagnostics.flatMap(\.help).contains {
          $0.contains("(chain: .stepwise)") && $0.contains("can be migrated")
        })
    }
  }

  @Test func `a cache that does not give the hashes is not used`() throws {
    try withTemporaryFolder { folder in
      let store = TestStore(
        at: try Fixtures.copyStore("\(Self.folder)/MigrationsTests/Moody.moody", into: folder))
      let model = try moody(without: ["Moody"])
      try store.write { db in try #require(model.currentVersion).model.writeCache(to: db) }
      let before = try Data(contentsOf: store.url)
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model])
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5102"])
      #expect(try Data(contentsOf: store.url) == before)
    }
  }

  /// Xcode keeps no order: the way to the current version is open from one that stands after it by its name. To another
  /// version that a caller names, the order of names counts.
  @Test func `a package's current version can be reached from every other`() throws {
    let folder = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"
    let model = try #require(
      readXcodeModelPackage(at: Fixtures.url(folder + "SampleModel.xcdatamodeld")).model)
    #expect(model.currentVersionName == "SampleModel")
    try withTemporaryFolder { place in
      let store = TestStore(
        at: try Fixtures.copyStore(folder + "Fixtures/SampleModel_V2.sqlite", into: place))
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model])
      #expect(plan.path == ["SampleModel2", "SampleModel"])
      // What its rows say against it counts as for any other way.
      let errors = plan.diagnostics.filter { $0.severity == .error }
      #expect(errors.map { "\($0.code) \($0.subject?.property ?? "")" } == ["MC3101 id"])
    }
  }

  /// Names that are not series are a guess, by which no store is newer than a version that somebody asks for.
  @Test func `no store is called newer by a guess`() throws {
    let models = try writtenModel(
      "entities: {Hut: {attributes: {name: string?}}}",
      "entities: {Hut: {attributes: {name: string?, a: date?}}}")
    var versions = models.versions
    for index in versions.indices {
      versions[index].name = ["Folio v1.4", "Partner 5"][index]
      versions[index].origin = .xcode
      versions[index].predecessorNames = []
    }
    var model = VersionedModel(name: "App", versions: versions, currentVersionName: "Partner 5")
    let options = MigrationOptions(targetVersion: "Folio v1.4")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: versions[1], objects: [ManagedObject("Hut", 1, values: [:])])
      let error = #expect(throws: DiagnosticsError.self) {
        try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5104"])
      model.isOrderGuessed = true
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      #expect(plan.path == ["Partner 5", "Folio v1.4"])
    }
  }

  /// A store of another app shares no entity.
  @Test func `a store of another app is refused`() throws {
    try withTemporaryFolder { folder in
      let path = "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V4.sqlite"
      let store = TestStore(at: try Fixtures.copyStore(path, into: folder))
      let model = try moody(without: [])
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model])
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5102"])
    }
  }
}
