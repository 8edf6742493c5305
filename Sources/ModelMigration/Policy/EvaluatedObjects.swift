public import ManagedModel
import PersistentStore

extension MigratingObject: EvaluatedObject {
  /// The context and the object's identity.
  public var expressionIdentity: AnyHashable {
    [AnyHashable(ObjectIdentifier(managedObjectContext)), AnyHashable(id)]
  }

  /// The value of a property, as an expression reads it.
  public func expressionValue(forKey key: String) throws -> ExpressionValue {
    guard let property = shape.properties[key] else {
      throw EvaluationError.unknownKey(key, of: "an object of '\(shape.name)'")
    }
    switch property {
    case .attribute(let attribute): return ExpressionValue(try attributeValue(attribute, key))
    case .toOne: return try relatedObjects(key).first.map { .object($0) } ?? .null
    case .toMany(let toMany):
      let members = try relatedObjects(key).map { ExpressionValue.object($0) }
      return .collection(ValueCollection(members, as: toMany.isOrdered ? .orderedSet : .set))
    case .composite(let paths):
      var elements: [String: ExpressionValue] = [:]
      for path in paths {
        elements[String(path.dropFirst(key.count + 1))] = try expressionValue(forKey: path)
      }
      return .dictionary(elements)
    case .transient: return .null
    }
  }
}

/// The migration manager in an expression: `$manager`.
struct ManagerObject: EvaluatedObject {
  unowned let manager: MigrationManager

  var expressionIdentity: AnyHashable { ObjectIdentifier(manager) }

  func expressionValue(forKey key: String) throws -> ExpressionValue {
    switch key {
    // The second argument of a `FETCH`.
    case "sourceContext", "destinationContext":
      let context = key == "sourceContext" ? manager.sourceContext : manager.destinationContext
      return .object(NamedObject(expressionIdentity: ObjectIdentifier(context), name: "a context"))
    default: throw EvaluationError.unknownKey(key, of: "the migration manager")
    }
  }

  func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue {
    switch (selector, arguments.count) {
    case ("destinationInstancesForEntityMappingNamed:sourceInstances:", 2):
      let sources = try objects(arguments[1])
      return collection(try manager.destinations(try text(arguments[0]), sources))
    case ("destinationInstancesForSourceRelationshipNamed:sourceInstances:", 2):
      let entity = manager.currentEntityMapping.destinationEntityName ?? ""
      let sources = try objects(arguments[1])
      return collection(try manager.destinations(reachableBy: try text(arguments[0]), of: entity, sources))
    case ("sourceInstancesForEntityMappingNamed:destinationInstances:", 2):
      let found = manager.sourceInstances(
        forEntityMappingName: try text(arguments[0]), destinationInstances: try objects(arguments[1]))
      return .collection(ValueCollection(found.map { .object($0) }))
    case ("fetchRequestForSourceEntityNamed:predicateString:", 2):
      let request = manager.fetchRequest(
        forSourceEntityNamed: try text(arguments[0]), predicateString: try text(arguments[1]))
      return .object(
        NamedObject(
          expressionIdentity: request.entityName + (request.predicate.map { "\($0)" } ?? ""),
          name: "a fetch request", values: ["entityName": .string(request.entityName)]))
    case ("sourceContext", 0), ("destinationContext", 0): return try expressionValue(forKey: selector)
    default: throw EvaluationError.unknownSelector(selector, of: "the migration manager")
    }
  }

  private func text(_ value: ExpressionValue) throws -> String {
    guard case .string(let text) = value else {
      throw EvaluationError("expected a name, found \(value.label)")
    }
    return text
  }

  private func objects(_ value: ExpressionValue) throws -> [MigratingObject] {
    try value.elements.flatMap { element -> [MigratingObject] in
      switch element {
      // A key path over a to-many leaves nil out, as a set's `value(forKeyPath:)` does.
      case .null: return []
      // `$sources.books` is a set of books for each of the sources.
      case .collection: return try objects(element)
      case .object(let object as MigratingObject): return [object]
      default: throw EvaluationError("expected objects, found \(element.label)")
      }
    }
  }

  private func collection(_ ids: [ManagedObject.ID]) -> ExpressionValue {
    let objects = ids.compactMap { manager.destinationContext.object($0) }
    return .collection(ValueCollection(objects.map { .object($0) }))
  }
}

/// A context or a fetch request in an expression.
struct NamedObject: EvaluatedObject {
  let expressionIdentity: AnyHashable
  let name: String
  var values: [String: ExpressionValue] = [:]

  func expressionValue(forKey key: String) throws -> ExpressionValue {
    guard let value = values[key] else { throw EvaluationError.unknownKey(key, of: name) }
    return value
  }
}

/// A policy in an expression: `FUNCTION($entityPolicy, "selector:", argument)`.
struct PolicyObject: EvaluatedObject {
  let policy: EntityMigrationPolicy

  var expressionIdentity: AnyHashable { ObjectIdentifier(policy) }

  func expressionValue(forKey key: String) throws -> ExpressionValue { try perform(key, with: []) }

  func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue {
    try ExpressionValue(operand: policy.perform(selector, with: arguments.map(\.foundationValue)) as Any)
  }
}

/// The keys of `$entityMapping` and `$propertyMapping`.
func expressionValue(of mapping: EntityMapping) -> ExpressionValue {
  .dictionary([
    "name": .string(mapping.name),
    "sourceEntityName": mapping.sourceEntityName.map { .string($0) } ?? .null,
    "destinationEntityName": mapping.destinationEntityName.map { .string($0) } ?? .null,
    "userInfo": .dictionary(mapping.userInfo.mapValues { .string($0) }),
  ])
}

func expressionValue(of mapping: PropertyMapping) -> ExpressionValue {
  .dictionary([
    "name": .string(mapping.name), "userInfo": .dictionary(mapping.userInfo.mapValues { .string($0) }),
  ])
}
