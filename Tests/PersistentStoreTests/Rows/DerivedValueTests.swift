import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct `Derived values` {
  /// Groups and fireballs, many to many, as in the derivations that Core Data allows over a store.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Group",
      attributes: [
        derived("count", .integer64, "fireballs.@count"), derived("weight", .double, "fireballs.@sum.mass"),
        derived("heaviest", .double, "largest.mass"), derived("upper", .string, "uppercase:(name)"),
        AttributeDescription(name: "name", type: .string, isOptional: true),
      ],
      relationships: [
        SampleModels.toMany("fireballs", "Fireball", "groups"),
        RelationshipDescription(name: "largest", destinationEntityName: "Fireball"),
      ]),
    EntityDescription(
      name: "Fireball", attributes: [AttributeDescription(name: "mass", type: .double, isOptional: true)],
      relationships: [SampleModels.toMany("groups", "Group", "fireballs")]),
  ])

  private static func derived(_ name: String, _ type: AttributeType, _ derivation: String)
    -> AttributeDescription
  {
    AttributeDescription(name: name, type: type, isOptional: true, derivationExpression: derivation)
  }

  private let objects: [ManagedObject] = {
    let balls = (1...3).map { ManagedObject("Fireball", $0, values: ["mass": .double(Double($0))]) }
    return balls + [
      ManagedObject("Group", 1, values: ["name": .string("straße"), "upper": .string("of before")]),
      ManagedObject("Group", 2, toOne: ["largest": balls[1].id], toMany: ["fireballs": [balls[1].id]]),
      ManagedObject("Group", 3, toMany: ["fireballs": balls.map(\.id)]),
    ]
  }()

  @Test func `Counts, sums and values of a to-one are computed from the rows`() throws {
    try withNewStore(of: Self.model, objects: objects) { db, schema, _ throws in
      let groups = try readObjects(ofEntity: "Group", in: db, schema: schema, model: Self.model)
      #expect(groups.map { $0.values["count"] } == [.integer(0), .integer(1), .integer(3)])
      #expect(groups.map { $0.values["weight"] } == [.double(0), .double(2), .double(6)])
      #expect(groups.map { $0.values["heaviest"] } == [nil, .double(2), nil])
      #expect(groups.map { $0.values["upper"] } == [.string("STRASSE"), nil, nil])
    }
  }

  @Test func `The count over a join table has triggers that keep it`() throws {
    try withNewStore(of: Self.model, objects: objects) { db, schema, _ throws in
      #expect(
        schema.triggers.map(\.name) == [
          "PARAMETER_INSERT", "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT", "PARAMETER_DELETE",
        ].map { "Z_DA_Z_1GROUPS_Group_count_\($0)" } + ["Z_DA_ZGROUP_Group_count_SOURCE_INSERT"])
      for name in ["Updated", "InsertUpdated"] {
        db.add(
          function: DatabaseFunction("NSCoreDataDATrigger\(name)AffectedObjectValue", argumentCount: 5) { _ in
            nil
          })
      }
      let join = try #require(schema.joinTables.first)
      try db.execute(
        sql: "DELETE FROM \(join.name) WHERE \(join.far.column) = 3 AND \(join.near.column) = 1")
      try db.execute(
        sql: "INSERT INTO \(join.name) (\(join.near.column), \(join.far.column)) VALUES (3, 1)")
      #expect(try Int.fetchAll(db, sql: "SELECT ZCOUNT FROM ZGROUP ORDER BY Z_PK") == [1, 1, 2])
    }
  }
}
