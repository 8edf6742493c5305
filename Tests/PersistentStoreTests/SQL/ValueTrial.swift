import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

/// What the rows of an entity give for one expression: in memory, and in SQL.
struct ValueTrial {
  /// A cell, or that the evaluation ended with an error.
  enum Outcome: Equatable, CustomStringConvertible {
    case cell(DatabaseValue)
    case failure(String)

    var description: String {
      switch self {
      case .cell(let value): "\(value)"
      case .failure(let message): "error: \(message)"
      }
    }
  }

  let db: Database
  let schema: StoreSchema
  let model: ManagedObjectModel
  let graph: ObjectGraph
  let keys: [String: [ManagedObject.ID]]
  static let now = 700_000_000.5

  init(_ db: Database, _ schema: StoreSchema, _ model: ManagedObjectModel) throws {
    self.db = db
    self.schema = schema
    self.model = model
    var objects: [ManagedObject] = []
    for entity in model.entities where entity.superentityName == nil {
      objects += try readObjects(ofEntity: entity.name, in: db, schema: schema, model: model)
    }
    graph = ObjectGraph(objects, model: model)
    var keys: [String: [ManagedObject.ID]] = [:]
    for object in objects {
      for entity in EntityHierarchy(model).lineage(of: object.id.entityName) {
        keys[entity.name, default: []].append(object.id)
      }
    }
    self.keys = keys
    db.registerFetchFunctions()
    db.registerExpressionFunctions()
  }

  /// In the order of the keys.
  func inMemory(
    _ expression: ManagedModel.Expression, _ entity: String, as attribute: AttributeDescription
  ) -> [Outcome] {
    let context = EvaluationContext(now: Self.now)
    return (keys[entity] ?? []).map { id in
      let object = graph.value(id)
      do {
        let value = try evaluate(expression, on: object, in: context.setting("source", object))
        guard let result = try value.attributeValue(as: attribute.type) else { return .cell(.null) }
        return storedCell(result, of: attribute).map { .cell($0.databaseValue) } ?? .failure("no cell")
      } catch {
        return .failure("\((error as? EvaluationError)?.message ?? "\(error)")")
      }
    }
  }

  func inMemory(_ predicate: ManagedModel.Predicate, _ entity: String) -> [Outcome] {
    let context = EvaluationContext(now: Self.now)
    return (keys[entity] ?? []).map { id in
      let object = graph.value(id)
      do {
        let holds = try evaluate(predicate, on: object, in: context.setting("source", object))
        return .cell((holds ? 1 : 0).databaseValue)
      } catch {
        return .failure("\((error as? EvaluationError)?.message ?? "\(error)")")
      }
    }
  }

  /// Row by row, so that an error of one row does not hide the others.
  func inSQL(_ sql: String, _ compiler: RowCompiler, _ entity: String) throws -> [Outcome] {
    let bound = Dictionary(uniqueKeysWithValues: compiler.parameters.map { ($0, Self.now) })
    let condition = compiler.isOfEntity(includesSubentities: true)
    let statement = try db.makeStatement(
      sql:
        "SELECT typeof(value), value, CAST(value AS BLOB) FROM (SELECT \(sql) AS value FROM \(compiler.from) WHERE \(condition) AND t0.Z_PK = :modelc_key)"
    )
    return (keys[entity] ?? []).map { id in
      do {
        var arguments = StatementArguments(bound)
        arguments += StatementArguments(["modelc_key": id.primaryKey])
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return .failure("no row") }
        // As bytes, because GRDB ends text at a zero byte.
        guard String.fromDatabaseValue(row[0]) == "text" else { return .cell(row[1]) }
        return .cell(String(decoding: Data.fromDatabaseValue(row[2]) ?? Data(), as: UTF8.self).databaseValue)
      } catch {
        return .failure((error as? DatabaseError)?.message ?? "\(error)")
      }
    }
  }

  /// Compares the two; an error of one must be an error of the other, whatever its words.
  ///
  /// - Returns: nil if the expression has no form in SQL; else what differs.
  func differences(
    _ expression: ManagedModel.Expression, _ entity: String, as attribute: AttributeDescription
  ) throws -> [String]? {
    var compiler = try RowCompiler(entity, schema: schema, model: model)
    guard let sql = try? compiler.value(expression, as: attribute) else { return nil }
    let memory = inMemory(expression, entity, as: attribute)
    return differences(memory, try inSQL(sql, compiler, entity), sql)
  }

  func differences(_ predicate: ManagedModel.Predicate, _ entity: String) throws -> [String]? {
    var compiler = try RowCompiler(entity, schema: schema, model: model)
    guard let sql = try? compiler.condition(predicate) else { return nil }
    return differences(inMemory(predicate, entity), try inSQL(sql, compiler, entity), sql)
  }

  private func differences(_ memory: [Outcome], _ sql: [Outcome], _ text: String) -> [String] {
    zip(memory, sql).enumerated().compactMap { row, pair in
      switch pair {
      case (.failure, .failure): return nil
      case (.cell(let left), .cell(let right)) where left.isSameCell(as: right): return nil
      default: return "row \(row): in memory \(pair.0), in SQL \(pair.1): \(text)"
      }
    }
  }
}

extension DatabaseValue {
  /// Numbers are equal across SQLite's two kinds; a column's affinity makes them so.
  fileprivate func isSameCell(as other: DatabaseValue) -> Bool {
    switch (storage, other.storage) {
    case (.int64(let number), .double(let value)), (.double(let value), .int64(let number)):
      Double(number) == value
    // What SQLite would make a number of in a column of numeric affinity.
    case (.double(let value), .string(let text)), (.string(let text), .double(let value)):
      Double(text) == value
    default: self == other
    }
  }
}

/// A store with rows that have every kind of value, and none.
enum Ledger {
  static let model = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "Account",
        attributes: [
          attribute("small", .integer16), attribute("large", .integer64), attribute("rate", .double),
          attribute("sum", .decimal), attribute("isOpen", .boolean), attribute("name", .string),
          attribute("other", .string), attribute("opened", .date), attribute("code", .uuid),
          attribute("site", .uri), attribute("data", .binary),
        ],
        relationships: [
          RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "accounts"),
          RelationshipDescription(
            name: "entries", destinationEntityName: "Entry", inverseName: "account", maxCount: 0),
          RelationshipDescription(
            name: "tags", destinationEntityName: "Tag", inverseName: "accounts", maxCount: 0, isOrdered: true),
        ]),
      EntityDescription(
        name: "Savings", superentityName: "Account", attributes: [attribute("term", .integer32)]),
      EntityDescription(
        name: "Owner", attributes: [attribute("name", .string), attribute("age", .integer16)],
        relationships: [
          RelationshipDescription(
            name: "accounts", destinationEntityName: "Account", inverseName: "owner", maxCount: 0),
          RelationshipDescription(name: "partner", destinationEntityName: "Owner", inverseName: "partner"),
        ]),
      EntityDescription(
        name: "Entry",
        attributes: [
          attribute("amount", .integer32), attribute("price", .decimal), attribute("weight", .double),
          attribute("text", .string), attribute("date", .date),
        ],
        relationships: [
          RelationshipDescription(name: "account", destinationEntityName: "Account", inverseName: "entries")
        ]),
      EntityDescription(
        name: "Tag", attributes: [attribute("name", .string)],
        relationships: [
          RelationshipDescription(
            name: "accounts", destinationEntityName: "Account", inverseName: "tags", maxCount: 0)
        ]),
    ])

  static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true)
  }

  /// Fractions are of powers of two, so that sums are the same in any order.
  static func objects(_ random: inout SeededGenerator) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for key in 1...Int64(4) {
      objects.append(ManagedObject("Tag", key, values: some(["name": .string(random.pick(texts))], &random)))
      let partner: [String: ManagedObject.ID] =
        key % 2 == 0 ? ["partner": ManagedObject.ID(entityName: "Owner", primaryKey: key - 1)] : [:]
      let owner: [String: AttributeValue] = [
        "name": .string(random.pick(texts)), "age": .integer(random.pick([0, 1, 32, -5])),
      ]
      objects.append(ManagedObject("Owner", key, values: some(owner, &random), toOne: partner))
    }
    for key in 1...Int64(9) { objects.append(account(key, &random)) }
    for key in 1...Int64(16) {
      let values: [String: AttributeValue] = [
        "amount": .integer(random.pick([0, 1, -3, 7, 2_147_483_647])),
        "price": .decimal(random.pick(decimals)), "weight": .double(random.pick([0, 0.5, -1.25, 3])),
        "text": .string(random.pick(texts)), "date": .date(random.pick([0, 86_400.5, -1])),
      ]
      let account: [String: ManagedObject.ID] =
        key % 5 == 0 ? [:] : ["account": id(Int64.random(in: 1...9, using: &random))]
      objects.append(ManagedObject("Entry", key, values: some(values, &random), toOne: account))
    }
    return objects
  }

  private static func account(_ key: Int64, _ random: inout SeededGenerator) -> ManagedObject {
    var values: [String: AttributeValue] = [
      "small": .integer(random.pick([0, 1, 2, -7, 32_767, -32_768])),
      "large": .integer(random.pick([0, 3, 10, .max, .min, 1 << 53 + 1])),
      "rate": .double(random.pick([0, 0.5, 2, -3.75, 1e18, 0.1])), "sum": .decimal(random.pick(decimals)),
      "isOpen": .boolean(random.pick([true, false])), "name": .string(random.pick(texts)),
      "other": .string(random.pick(texts)), "opened": .date(random.pick([0, 700_000_000, 0.25, -86_400])),
      "code": .uuid(random.pick(uuids)), "site": .uri(random.pick(["https://a.org/b.c", "x:y"])),
      "data": .binary(Data([1, 2])),
    ]
    let isSavings = key % 3 == 0
    if isSavings { values["term"] = .integer(random.pick([1, 12])) }
    var tags: [ManagedObject.ID] = []
    for tag in 1...Int64(4) where Bool.random(using: &random) {
      tags.append(ManagedObject.ID(entityName: "Tag", primaryKey: tag))
    }
    tags.shuffle(using: &random)
    let owner: [String: ManagedObject.ID] =
      key % 4 == 0
      ? [:]
      : ["owner": ManagedObject.ID(entityName: "Owner", primaryKey: Int64.random(in: 1...4, using: &random))]
    return ManagedObject(
      isSavings ? "Savings" : "Account", key, values: some(values, &random), toOne: owner,
      toMany: ["tags": tags])
  }

  private static func id(_ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: key % 3 == 0 ? "Savings" : "Account", primaryKey: key)
  }

  /// Without about a quarter of the values.
  private static func some(
    _ values: [String: AttributeValue], _ random: inout SeededGenerator
  ) -> [String: AttributeValue] {
    var kept: [String: AttributeValue] = [:]
    for key in values.keys.sorted() where Int.random(in: 0..<4, using: &random) > 0 {
      kept[key] = values[key]
    }
    return kept
  }

  static let texts = [
    "", "a", "A", "ä", "Ab", "b", "12", "1.5", "Zürich", "a\0b", " x ", "aXbX", "é👩‍👩‍👧", "2001-01-02",
  ]
  static let decimals = ["0", "1.5", "-2.25", "10.11", "0.1", "123456.789"].compactMap { Decimal(string: $0) }
  static let uuids = [
    "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "00000000-0000-0000-0000-000000000001",
  ].compactMap { UUID(uuidString: $0) }
}
