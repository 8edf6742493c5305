public import ManagedModel
import PersistentStore

extension PropertyMapping {
  /// The value expression as ported code evaluates and sets it; nil if the property keeps its default.
  ///
  /// What a policy sets holds for the default work of the property's mapping from then on: for
  /// `super.createDestinationInstances`, and `super.createRelationships` for a relationship. Properties of mappings that
  /// did not come from a running migration take nothing.
  public var valueExpression: ValueExpression? {
    get {
      if let expression = (setExpressions as? SetExpressions)?.byProperty[name] { return expression }
      if case .constant = value { return nil }
      return ValueExpression(.mapping(name, value))
    }
    nonmutating set {
      (setExpressions as? SetExpressions)?.byProperty.updateValue(newValue, forKey: name)
    }
  }
}

/// What a policy has set in the place of a mapping's value expressions, by property; nil leaves the default.
///
/// Only the thread of the passes reads it.
final class SetExpressions: @unchecked Sendable {
  var byProperty: [String: ValueExpression?] = [:]
}

/// A property mapping's value expression (`NSExpression`).
public struct ValueExpression {
  enum Content {
    case mapping(String, PropertyMappingValue)
    case constant(Any?)
    case expression(Expression)
    case unreadable(any Error)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  /// Gives the same value for every object.
  public init(forConstantValue value: Any?) { content = .constant(value) }

  /// A key path of the source object; of `$source`, where it begins so.
  public init(forKeyPath path: String) { self.init(format: path) }

  /// Gives what a mapping calls by that name: `source`, `manager`, ….
  public init(forVariable name: String) { self.init(format: "$\(name)") }

  /// - Parameter format: in Core Data's words. What cannot be read ends the migration when it is evaluated.
  public init(format: String) {
    do {
      content = .expression(try parseExpression(format))
    } catch {
      content = .unreadable(error)
    }
  }

  /// Its value for a source object; nil if it has none.
  ///
  /// What goes wrong ends the migration after the callback.
  ///
  /// - Parameters:
  ///   - object: the source object.
  ///   - context: taken for Core Data's sake; `$source` is the object, `$manager` and `$entityMapping` are there.
  public func expressionValue(with object: Any?, context: Any?) -> Any? {
    guard let source = object as? MigratingObject else { return nil }
    let property: String? = if case .mapping(let name, _) = content { name } else { nil }
    return source.managedObjectContext.recording(source, property) { try value(for: source, as: nil) } ?? nil
  }

  /// - Parameter type: the attribute's, where the value is for one.
  func value(for source: MigratingObject, as type: AttributeType?) throws -> Any? {
    switch content {
    case .constant(let value): return value
    case .unreadable(let error): throw error
    case .expression(let expression): return try evaluated(expression, source, type)
    case .mapping(_, let mapped):
      switch mapped {
      case .expression(let expression): return try evaluated(expression, source, type)
      case .source, .converted, .defaulted:
        return mapped.sourceName.flatMap { source.value(forKey: $0) }
      case .constant(let value): return value?.foundationValue
      }
    }
  }

  private func evaluated(
    _ expression: Expression, _ source: MigratingObject, _ type: AttributeType?
  ) throws -> Any? {
    var context = EvaluationContext()
    let monitor = source.managedObjectContext.monitor
    context.shouldStop = { monitor.isCancelled }
    if let manager = source.managedObjectContext.manager {
      context = try manager.evaluationContext(of: manager.currentWork, source: source, destination: nil)
    }
    context.variables["source"] = .object(source)
    let value = try evaluate(expression, on: .object(source), in: context)
    return if let type { try value.attributeValue(as: type)?.foundationValue } else { value.foundationValue }
  }
}

extension MigrationManager {
  /// Gives an object the values that a policy has set in the place of the mapping's value expressions.
  func applySetExpressions(from source: MigratingObject, to object: MigratingObject, relationships: Bool) {
    for (name, expression) in currentWork.setExpressions.byProperty.sorted(by: { $0.key < $1.key })
    where (object.shape.properties[name]?.end != nil) == relationships {
      destinationContext.recording(object, name) {
        let attribute = object.shape.attribute(name)
        guard let expression else {
          guard let attribute else { return object.setValue(nil, forKey: name) }
          return try object.setCell(object.shape.defaults[attribute.slot], attribute.slot)
        }
        let type = attribute?.type
        let value = try expression.value(for: source, as: type == .transformable ? nil : type)
        object.setValue(value, forKey: name)
      }
    }
  }
}
