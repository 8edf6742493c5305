import Foundation
import ManagedModel
import TestSupport

/// The town of the book's predicates: residents with and without cars, cities with and without mayors.
enum Town {
  static let model = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "City",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "alpha3Code", type: .string, isOptional: true),
          AttributeDescription(name: "hidden", type: .boolean, isOptional: true),
          AttributeDescription(name: "founded", type: .date, isOptional: true),
          AttributeDescription(name: "area", type: .double, isOptional: true),
          AttributeDescription(name: "budget", type: .decimal, isOptional: true),
          AttributeDescription(name: "id", type: .uuid, isOptional: true),
          AttributeDescription(name: "site", type: .uri, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(name: "mayor", destinationEntityName: "Person", inverseName: "governs"),
          RelationshipDescription(
            name: "residents", destinationEntityName: "Person", inverseName: "home", maxCount: 0),
          RelationshipDescription(
            name: "visitors", destinationEntityName: "Person", inverseName: "visited", maxCount: 0,
            isOrdered: true),
        ]),
      EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription(name: "age", type: .integer16),
          AttributeDescription(name: "name", type: .string, isOptional: true),
          AttributeDescription(name: "carsOwnedCount", type: .integer16, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(name: "home", destinationEntityName: "City", inverseName: "residents"),
          RelationshipDescription(name: "governs", destinationEntityName: "City", inverseName: "mayor"),
          RelationshipDescription(
            name: "visited", destinationEntityName: "City", inverseName: "visitors", maxCount: 0),
        ]),
    ])

  static let uuid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID()

  static let objects: [ManagedObject] = [
    ManagedObject(
      "City", 1,
      values: [
        "name": .string("Kapstadt"), "alpha3Code": .string("ZAF"), "hidden": .boolean(true),
        "founded": .date(86_400), "area": .double(2.5), "budget": .decimal(Decimal(string: "10.11") ?? 0),
        "id": .uuid(uuid), "site": .uri("https://example.org/a/b.html?q=1"),
      ],
      toOne: ["mayor": person(1)],
      toMany: ["residents": [person(1), person(2), person(3)], "visitors": [person(4), person(1)]]),
    ManagedObject("City", 2, values: ["name": .string("Zürich"), "hidden": .boolean(false)]),
    ManagedObject(
      "Person", 1, values: ["age": .integer(32), "name": .string("Ann"), "carsOwnedCount": .integer(2)],
      toOne: ["home": city(1), "governs": city(1)], toMany: ["visited": [city(1)]]),
    ManagedObject(
      "Person", 2, values: ["age": .integer(20), "name": .string("ánn")], toOne: ["home": city(1)]),
    ManagedObject(
      "Person", 3, values: ["age": .integer(24), "carsOwnedCount": .integer(1)], toOne: ["home": city(1)]),
    ManagedObject(
      "Person", 4, values: ["age": .integer(50), "name": .string("Bo")], toMany: ["visited": [city(1)]]),
  ]

  static func graph() -> ObjectGraph { ObjectGraph(objects, model: model) }

  static func city(_ key: Int64) -> ManagedObject.ID { ManagedObject.ID(entityName: "City", primaryKey: key) }
  static func person(_ key: Int64) -> ManagedObject.ID {
    ManagedObject.ID(entityName: "Person", primaryKey: key)
  }

  /// One moment: 2001-01-01 00:16:40 UTC.
  static func context(_ variables: [String: ExpressionValue] = [:]) -> EvaluationContext {
    var context = EvaluationContext(now: 1_000)
    context.variables = variables
    return context
  }

  /// The value of an expression for a city or person, as its text; ``describe(_:)``.
  static func evaluated(_ text: String, on id: ManagedObject.ID = city(1)) throws -> String {
    let graph = graph()
    let object = graph.value(id)
    let value = try evaluate(
      parseExpression(text), on: object,
      in: context(["source": object, "manager": .object(Manager())]))
    return describe(value)
  }

  /// Kind and value, so that `2` and `2.0` differ: `2`, `2.0 double`, `2 decimal`, `'two'`.
  static func describe(_ value: ExpressionValue) -> String {
    switch value {
    case .null: return "nil"
    case .boolean(let flag): return flag ? "TRUE" : "FALSE"
    case .integer(let number): return "\(number)"
    case .double(let number): return "\(number) double"
    case .decimal(let number): return "\(number) decimal"
    case .string(let text): return "'\(text)'"
    case .date(let seconds): return "date \(seconds)"
    case .binary(let data): return "\(data.count) bytes"
    case .uuid(let value): return "uuid \(value.uuidString)"
    case .uri(let text): return "uri \(text)"
    case .object(let object):
      guard let id = (object as? GraphObject)?.id else { return "object" }
      return "\(id.entityName)\(id.primaryKey)"
    case .collection(let collection):
      let elements = collection.elements.map(describe).joined(separator: ", ")
      return collection.kind == .array ? "[\(elements)]" : "{\(elements)}"
    case .dictionary(let entries):
      return "["
        + entries.sorted { $0.key < $1.key }.map { "\($0.key): \(describe($0.value))" }
        .joined(separator: ", ") + "]"
    }
  }
}

/// Answers as a migration manager does.
struct Manager: EvaluatedObject {
  var expressionIdentity: AnyHashable { "manager" }

  func expressionValue(forKey key: String) throws -> ExpressionValue {
    guard key == "sourceContext" else { throw EvaluationError.unknownKey(key, of: "the manager") }
    return .string("source context")
  }

  func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue {
    switch selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return .collection(ValueCollection(arguments))
    case "sourceContext": return .string("source context")
    default: throw EvaluationError.unknownSelector(selector, of: "the manager")
    }
  }
}
