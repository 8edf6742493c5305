import Expressions
public import ManagedModel
public import ModelMapping
import PersistentStore

extension EntityDescription {
  /// A new object with the model's default values, as ported code makes it.
  ///
  /// What goes wrong (an unknown or abstract entity, the source's context) ends the migration after the callback; the
  /// object is then one that nothing is done with.
  public static func insertNewObject(
    forEntityName entityName: String, into context: ManagedObjectContext
  ) -> MigratingObject {
    MigratingObject(entityNamed: entityName, insertInto: context)
  }

  /// The entity of a context's model; nil where it has none of that name.
  public static func entity(
    forEntityName entityName: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.hierarchy.entity(named: entityName)
  }
}

extension MigratingObject {
  /// `ManagedObject(entity: description, insertInto: context)`; see ``ManagedModel/EntityDescription/insertNewObject(forEntityName:into:)``.
  public convenience init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
    self.init(entityNamed: entity.name, insertInto: context)
  }

  convenience init(entityNamed name: String, insertInto context: ManagedObjectContext) {
    let place = context.recording(nil, nil) { try context.place(forNew: name) }
    self.init(inserting: place?.key ?? 0, place?.shape ?? .missing(name), context)
    if place != nil { context.adopt(self) }
  }
}

extension PropertyMapping {
  /// The value expression as ported code evaluates it; nil where the property keeps its default.
  public var valueExpression: ValueExpression? {
    if case .constant = value { return nil }
    return ValueExpression(mapping: self)
  }
}

/// A property mapping's value expression (`NSExpression`).
public struct ValueExpression {
  let mapping: PropertyMapping

  /// Its value for a source object; nil where it has none.
  ///
  /// What goes wrong ends the migration after the callback. An expression that asks the migration manager is evaluated
  /// by ``MigrationManager/value(of:forSource:)``.
  ///
  /// - Parameter context: taken for Core Data's sake; `$source` is the object.
  public func expressionValue(with object: Any?, context: Any?) -> Any? {
    guard let source = object as? MigratingObject else { return nil }
    return source.managedObjectContext.recording(source, mapping.name) { () -> Any? in
      switch mapping.value {
      case .expression(let expression):
        let context = EvaluationContext.ofRun(["source": .object(source)])
        let value = try evaluate(expression, on: .object(source), in: context)
        if case .object(let object) = value { return object as? MigratingObject }
        return value.plainAttributeValue?.foundationValue
      case .source, .converted, .defaulted:
        return mapping.value.sourceName.flatMap { source.value(forKey: $0) }
      case .constant(let value): return value?.foundationValue
      }
    } ?? nil
  }
}
