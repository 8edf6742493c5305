import Foundation
import ManagedModel

/// A small store of ``SampleModels/hiking``, each relationship stated from one side only.
enum Hike {
  static let region = ManagedObject("Region", 1, values: ["code": .uuid(UUID())])
  static let objects: [ManagedObject] = [
    region,
    ManagedObject(
      "Hut", 1,
      values: ["name": .string("Alp"), "height": .double(2000), "beds": .integer(20), "note": .string("a")],
      toOne: ["region": region.id], toMany: ["visits": [visit(2), visit(1)]]),
    ManagedObject(
      "Summit", 2, values: ["name": .string("Peak"), "note": .binary(Data([1, 2]))],
      toOne: ["region": region.id],
      toMany: ["neighbours": [summit(3)]]),
    ManagedObject("Summit", 3, values: ["name": .string("Top")]),
    ManagedObject("Hut", 4, values: ["name": .string("Bärenhütte"), "beds": .integer(-1)]),
    ManagedObject(
      "Trail", 1, values: ["title": .string("one")], toOne: ["highest": summit(2)],
      toMany: ["huts": [hut(4), hut(1)], "marks": [mark(2), mark(1)]]),
    ManagedObject("Trail", 2, values: ["title": .string("two")], toMany: ["comesFrom": [trail(1)]]),
    ManagedObject("Trail", 3, values: ["title": .string("three")], toOne: ["highest": hut(1)]),
    ManagedObject("Mark", 1, values: ["colour": .string("red")]), ManagedObject("Mark", 2),
    ManagedObject("Visit", 1, values: ["date": .date(700_000_000)], toOne: ["companion": visit(2)]),
    ManagedObject("Visit", 2, values: ["date": .date(0.25)]),
    ManagedObject("Visit", 3, values: ["date": .date(-1)], toOne: ["hut": hut(4)]),
    ManagedObject("Photo", 7, values: ["data": .binary(Data([9, 9]))], toOne: ["visit": visit(3)]),
  ]

  static func hut(_ key: Int64) -> ManagedObject.ID { ManagedObject.ID(entityName: "Hut", primaryKey: key) }
  static func summit(_ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: "Summit", primaryKey: key)
  }
  static func trail(_ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: "Trail", primaryKey: key)
  }
  static func mark(_ key: Int64) -> ManagedObject.ID { ManagedObject.ID(entityName: "Mark", primaryKey: key) }
  static func visit(_ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: "Visit", primaryKey: key)
  }
}

/// An object of ``SampleModels/everyType`` with a value everywhere.
enum Everything {
  static let uuid = UUID()
  static let object = ManagedObject(
    "Everything", 1,
    values: [
      "aInteger16": .integer(-32768), "bInteger32": .integer(2_147_483_647), "cInteger64": .integer(.min),
      "dBoolean": .boolean(true), "eDecimal": .decimal(Decimal(string: "10.11") ?? 0),
      "fDouble": .double(0.1),
      "gFloat": .double(2), "hString": .string("é👩‍👩‍👧"), "iDate": .date(737_057_651.669581),
      "jBinary": .binary(Data([0, 1, 2])), "kUUID": .uuid(uuid), "lURI": .uri("https://example.org/a b"),
      "mTransformable": .binary(Data("bplist00".utf8)), "nExternal": .binary(Data([7])),
    ])
}
