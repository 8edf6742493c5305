import Foundation
import GRDB
import ManagedModel
import PersistentStore
import StoreFixtures
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Samples of genuine stores` {
  private static let stores = [
    GenuineStore.sampleModel2(1), GenuineStore.sampleModel2(2), GenuineStore.moody[3],
    GenuineStore.bookmarks[4],
  ]

  private func sample(
    _ store: GenuineStore, _ count: Int, seed: UInt64 = 1
  ) throws -> (objects: [ManagedObject], model: ManagedObjectModel) {
    try store.open { db throws in
      let model = try storedModel(in: db)
      let (schema, _) = try db.readPhysicalSchema().bound(to: model)
      let reader = ObjectReader(db, schema: schema, model: model)
      return (try reader.sampleObjects(count, seed: seed), model)
    }
  }

  @Test(arguments: stores)
  func `A sample stands on its own and has every entity`(store: GenuineStore) throws {
    let (objects, model) = try sample(store, 12)
    #expect((4...12).contains(objects.count))
    let ids = Set(objects.map(\.id))
    #expect(ids.count == objects.count)
    for object in objects {
      for id in Array(object.toOne.values) + object.toMany.values.flatMap(\.self) {
        #expect(ids.contains(id))
      }
    }
    #expect(ruleFindings(objects, model: model) == [])
    #expect(try sample(store, 12).objects == objects)
    try withFixture(of: model, .objects(objects)) { db, report, file throws in
      #expect(report.count == objects.count)
      // What is derived from members that stayed behind is recomputed.
      #expect(
        try allObjects(in: db, model: model, at: file).map { withoutDerived($0, model) }
          == objects.map { withoutDerived($0, model) })
    }
  }

  private func withoutDerived(_ object: ManagedObject, _ model: ManagedObjectModel) -> ManagedObject {
    var object = object
    for attribute in EntityHierarchy(model).attributes(of: object.id.entityName) where attribute.isDerived {
      object.values[attribute.name] = nil
    }
    return object
  }

  @Test func `A sample as large as the store is the store`() throws {
    let (objects, _) = try sample(.moody[0], 1000)
    let (own, model) = try GenuineStore.moody[0].open { db throws in
      let model = try storedModel(in: db)
      let (schema, _) = try db.readPhysicalSchema().bound(to: model)
      let all = try schema.tables.flatMap {
        try readObjects(ofEntity: $0.rootEntityName, in: db, schema: schema, model: model)
      }
      return (all, model)
    }
    #expect(Set(objects) == Set(own))
    #expect(!model.entities.isEmpty)
  }

  @Test(arguments: stores)
  func `Masked values keep type, nil, sameness and about the length`(store: GenuineStore) throws {
    let (objects, model) = try sample(store, 40)
    let fields = try MaskedFields(["*"], model: model)
    let masked = try mask(objects, fields, model: model, seed: 9)
    #expect(masked.map(\.id) == objects.map(\.id))
    #expect(masked.map(\.toOne) == objects.map(\.toOne))
    #expect(try mask(objects, fields, model: model, seed: 9) == masked)
    #expect(try mask(objects, fields, model: model, seed: 10) != masked)
    var pairs: [String: [AttributeValue: AttributeValue]] = [:]
    for (before, after) in zip(objects, masked) {
      #expect(Set(before.values.keys) == Set(after.values.keys))
      for (name, value) in before.values {
        let other = try #require(after.values[name])
        let known = pairs["\(before.id.entityName).\(name)"]?[value]
        #expect(known == nil || known == other)
        pairs["\(before.id.entityName).\(name)", default: [:]][value] = other
        switch (value, other) {
        case (.boolean, .boolean): #expect(value == other)
        case (.string(let left), .string(let right)):
          #expect(left.isEmpty || left != right)
          #expect(left.count == right.count)
        case (.integer(let left), .integer(let right)):
          #expect(left != right && (left < 0) == (right < 0) || right == 0)
        case (.double, .double), (.decimal, .decimal), (.date, .date), (.uuid, .uuid), (.uri, .uri),
          (.binary, .binary):
          #expect(value != other)
        default: Issue.record("\(name) changed its type")
        }
      }
    }
    for (name, pairs) in pairs { #expect(Set(pairs.values).count == pairs.count, "\(name) is less unique") }
    #expect(ruleFindings(masked, model: model) == [])
  }

  @Test func `A text that is nothing but what a rule wants is masked too`() throws {
    var attribute = AttributeDescription(name: "s", type: .string)
    attribute.validation.predicates = [
      ValidationPredicate(predicate: "SELF CONTAINS \"title\"", warning: "w")
    ]
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: [attribute])])
    let object = ManagedObject("A", 1, values: ["s": .string("title")])
    let masked = try mask([object], MaskedFields(["A.s"], model: model), model: model, seed: 1)
    let text = try #require(masked.first?.values["s"]?.text)
    #expect(text != "title" && text.contains("title"))
  }

  @Test func `Only the fields that are named are masked, and others are refused`() throws {
    let (objects, model) = try sample(.sampleModel2(2), 12)
    let masked = try mask(objects, try MaskedFields(["Book.title"], model: model), model: model, seed: 1)
    for (before, after) in zip(objects, masked) {
      let changed = before.values.filter { after.values[$0.key] != $0.value }.map(\.key)
      #expect(changed == (before.values["title"] == nil ? [] : ["title"]))
    }
    #expect(try mask(objects, MaskedFields([], model: model), model: model, seed: 1) == objects)
    let error = #expect(throws: DiagnosticsError.self) { try MaskedFields(["Book.titel"], model: model) }
    #expect(error?.diagnostics.first?.help == ["did you mean 'Book.title'?"])
  }
}
