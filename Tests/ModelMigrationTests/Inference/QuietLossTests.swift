import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What goes where no value and no object goes: references, places in an order, keys of nobody. Each was found by the
/// account of random chains.
@Suite("References and places that go are counted") struct QuietLossTests {
  private static let old: String = """
    entities:
      Trip:
        attributes: {name: string?}
        relationships:
          stops: {toMany: Stop, inverse: trip, ordered: true}
          tags: {toMany: Tag, inverse: trips, ordered: true}
          guide: {to: Person}
      Stop:
        attributes: {name: string?}
        relationships: {trip: {to: Trip, inverse: stops}}
      Tag:
        attributes: {name: string?}
        relationships: {trips: {toMany: Trip, inverse: tags}}
      Person:
        attributes: {name: string?}
        relationships: {led: {toMany: Trip}}

    """

  private var objects: [ManagedObject] {
    var trip = ManagedObject("Trip", 1)
    trip.toMany["stops"] = [2, 1, 3].map { objectID("Stop", $0) }
    trip.toMany["tags"] = [2, 1].map { objectID("Tag", $0) }
    var person = ManagedObject("Person", 1)
    person.toMany["led"] = [objectID("Trip", 1)]
    return [trip, person] + (1...3).map { ManagedObject("Stop", $0) }
      + (1...2).map { ManagedObject("Tag", $0) }
  }

  /// The losses of a step, and that it is carried out on a clone.
  private func losses(_ new: String, spoiling: String? = nil) throws -> [String] {
    let model = try writtenModel(Self.old, new)
    return try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
      if let spoiling { try store.write { try $0.execute(sql: spoiling) } }
      let before = try store.read { try PlainStore($0, model.first) }
      let report = try store.migrate(model, route: .clone)
      let account = ChainAccount(
        before, try store.read { try PlainStore($0, model.last) }, path: [model.first, model.last],
        losses: report.plan.losses, findings: report.plan.diagnostics)
      #expect(account.problems == [])
      return report.plan.losses.map { "\($0.code) \($0.entity).\($0.property ?? "") \($0.count)" }.sorted()
    }
  }

  /// The many-to-many of a parent that is taken apart goes on as one of each class: the rows of the second were deleted
  /// from the first one's table before they were copied.
  @Test(arguments: [RouteRequest.clone, .inPlace])
  func `a parent's many-to-many goes on as several`(route: RouteRequest) throws {
    let model = try writtenModel(
      """
      entities:
        Base:
          relationships: {tags: {toMany: Tag, inverse: items, ordered: true}}
        Folder: {parent: Base}
        Note: {parent: Base}
        Special: {parent: Note}
        Tag:
          relationships: {items: {toMany: Base, inverse: tags}}

      """,
      """
      entities:
        Folder:
          relationships: {tags: {toMany: Tag, inverse: folders, ordered: true}}
        Note:
          relationships: {tags: {toMany: Tag, inverse: notes, ordered: true}}
        Special: {parent: Note}
        Tag:
          relationships: {folders: {toMany: Folder, inverse: tags}, notes: {toMany: Note, inverse: tags}}

      """)
    let owners = [("Folder", 1), ("Note", 2), ("Special", 3)].map { (name, key) -> ManagedObject in
      var owner = ManagedObject(name, Int64(key))
      owner.toMany["tags"] = [2, 1].map { objectID("Tag", $0) }
      return owner
    }
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: owners + [ManagedObject("Tag", 1), ManagedObject("Tag", 2)])
      try store.migrate(model, route: route)
      let after = try store.objects(model.last).filter { $0.id.entityName != "Tag" }
      #expect(after.map { $0.toMany["tags"] ?? [] } == owners.map { $0.toMany["tags"] ?? [] })
    }
  }

  @Test func `rows of no entity are lost with their table`() throws {
    let people = "entities:\n  Tag: {attributes: {name: string?}}\n  Person: {attributes: {name: string?}}\n"
    let tags = "entities:\n  Tag: {attributes: {name: string?}}\n"
    try withTemporaryFolder { folder in
      var trial = try CustomTrial([people, tags])
      let store = try trial.store([ManagedObject("Person", 1), ManagedObject("Person", 2)], in: folder)
      try store.write { try $0.execute(sql: "UPDATE ZPERSON SET Z_ENT = 99") }
      let before = try Data(contentsOf: store.url)
      let error = #expect(throws: MigrationRefusedError.self) { try trial.migrate(store) }
      #expect(refusalCodes(error) == ["MC5106"])
      #expect(error?.plan.diagnostics.contains { $0.help.first?.hasPrefix("`modelc repair") == true } == true)
      #expect(try Data(contentsOf: store.url) == before)
      trial.options.acceptedLosses = [.droppedData]
      try trial.migrate(store)
    }
  }

  @Test func `places in an order`() throws {
    let stops = Self.old.replacing("inverse: trip, ordered: true", with: "inverse: trip")
    #expect(try losses(stops) == ["MC3125 Trip.stops 3"])
    let tags = Self.old.replacing("inverse: trips, ordered: true", with: "inverse: trips")
    #expect(try losses(tags) == ["MC3125 Trip.tags 2"])
  }

  @Test func `the place of an object that goes to a list of its own, unordered`() throws {
    let users = "entities:\n  User:\n    relationships:\n"
    let model = try writtenModel(
      users + """
              objects: {toMany: Item, inverse: owner, ordered: true}
          Item:
            abstract: true
            relationships: {owner: {to: User, inverse: objects}}
          Note: {parent: Item}
          Tag: {parent: Item}

        """,
      users + """
              objects: {toMany: Note, inverse: owner, ordered: true}
              tags: {toMany: Tag, inverse: owner}
          Note:
            relationships: {owner: {to: User, inverse: objects}}
          Tag:
            relationships: {owner: {to: User, inverse: tags}}

        """)
    var user = ManagedObject("User", 1)
    user.toMany["objects"] = [objectID("Tag", 2), objectID("Note", 3), objectID("Note", 1)]
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: [user, ManagedObject("Note", 1), ManagedObject("Tag", 2), ManagedObject("Note", 3)])
      let losses = try store.migrate(model, route: .clone).plan.losses
      #expect(
        losses.map { "\($0.code) \($0.entity).\($0.property ?? "") \($0.count)" } == ["MC3125 User.objects 1"]
      )
    }
  }

  @Test func `the place of a to-many of which its inverse alone stays`() throws {
    let new = Self.old.replacing("      stops: {toMany: Stop, inverse: trip, ordered: true}\n", with: "")
      .replacing("{trip: {to: Trip, inverse: stops}}", with: "{trip: {to: Trip}}")
    #expect(try losses(new) == ["MC3125 Trip.stops 3"])
  }

  @Test func `keys of nobody, where the other side alone tells of them`() throws {
    let new = Self.old.replacing("guide: {to: Person}", with: "guide: {toMany: Person}")
    #expect(
      try losses(new, spoiling: "UPDATE ZTRIP SET ZGUIDE = 99") == ["MC3126 Trip.guide 1"])
  }

  @Test func `references of a to-many that a to-one of its own becomes the inverse of`() throws {
    let new = Self.old.replacing("guide: {to: Person}", with: "guide: {to: Person, inverse: led}")
      .replacing("led: {toMany: Trip}", with: "led: {toMany: Trip, inverse: guide}")
    #expect(try losses(new) == ["MC3111 Person.led 1"])
  }

  @Test func `a reference to nobody of a pair that parts stands in two places, and is no reason to stop`()
    throws
  {
    let new = Self.old.replacing("{toMany: Stop, inverse: trip, ordered: true}", with: "{toMany: Stop}")
      .replacing("{trip: {to: Trip, inverse: stops}}", with: "{trip: {to: Trip}}")
    #expect(
      try losses(new, spoiling: "UPDATE ZSTOP SET ZTRIP = 99 WHERE Z_PK = 2") == ["MC3125 Trip.stops 2"])
  }
}
