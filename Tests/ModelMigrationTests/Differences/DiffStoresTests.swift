import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelMigration

/// Two stores are compared by what their objects hold; states of one store by primary key.
@Suite("Objects of two stores are compared") struct DiffStoresTests {
  private static let old = """
    entities:
      Hut:
        attributes: {name: string, height: integer32?}
        relationships: {stays: {toMany: Stay, inverse: hut}}
        uniquenessConstraints: [[name]]
      Stay:
        attributes: {day: integer32, note: string?}
        relationships: {hut: {to: Hut, inverse: stays}}
    """
  private static let new = old.replacing("Hut:\n", with: "Cabin:\n    renamingIdentifier: Hut\n")
    .replacing("to: Hut", with: "to: Cabin").replacing(
      "height: integer32?", with: "height: double?, beds: integer16?")

  private func hut(_ key: Int64, _ name: String, _ height: Int64?) -> ManagedObject {
    ManagedObject(
      "Hut", key,
      values: ["name": .string(name)].merging(height.map { ["height": .integer($0)] } ?? [:]) { $1 })
  }

  private func stay(_ key: Int64, _ day: Int64, in hut: Int64?, note: String? = nil) -> ManagedObject {
    ManagedObject(
      "Stay", key,
      values: ["day": .integer(day)].merging(note.map { ["note": .string($0)] } ?? [:]) { $1 },
      toOne: hut.map { ["hut": objectID("Hut", $0)] } ?? [:])
  }

  private func difference(
    _ before: [ManagedObject], _ after: [ManagedObject], _ match: [String: [String]] = [:], limit: Int = .max
  ) throws -> StoreDifference {
    let version = try version(Self.old)
    return try withTemporaryFolder { folder in
      try difference(
        TestStore("a.sqlite", in: folder, of: version, objects: before),
        TestStore("b.sqlite", in: folder, of: version, objects: after), match, limit)
    }
  }

  private func difference(
    _ before: TestStore, _ after: TestStore, _ match: [String: [String]] = [:], _ limit: Int = .max,
    matching: StoreDifference.Matching = .values
  ) throws -> StoreDifference {
    try before.read { old in
      try after.read { new in
        try diffStores(
          before: old, at: before.url.path, after: new, at: after.url.path, among: [], identifiedBy: match,
          matching: matching, limit: limit)
      }
    }
  }

  private func version(_ text: String) throws -> ModelVersion {
    try CustomTrial([text]).model.versions[0]
  }

  /// Signs, labels and changes, entity by entity.
  private func shown(_ difference: StoreDifference) -> [String] {
    difference.entities.flatMap { entity in
      entity.objects.map { object in
        let identity = object.identity.compactMap { $0.after ?? $0.before }.map(text).joined(separator: ",")
        let changes = object.properties.map {
          "\($0.name) \($0.before.map(text) ?? "-")→\($0.after.map(text) ?? "-")"
        }
        return "\(object.kind.rawValue) \(entity.name) \(identity): \(changes.joined(separator: "; "))"
      }
    }
  }

  private func text(_ value: StoreDifference.Value) -> String {
    switch value {
    case .value(let value): value.text
    case .object(let label): label
    case .objects(let labels): labels.joined(separator: "+")
    }
  }

  @Test func `a constraint identifies objects, whatever their keys are`() throws {
    let found = try difference(
      [hut(1, "Dom", 1), hut(2, "Bergli", 2), hut(3, "Gone", nil)],
      [hut(7, "Bergli", 2), hut(9, "Dom", 5), hut(4, "New", 6)])
    #expect(
      Set(shown(found)) == [
        "changed Hut Dom: height 1→5", "removed Hut Gone: ", "added Hut New: height -→6",
      ])
    let huts = try #require(found.entities.first { $0.name == "Hut" })
    #expect((huts.added, huts.removed, huts.changed, huts.equal) == (1, 1, 1, 1))
    #expect(huts.identity == .constraint(["name"]))
  }

  @Test func `what is named for an entity identifies objects of its sub-entities`() throws {
    let version = try version(
      "entities:\n  Item: {abstract: true, attributes: {title: string, made: integer16 = 0}}\n  Note: {parent: Item}\n"
    )
    func note(_ key: Int64, _ made: Int64) -> ManagedObject {
      ManagedObject("Note", key, values: ["title": .string("a"), "made": .integer(made)])
    }
    try withTemporaryFolder { folder in
      let stores = try [note(1, 4), note(2, 5)].enumerated().map {
        try TestStore("\($0).sqlite", in: folder, of: version, objects: [$1])
      }
      #expect(
        try shown(difference(stores[0], stores[1], ["Item": ["title"]])) == ["changed Note a: made 4→5"])
      #expect(throws: DiagnosticsError.self) { try difference(stores[0], stores[1], ["Itm": ["title"]]) }
    }
  }

  @Test func `what cannot be read is equal to itself alone`() throws {
    let version = try version(Self.old)
    try withTemporaryFolder { folder in
      let huts = [hut(1, "Dom", 1), hut(2, "Bergli", 2), hut(3, "Weissmies", nil)]
      let stores = try ["a", "b"].map {
        try TestStore("\($0).sqlite", in: folder, of: version, objects: huts)
      }
      for (store, heights) in zip(stores, [["'x'", "x'01'", "'y'"], ["'x'", "x'02'", "NULL"]]) {
        try store.write { db in
          for (index, height) in heights.enumerated() {
            try db.execute(sql: "UPDATE ZHUT SET ZHEIGHT = \(height) WHERE Z_PK = \(index + 1)")
          }
        }
      }
      let found = try difference(stores[0], stores[1], matching: .primaryKeys)
      #expect(found.unreadableCount == 5 && found.differing == 2)
      #expect(
        found.entities.flatMap(\.objects).flatMap { $0.properties.map(\.name) } == ["height", "height"])
    }
  }

  @Test func `a large value whose file is missing is shown as that`() throws {
    let version = try version(
      "entities:\n  Photo: {attributes: {data: {type: binary?, externalStorage: true}}}\n")
    try withTemporaryFolder { folder in
      let stores = try ["a", "b"].map {
        try TestStore("\($0).sqlite", in: folder, of: version, objects: [ManagedObject("Photo", 1)])
      }
      try stores[1].write {
        try $0.execute(
          sql:
            "UPDATE ZPHOTO SET ZDATA = CAST(x'02' || '12345678-1234-1234-1234-123456789ABC' || x'00' AS BLOB)"
        )
      }
      let found = try difference(stores[0], stores[1], matching: .primaryKeys)
      #expect(
        found.entities.flatMap(\.objects).flatMap { $0.properties.map(\.after) } == [
          .value(.string("the file '12345678-1234-1234-1234-123456789ABC' is missing"))
        ])
    }
  }

  @Test func `a reference is the same where it leads to the same object`() throws {
    let huts = [hut(1, "Dom", 1), hut(2, "Bergli", 2)]
    let moved = [hut(2, "Dom", 1), hut(1, "Bergli", 2)]
    #expect(try difference(huts + [stay(1, 5, in: 1)], moved + [stay(3, 5, in: 2)]).differing == 0)
    let found = try difference(huts + [stay(1, 5, in: 1)], moved + [stay(3, 5, in: 1)])
    // The hut's side follows from it, and is not told as well.
    #expect(shown(found) == ["changed Stay : hut Hut Dom→Hut Bergli"])
  }

  @Test(arguments: [
    ([1, 2, 3, 4, 5], [1, 3, 4, 5], "Item 2→-", []), ([1, 3, 4], [1, 2, 3, 4], "-→Item 2", []),
    ([1, 2, 3, 4, 5], [1, 3, 4, 6, 5, 2], "Item 2→Item 6+Item 2", ["Item 2"]),
    ([1, 2], [2, 1], "Item 1→Item 1", ["Item 1"]), ([], [2, 1], "-→Item 2+Item 1", []),
  ])
  func `of an ordered to-many what came, went or moved is named`(
    _ before: [Int64], _ after: [Int64], _ change: String, _ moved: [String]
  ) throws {
    let version = try version(
      """
      entities:
        List:
          attributes: {name: string}
          relationships: {items: {toMany: Item, inverse: lists, ordered: true}}
          uniquenessConstraints: [[name]]
        Item:
          attributes: {name: string}
          relationships: {lists: {toMany: List, inverse: items}}
          uniquenessConstraints: [[name]]
      """)
    let items = (1...6).map { ManagedObject("Item", $0, values: ["name": .string("\($0)")]) }
    try withTemporaryFolder { folder in
      let stores = try [before, after].enumerated().map { place, keys in
        let list = ManagedObject(
          "List", 1, values: ["name": .string("l")], toMany: ["items": keys.map { objectID("Item", $0) }])
        return try TestStore("\(place).sqlite", in: folder, of: version, objects: items + [list])
      }
      let found = try difference(stores[0], stores[1])
      #expect(
        shown(found).filter { $0.hasPrefix("changed List") } == ["changed List l: items \(change)"])
      let lists = found.entities.filter { $0.name == "List" }.flatMap(\.objects)
      #expect(lists.flatMap(\.properties).flatMap(\.moved) == moved)
    }
  }

  @Test func `without anything better all attributes identify, and equal objects are counted`() throws {
    let before = [stay(1, 1, in: nil), stay(2, 1, in: nil), stay(3, 2, in: nil)]
    let found = try difference(before, [stay(1, 1, in: nil), stay(2, 2, in: nil), stay(3, 3, in: nil)])
    #expect(shown(found).sorted() == ["added Stay : day -→3", "removed Stay : day 1→-"])
    #expect(found.entities.first { $0.name == "Stay" }?.identity == .content)
  }

  @Test func `states of one store are matched by primary key`() throws {
    let objects = [hut(1, "Dom", 1), hut(2, "Bergli", 2), stay(1, 5, in: 1), stay(2, 5, in: 1)]
    try withTemporaryFolder { folder in
      let before = try TestStore("a.sqlite", in: folder, of: version(Self.old), objects: objects)
      let after = try before.copy(named: "b.sqlite")
      try after.write { db in
        try db.execute(sql: "UPDATE ZHUT SET ZNAME = 'Mischabel' WHERE Z_PK = 1")
        try db.execute(sql: "UPDATE ZSTAY SET ZDAY = 6 WHERE Z_PK = 2")
      }
      let found = try difference(before, after, matching: .automatic)
      // The stays of a hut whose name has changed lead to what they led to.
      #expect(shown(found) == ["changed Hut : name Dom→Mischabel", "changed Stay : day 5→6"])
      #expect(found.entities.allSatisfy { $0.identity == .primaryKey })
      let chosen = try difference(before, after, ["Stay": ["day"]], matching: .automatic)
      #expect(chosen.entities.first { $0.name == "Stay" }?.identity == .chosen(["day"]))
      let values = try difference(before, after, matching: .values)
      #expect(values.entities.first { $0.name == "Hut" }?.identity == .constraint(["name"]))
    }
  }

  @Test func `what the caller names identifies`() throws {
    let found = try difference(
      [stay(1, 1, in: nil, note: "a"), stay(2, 2, in: nil)],
      [stay(5, 1, in: nil, note: "b"), stay(6, 2, in: nil)],
      ["Stay": ["day"]])
    #expect(shown(found) == ["changed Stay 1: note a→b"])
    for match in [["Stay": ["dya"]], ["Saty": ["day"]]] {
      #expect(throws: DiagnosticsError.self) { _ = try difference([], [], match) }
    }
  }

  @Test func `only so many objects are given, and all are counted`() throws {
    let found = try difference((1...9).map { hut($0, "h\($0)", nil) }, [], limit: 4)
    let huts = try #require(found.entities.first { $0.name == "Hut" })
    #expect((huts.objects.count, huts.removed) == (4, 9))
  }

  @Test func `versions of one model are compared as inference pairs them`() throws {
    let (old, new) = (try version(Self.old), try version(Self.new))
    try withTemporaryFolder { folder in
      var cabin = ManagedObject("Cabin", 8, values: ["name": .string("Dom"), "height": .double(1)])
      let before = try TestStore("a.sqlite", in: folder, of: old, objects: [hut(1, "Dom", 1)])
      let same = try difference(before, TestStore("b.sqlite", in: folder, of: new, objects: [cabin]))
      #expect(same.differing == 0)
      #expect(same.entities.first { $0.name == "Cabin" }?.onlyAfter == ["beds"])
      let homeless = try version(
        Self.old.replacing("    relationships: {stays: {toMany: Stay, inverse: hut}}\n", with: "")
          .replacing("    relationships: {hut: {to: Hut, inverse: stays}}", with: ""))
      let stays = [stay(1, 1, in: nil)]
      let links = try difference(
        TestStore("d.sqlite", in: folder, of: old, objects: stays),
        TestStore("e.sqlite", in: folder, of: homeless, objects: stays))
      #expect(links.entities.first { $0.name == "Stay" }?.onlyBefore == ["hut"])
      cabin.values["height"] = .double(1.5)
      let other = try difference(before, TestStore("c.sqlite", in: folder, of: new, objects: [cabin]))
      #expect(shown(other) == ["changed Cabin Dom: height 1→1.5"])
    }
  }

  /// Keys are dealt anew, and one object less is one object less.
  @Test(.needsFixtures) func `keys of genuine models' objects say nothing`() throws {
    var count = 0
    for package in Fixtures.all(withExtension: "xcdatamodeld").prefix(Fixtures.areWhole ? .max : 12) {
      guard let model = readXcodeModelPackage(at: package).model, let version = model.currentVersion,
        version.model.entities.count < 60
      else { continue }
      let objects = generatedObjects(of: version.model, count: 4)
      guard
        let last = objects.last(where: { object in !objects.contains { $0.toOne.values.contains(object.id) } }
        )
      else { continue }
      try withTemporaryFolder { folder in
        let before = try TestStore("a.sqlite", in: folder, of: version, objects: objects)
        let dealt = turned(objects, EntityHierarchy(version.model))
        let after = try TestStore("b.sqlite", in: folder, of: version, objects: dealt)
        #expect(try difference(before, after).differing == 0, "\(model.name)")
        let rest = objects.filter { $0.id != last.id }
        let less = try difference(before, TestStore("c.sqlite", in: folder, of: version, objects: rest))
        #expect(less.entities.first { $0.name == last.id.entityName }?.removed == 1, "\(model.name)")
        #expect(less.entities.allSatisfy { $0.added == 0 })
        count += 1
      }
    }
    #expect(count >= 8)
  }

  /// The same objects with the keys of each root in the opposite order.
  private func turned(_ objects: [ManagedObject], _ hierarchy: EntityHierarchy) -> [ManagedObject] {
    let top = Dictionary(grouping: objects) { hierarchy.rootName(of: $0.id.entityName) }
      .mapValues { $0.map(\.id.primaryKey).max() ?? 0 }
    func turned(_ id: ManagedObject.ID) -> ManagedObject.ID {
      let last = top[hierarchy.rootName(of: id.entityName)] ?? 0
      return ManagedObject.ID(entityName: id.entityName, primaryKey: last + 1 - id.primaryKey)
    }
    return objects.map { object in
      var object = object
      object.id = turned(object.id)
      object.toOne = object.toOne.mapValues(turned)
      object.toMany = object.toMany.mapValues { $0.map(turned) }
      return object
    }
  }
}
