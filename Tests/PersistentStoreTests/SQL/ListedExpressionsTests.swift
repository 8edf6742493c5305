import Foundation
import GRDB
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@testable import ManagedModel

/// A predicate of the books and slides that the project began with, word for word where it has no ellipsis, and the
/// objects of ``Atlas`` that satisfy it.
struct ListedPredicate: Sendable, CustomTestStringConvertible {
  var entity: String
  var predicate: String
  var keys: [Int64]
  /// Whether it asks for a value that only the caller of a fetch has.
  var hasVariable: Bool

  var testDescription: String { predicate }

  init(_ entity: String, _ predicate: String, _ keys: Int64..., hasVariable: Bool = false) {
    self.entity = entity
    self.predicate = predicate
    self.keys = keys
    self.hasVariable = hasVariable
  }
}

private let predicates: [ListedPredicate] = [
  ListedPredicate("Person", "age == 32", 1), ListedPredicate("Person", "age <= 30", 2, 3, 4),
  ListedPredicate("Person", "carsOwnedCount != 2 AND carsOwnedCount != nil", 3, 5),
  ListedPredicate("Person", "age BETWEEN {23, 28}", 3),
  ListedPredicate("Person", "age IN {16, 32, 64}", 1, 4),
  ListedPredicate("Person", "NOT age == 24", 1, 2, 4, 5), ListedPredicate("City", "mayor.age > 30", 1, 2),
  ListedPredicate("City", "ANY residents.age <= 20", 1, 2),
  ListedPredicate("City", "(SUBQUERY(residents, $x, $x.age >= 36).@count == 0)", 1, 3),
  ListedPredicate("City", "SUBQUERY(residents,$x,$x.age < 36).@count == residents.@count", 1, 3),
  ListedPredicate("City", "SUBQUERY(residents,$x,$x.age < 25 AND $x.carsOwnedCount == 2).@count != 0", 2),
  ListedPredicate("City", "ANY residents.age < 25 AND ANY residents.carsOwnedCount == 2", 1, 2),
  ListedPredicate("Person", "self IN $people", 1, 3, hasVariable: true),
  ListedPredicate("City", "visitors CONTAINS $x AND visitors.@count >= 3", 1, hasVariable: true),
  ListedPredicate("City", "alpha3Code ==[n] \"ZAF\"", 1),
  ListedPredicate("City", "alpha3Code BEGINSWITH[n] \"A\"", 2),
  ListedPredicate("City", "alpha3Code ENDSWITH[n] \"S\"", 3),
  ListedPredicate("City", "alpha3Code CONTAINS[n] \"H\"", 3),
  ListedPredicate("City", "alpha3Code LIKE[n] \"?A?\"", 1),
  ListedPredicate("City", "alpha3Code MATCHES[n] \"[AB][FLH](.)\"", 2, 3),
  ListedPredicate("City", "alpha3Code IN[n] {\"ZAF\", \"BHS\"}", 1, 3),
  ListedPredicate("City", "name BEGINSWITH[cd] 'zur'", 2),
  ListedPredicate("City", "markedForDeletionDate == NULL", 1, 3), ListedPredicate("City", "hidden", 1),
  ListedPredicate("City", "TRUEPREDICATE", 1, 2, 3),
  ListedPredicate("Song", "title contains[dc] $searchValue", 1, hasVariable: true),
  ListedPredicate(
    "Song", "normalizedTitle >= $prefix and normalizedTitle < $nextPrefix", 1, hasVariable: true),
  ListedPredicate("Playlist", "songs.@count == 0", 3),
  ListedPredicate("Playlist", "SUBQUERY(songs, $s, $s.length > 600).@count > 0", 1, 2),
  ListedPredicate("Playlist", "sum:(songs.length) > 700", 1),
]

/// A value expression, the entity of `$source`, the values that it has, and the attribute that they are for; nil if
/// it calls a method, which has no form in SQL.
struct ListedValue: Sendable, CustomTestStringConvertible {
  var entity: String
  var expression: String
  var values: [String]
  var type: AttributeType?

  var testDescription: String { expression }

  init(_ entity: String, _ expression: String, _ values: [String], _ type: AttributeType? = nil) {
    (self.entity, self.expression, self.values, self.type) = (entity, expression, values, type)
  }
}

private let lookup = "destinationInstancesForEntityMappingNamed:sourceInstances:"

private let values: [ListedValue] = [
  ListedValue("Playlist", "songs.@count", ["2", "1", "0"], .integer64),
  ListedValue("Playlist", "sum:(songs.length)", ["800", "601", "0"], .integer64),
  ListedValue("City", "$source.mayor.age", ["32", "40", "nil"], .integer16),
  ListedValue("City", "$source.name", ["Kapstadt", "Zürich", "nil"], .string),
  ListedValue("City", "uppercase:($source.name)", ["KAPSTADT", "ZÜRICH", "nil"], .string),
  ListedValue(
    "Person", "FUNCTION($manager, \"\(lookup)\", \"CityToCity\", $source.home)",
    [
      "\(lookup) CityToCity City1", "\(lookup) CityToCity City1", "\(lookup) CityToCity City1",
      "\(lookup) CityToCity City2", "\(lookup) CityToCity City2",
    ]),
  ListedValue(
    "City", "FUNCTION($manager, \"\(lookup)\", \"PersonToPerson\", $source.residents)",
    [
      "\(lookup) PersonToPerson Person1+Person2+Person3", "\(lookup) PersonToPerson Person4+Person5",
      "\(lookup) PersonToPerson ",
    ]),
  ListedValue(
    "City",
    "FUNCTION($manager, \"\(lookup)\", \"CityToCity\", $source.residents.@distinctUnionOfSets.visited)",
    ["\(lookup) CityToCity City1", "\(lookup) CityToCity City1", "\(lookup) CityToCity "]),
  ListedValue(
    "City", "FUNCTION($manager, \"\(lookup)\", \"CityToCity\", $source)",
    ["City1", "City2", "City3"].map { "\(lookup) CityToCity \($0)" }),
  ListedValue(
    "City", "destinationInstances(\"CityToCity\", $source)",
    ["City1", "City2", "City3"].map { "\(lookup) CityToCity \($0)" }),
  ListedValue(
    "City",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Person\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)",
    Array(
      repeating: "fetched fetchRequestForSourceEntityNamed:predicateString: Person TRUEPREDICATE", count: 3)),
  ListedValue(
    "City", "FUNCTION($manager,\"sourceContext\")", Array(repeating: "sourceContext", count: 3)),
  ListedValue(
    "City", "FUNCTION($entityPolicy, \"typeForIsSaved:\", $source.hidden)",
    ["typeForIsSaved: 1", "typeForIsSaved: 0", "typeForIsSaved: nil"]),
]

@Suite struct `Expressions of the books and slides` {
  @Test(arguments: predicates)
  func `A predicate is read, fits its entity, and finds the same in memory and in SQL`(
    _ listed: ListedPredicate
  ) throws {
    let predicate = try parsePredicate(listed.predicate)
    #expect(try parsePredicate(predicate.predicateFormat) == predicate)
    let hierarchy = EntityHierarchy(Atlas.model)
    let variables = listed.hasVariable ? ["x": "Person"] : [:]
    let findings = checkPredicate(
      predicate, forEntity: listed.entity, in: hierarchy, variables: variables)
    // `NOT age == 24` drops those without an age, as the warning says; all have one here.
    #expect(findings.filter { $0.severity >= .warning && $0.code != .dropsMissingValues } == [])

    let graph = ObjectGraph(Atlas.objects, model: Atlas.model)
    var context = EvaluationContext(now: 0)
    context.variables = Atlas.variables(graph)
    let candidates = Atlas.objects.filter { $0.id.entityName == listed.entity }.map(\.id.primaryKey)
    let found = try candidates.filter { key in
      try evaluate(predicate, on: graph.value(listed.entity, key), in: context)
    }
    #expect(found == listed.keys)

    try withNewStore(of: Atlas.model, objects: Atlas.objects) { db, schema, _ in
      db.registerFetchFunctions()
      db.registerExpressionFunctions()
      let rows = ObjectRows(db, schema: schema, model: Atlas.model)
      var fetch = ObjectFetch(entityName: listed.entity, predicate: predicate)
      fetch.arguments = Atlas.arguments
      #expect(try rows.fetch(fetch).map(\.primaryKey) == listed.keys)
      if listed.hasVariable { return }
      let trial = try ValueTrial(db, schema, Atlas.model)
      #expect(try trial.differences(predicate, listed.entity) == [])
    }
  }

  @Test(arguments: values)
  func `A value expression is read, checked and evaluated, and has the same value in SQL`(
    _ listed: ListedValue
  ) throws {
    let expression = try parseExpression(listed.expression)
    #expect(try parseExpression(expression.description) == expression)
    try withNewStore(of: Atlas.model, objects: Atlas.objects) { db, schema, _ in
      db.registerExpressionFunctions()
      let trial = try ValueTrial(db, schema, Atlas.model)
      #expect(check(expression, listed).filter { $0.severity >= .warning } == [])
      let found = try (trial.keys[listed.entity] ?? []).map { id in
        try text(of: expression, on: trial.graph.value(id))
      }
      #expect(found == listed.values)
      var compiler = try RowCompiler(listed.entity, schema: schema, model: Atlas.model)
      guard let type = listed.type else {
        #expect(throws: NotExpressibleInSQL.self) {
          try compiler.value(expression, as: Ledger.attribute("result", .string))
        }
        return
      }
      let attribute = Ledger.attribute("result", type)
      #expect(throws: Never.self) { try compiler.value(expression, as: attribute) }
      #expect(try trial.differences(expression, listed.entity, as: attribute) == [])
    }
  }

  private func check(_ expression: ManagedModel.Expression, _ listed: ListedValue) -> [Diagnostic] {
    let hierarchy = EntityHierarchy(Atlas.model)
    let names = Atlas.model.entities.map(\.name)
    let mappings = names.map { name in
      ("\(name)To\(name)", MappingExpressionContext.MappedEntities(source: name, destination: name))
    }
    let context = MappingExpressionContext(
      source: hierarchy, destination: hierarchy, sourceEntityName: listed.entity,
      destinationEntityName: listed.entity, mappings: Dictionary(mappings) { first, _ in first },
      hasPolicy: true)
    let found = expression.findings(for: .key, in: context).diagnostics
    // What a method gives is not a single value, which is for a relationship to take.
    return listed.type == nil ? found.filter { $0.code.description != "MC4202" } : found
  }

  private func text(of expression: ManagedModel.Expression, on object: ExpressionValue) throws -> String {
    var context = EvaluationContext(now: 0)
    context.variables = [
      "source": object, "manager": .object(Answering()), "entityPolicy": .object(Answering()),
    ]
    context.fetch = { request, place, countOnly in
      #expect(Atlas.text(place) == "sourceContext" && !countOnly)
      return .string("fetched " + Atlas.text(request))
    }
    return Atlas.text(try evaluate(expression, on: object, in: context))
  }
}

/// Stands for a migration manager or a policy, and answers with what it is asked.
private struct Answering: EvaluatedObject {
  var expressionIdentity: AnyHashable { "answering" }

  func expressionValue(forKey key: String) throws -> ExpressionValue { .string(key) }

  func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue {
    .string(([selector] + arguments.map(Atlas.text)).joined(separator: " "))
  }
}

/// Cities with their people, and playlists with their songs.
private enum Atlas {
  private static func toMany(
    _ name: String, _ entity: String, _ inverse: String
  ) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationEntityName: entity, inverseName: inverse, maxCount: 0)
  }

  private static func toOne(
    _ name: String, _ entity: String, _ inverse: String
  ) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationEntityName: entity, inverseName: inverse)
  }

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "City",
      attributes: [
        Ledger.attribute("name", .string), Ledger.attribute("alpha3Code", .string),
        Ledger.attribute("hidden", .boolean), Ledger.attribute("markedForDeletionDate", .date),
      ],
      relationships: [
        toOne("mayor", "Person", "governs"), toMany("residents", "Person", "home"),
        toMany("visitors", "Person", "visited"),
      ]),
    EntityDescription(
      name: "Person",
      attributes: [Ledger.attribute("age", .integer16), Ledger.attribute("carsOwnedCount", .integer16)],
      relationships: [
        toOne("governs", "City", "mayor"), toOne("home", "City", "residents"),
        toMany("visited", "City", "visitors"),
      ]),
    EntityDescription(name: "Playlist", relationships: [toMany("songs", "Song", "playlist")]),
    EntityDescription(
      name: "Song",
      attributes: [
        Ledger.attribute("title", .string), Ledger.attribute("normalizedTitle", .string),
        Ledger.attribute("length", .integer32),
      ],
      relationships: [toOne("playlist", "Playlist", "songs")]),
  ])

  private static func id(_ entity: String, _ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: entity, primaryKey: key)
  }

  private static func person(
    _ key: Int64, _ age: Int64, _ cars: Int64?, home: Int64, governs: Int64?, visited: [Int64]
  ) -> ManagedObject {
    var values: [String: AttributeValue] = ["age": .integer(age)]
    values["carsOwnedCount"] = cars.map { .integer($0) }
    var toOne = ["home": id("City", home)]
    toOne["governs"] = governs.map { id("City", $0) }
    return ManagedObject(
      "Person", key, values: values, toOne: toOne, toMany: ["visited": visited.map { id("City", $0) }])
  }

  private static func city(
    _ key: Int64, _ values: [String: AttributeValue], mayor: Int64?, residents: [Int64], visitors: [Int64]
  ) -> ManagedObject {
    var toOne: [String: ManagedObject.ID] = [:]
    toOne["mayor"] = mayor.map { id("Person", $0) }
    return ManagedObject(
      "City", key, values: values, toOne: toOne,
      toMany: [
        "residents": residents.map { id("Person", $0) }, "visitors": visitors.map { id("Person", $0) },
      ])
  }

  private static func song(_ key: Int64, _ length: Int64, _ playlist: Int64, _ title: String?)
    -> ManagedObject
  {
    var values: [String: AttributeValue] = ["length": .integer(length)]
    values["title"] = title.map { .string($0) }
    values["normalizedTitle"] = title.map { .string(String($0.dropFirst()) == "toile" ? "etoile" : "boot") }
    return ManagedObject("Song", key, values: values, toOne: ["playlist": id("Playlist", playlist)])
  }

  static let objects: [ManagedObject] = [
    city(
      1, ["name": .string("Kapstadt"), "alpha3Code": .string("ZAF"), "hidden": .boolean(true)], mayor: 1,
      residents: [1, 2, 3], visitors: [1, 2, 4]),
    city(
      2,
      [
        "name": .string("Zürich"), "alpha3Code": .string("ALB"), "hidden": .boolean(false),
        "markedForDeletionDate": .date(1),
      ], mayor: 5, residents: [4, 5], visitors: []),
    city(3, ["alpha3Code": .string("BHS")], mayor: nil, residents: [], visitors: []),
    person(1, 32, 2, home: 1, governs: 1, visited: [1]),
    person(2, 20, nil, home: 1, governs: nil, visited: [1]),
    person(3, 24, 1, home: 1, governs: nil, visited: []),
    person(4, 16, 2, home: 2, governs: nil, visited: [1]),
    person(5, 40, 0, home: 2, governs: 2, visited: []),
    ManagedObject("Playlist", 1, toMany: ["songs": [id("Song", 1), id("Song", 2)]]),
    ManagedObject("Playlist", 2, toMany: ["songs": [id("Song", 3)]]), ManagedObject("Playlist", 3),
    song(1, 700, 1, "Étoile"), song(2, 100, 1, "Boot"), song(3, 601, 2, nil),
  ]

  static func variables(_ graph: ObjectGraph) -> [String: ExpressionValue] {
    [
      "people": .collection(ValueCollection([graph.value("Person", 1), graph.value("Person", 3)])),
      "x": graph.value("Person", 4), "searchValue": .string("ETO"), "prefix": .string("e"),
      "nextPrefix": .string("f"),
    ]
  }

  /// The same for SQL: a list as JSON, an object as its key.
  static let arguments: [String: StoredCell] = [
    "people": .text("[1, 3]"), "x": .integer(4), "searchValue": .text("ETO"), "prefix": .text("e"),
    "nextPrefix": .text("f"),
  ]

  static func text(_ value: ExpressionValue) -> String {
    switch value {
    case .object(let object): (object as? GraphObject).map { "\($0.id.entityName)\($0.id.primaryKey)" } ?? "?"
    case .collection(let collection): collection.elements.map(text).joined(separator: "+")
    case .null: "nil"
    case .boolean(let flag): flag ? "1" : "0"
    case .integer(let number): "\(number)"
    case .string(let text): text
    default: "\(value)"
    }
  }
}
