import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Cases of the literature (`acceptance.md`) on every route.
@Suite("Acceptance cases on every route")
struct AcceptanceTests {
  static let routes: [RouteRequest] = [.inPlace, .clone]

  private func objects(
    _ name: String, _ values: [Int64: [String: AttributeValue]]
  ) -> [ManagedObject] {
    values.sorted { $0.key < $1.key }.map { ManagedObject(name, $0.key, values: $0.value) }
  }

  private func id(_ name: String, _ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: name, primaryKey: key)
  }

  // MARK: A6

  private static let songsV1 = """
    entities:
      Playlist:
        attributes: {name: string?}
        relationships:
          songs: {toMany: Song, inverse: playlist}
      Song:
        attributes: {name: string?, length: integer32 = 0}
        relationships:
          playlist: {to: Playlist, inverse: songs}
    """

  private func songs() -> [ManagedObject] {
    var songs = objects(
      "Song",
      [
        1: ["name": .string("One"), "length": .integer(700)],
        2: ["name": .string("Two"), "length": .integer(100)], 3: ["length": .integer(601)],
      ])
    songs[0].toOne["playlist"] = id("Playlist", 1)
    songs[1].toOne["playlist"] = id("Playlist", 1)
    songs[2].toOne["playlist"] = id("Playlist", 2)
    return objects("Playlist", [1: [:], 2: [:], 3: [:]]) + songs
  }

  @Test(arguments: routes)
  func `A6: a to-one becomes a many-to-many, a name and a type change`(_ route: RouteRequest) throws {
    let model = try writtenModel(
      Self.songsV1,
      """
      entities:
        Playlist:
          attributes: {name: string?}
          relationships:
            songs: {toMany: Song, inverse: playlists}
        Song:
          attributes:
            title: {type: string?, renamingIdentifier: name}
            length: double = 0
          relationships:
            playlists: {toMany: Playlist, inverse: songs, renamingIdentifier: playlist}
      """)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: songs())
      try store.migrate(model, route: route)
      let found = try store.objects(model.last)
      let lists = found.filter { $0.id.entityName == "Playlist" }
      let lengths = Dictionary(
        uniqueKeysWithValues: found.filter { $0.id.entityName == "Song" }.map { ($0.id, $0.values["length"]) }
      )
      #expect(
        lists.map { $0.toMany["songs"] ?? [] } == [[id("Song", 1), id("Song", 2)], [id("Song", 3)], []])
      #expect(lists.filter { ($0.toMany["songs"] ?? []).isEmpty }.map(\.id.primaryKey) == [3])
      #expect(
        lengths == [id("Song", 1): .double(700), id("Song", 2): .double(100), id("Song", 3): .double(601)])
      let titles = found.compactMap { $0.values["title"] }
      #expect(titles == [.string("One"), .string("Two")])
    }
  }

  @Test func `A6: a number does not become a text by itself`() throws {
    let model = try writtenModel(
      Self.songsV1, Self.songsV1.replacing("length: integer32 = 0", with: "length: string?"))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: songs())
      let error = #expect(throws: MigrationRefusedError.self) { try store.migrate(model) }
      let finding = error?.plan.diagnostics.first { $0.severity == .error }
      #expect(finding?.cocoaCode == 134190)
      #expect(finding?.subject?.property == "length")
    }
  }

  // MARK: A8

  @Test(arguments: routes)
  func `A8: a derived count is computed for the objects that exist`(_ route: RouteRequest) throws {
    let first = """
      entities:
        Fireball:
          attributes: {name: string?}
          relationships:
            groups: {toMany: Group, inverse: fireballs}
        Group:
          attributes: {name: string?}
          relationships:
            fireballs: {toMany: Fireball, inverse: groups}
      """
    let model = try writtenModel(
      first,
      first.replacing(
        "    Group:\n        attributes: {name: string?}",
        with: "    Group:\n        attributes: {name: string?}"
      ).replacing(
        "  Group:\n    attributes: {name: string?}",
        with:
          "  Group:\n    attributes: {name: string?, fireballCount: {type: integer64?, derivation: fireballs.@count}}"
      ))
    try withTemporaryFolder { folder in
      var groups = objects("Group", [1: [:], 2: [:], 3: [:]])
      groups[1].toMany["fireballs"] = [id("Fireball", 2)]
      groups[2].toMany["fireballs"] = [id("Fireball", 1), id("Fireball", 2), id("Fireball", 3)]
      let store = try TestStore(
        in: folder, of: model.versions[0], objects: objects("Fireball", [1: [:], 2: [:], 3: [:]]) + groups)
      try store.migrate(model, route: route)
      let counts = try store.objects(model.last).filter { $0.id.entityName == "Group" }.map {
        $0.values["fireballCount"]
      }
      #expect(counts == [.integer(0), .integer(1), .integer(3)])
      let triggers = try store.read { db in
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
      }
      #expect(triggers.count == 5)
      #expect(triggers.allSatisfy { $0.contains("_Group_fireballCount_") })
    }
  }

  // MARK: A10

  @Test(arguments: routes)
  func `A10: two relationships between one pair change names`(_ route: RouteRequest) throws {
    // Renaming identifiers are not part of the version hash.
    func version(
      _ modifier: String, _ resident: String = "", _ citizen: String = "", _ residents: String = "",
      _ citizens: String = ""
    ) -> String {
      """
      entities:
        Country:
          versionHashModifier: \(modifier)
          attributes: {name: string?}
          relationships:
            residents: {toMany: Person, inverse: residentOf\(residents)}
            citizens: {toMany: Person, inverse: citizenOf\(citizens)}
        Person:
          versionHashModifier: \(modifier)
          attributes: {name: string?}
          relationships:
            residentOf: {to: Country, inverse: residents\(resident)}
            citizenOf: {to: Country, inverse: citizens\(citizen)}
      """
    }
    func renamed(_ name: String) -> String { ", renamingIdentifier: \(name)" }
    let model = try writtenModel(
      version("one"),
      version("two", renamed("citizenOf"), renamed("residentOf"), renamed("citizens"), renamed("residents")))
    try withTemporaryFolder { folder in
      var people = objects("Person", [1: [:], 2: [:], 3: [:]])
      people[0].toOne = ["residentOf": id("Country", 1), "citizenOf": id("Country", 2)]
      people[1].toOne = ["residentOf": id("Country", 2), "citizenOf": id("Country", 2)]
      people[2].toOne = ["citizenOf": id("Country", 1)]
      let store = try TestStore(
        in: folder, of: model.versions[0], objects: objects("Country", [1: [:], 2: [:]]) + people)
      let report = try store.migrate(model, route: route)
      #expect(report.plan.losses.isEmpty)
      let found = try store.objects(model.last).filter { $0.id.entityName == "Person" }
      #expect(found.map { $0.toOne["citizenOf"]?.primaryKey } == [1, 2, nil])
      #expect(found.map { $0.toOne["residentOf"]?.primaryKey } == [2, 2, 1])
    }
  }

  // MARK: A12

  @Test(arguments: [RouteRequest.auto, .inPlace, .clone])
  func `A12: indexes come without a version`(_ route: RouteRequest) throws {
    func version(_ indexes: String) -> String {
      """
      entities:
        Mood:
          attributes: {markedForDeletionDate: date?, updatedAt: date?}
          fetchIndexes: {\(indexes)}
      """
    }
    let old = try writtenModel(version("byMark: [markedForDeletionDate]"))
    let model = try writtenModel(
      version("byMark: [markedForDeletionDate], byUpdate: [markedForDeletionDate, updatedAt]"))
    #expect(checkModel(of: model.versions[0]).map(\.code.description).contains("MC1503"))
    #expect(old.versions[0].entityVersionHashesByName == model.versions[0].entityVersionHashesByName)
    try withTemporaryFolder { folder in
      let moods = objects("Mood", [1: ["updatedAt": .date(1)], 2: ["updatedAt": .date(2)]])
      let store = try TestStore(in: folder, of: old.versions[0], objects: moods)
      let plan = try store.plan(model)
      #expect(plan.isDone && plan.diagnostics.map(\.code) == [.indexesDiffer])
      #expect(try store.plan(old).diagnostics.isEmpty)
      #expect(try sortsInMemory(store))
      let before = try store.objects(model.last)

      var options = MigrationOptions(keepsBackup: false)
      options.route = route
      options.appliesIndexes = true
      let report = try migrateStore(at: store.url.path, models: [model], options: options)
      #expect(report.plan.route == (route == .clone ? .clone : .inPlace))
      #expect(try !sortsInMemory(store))
      #expect(try store.objects(model.last) == before)
      #expect(try store.plan(model).diagnostics.isEmpty)
      let metadata = try store.read { try $0.readStoreMetadata() }
      #expect(metadata.versionHashes == model.versions[0].entityVersionHashesByName)
      // A second time there is nothing to do.
      #expect(try migrateStore(at: store.url.path, models: [model], options: options).destination == nil)
    }
  }

  private func sortsInMemory(_ store: TestStore) throws -> Bool {
    try store.read { db in
      let plan = try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN SELECT * FROM ZMOOD WHERE ZMARKEDFORDELETIONDATE = 1 ORDER BY ZUPDATEDAT
          """)
      return plan.contains { ($0["detail"] as String).contains("TEMP B-TREE") }
    }
  }
}
