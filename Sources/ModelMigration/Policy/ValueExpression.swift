public import ManagedModel
import PersistentStore

extension PropertyMapping {
  /// The value expression as ported code evaluates and sets it; nil if the property keeps its default.
  ///
  /// What a policy sets holds for the default work of the mapping that is carried out just now, from then on: for
  /// `super.createDestinationInstances`, and `super.createRelationships` for a relationship. Outside of a policy's
  /// callback nothing can be set.
  public var valueExpression: ValueExpression? {
    get {
      if let manager = MigrationManager.current, let set = manager.setExpressions[manager.currentWork.number],
        let expression = set[name]
      {
        return expression
      }
      if case .constant = value { return nil }
      return ValueExpression(.mapping(self))
    }
    nonmutating set {
      guard let manager = MigrationManager.current else { return }
      manager.setExpressions[manager.currentWork.number, default: [:]].updateValue(newValue, forKey: name)
    }
  }
}

/// A property mapping's value expression (`NSExpression`).
public struct ValueExpression {
  enum Content {
    case mapping(PropertyMapping)
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
    let property: String? = if case .mapping(let mapping) = content { mapping.name } else { nil }
    return source.managedObjectContext.recording(source, property) { try value(for: source, as: nil) } ?? nil
  }

  /// - Parameter type: the attribute's, where the value is for one.
  func value(for source: MigratingObject, as type: AttributeType?) throws -> Any? {
    switch content {
    case .constant(let value): return value
    case .unreadable(let error): throw error
    case .expression(let expression): return try evaluated(expression, source, type)
    case .mapping(let mapping):
      switch mapping.value {
      case .expression(let expression): return try evaluated(expression, source, type)
      case .source, .converted, .defaulted:
        return mapping.value.sourceName.flatMap { source.value(forKey: $0) }
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
    if let manager = MigrationManager.current {
      context = try manager.evaluationContext(of: manager.currentWork, source: source, destination: source)
      context.variables["destination"] = nil
    }
    context.variables["source"] = .object(source)
    let value = try evaluate(expression, on: .object(source), in: context)
    return if let type { try value.attributeValue(as: type)?.foundationValue } else { value.foundationValue }
  }
}

/// The manager of the passes that this thread runs.
///
/// Only that thread reads it.
final class RunningManager: @unchecked Sendable {
  fileprivate unowned let manager: MigrationManager

  init(_ manager: MigrationManager) { self.manager = manager }
}

extension MigrationManager {
  @TaskLocal static var running: RunningManager?

  /// The manager whose policies are called just now, for what ported code asks without it at hand.
  static var current: MigrationManager? { running?.manager }

  /// Gives an object the values that a policy has set in the place of the mapping's value expressions.
  func applySetExpressions(from source: MigratingObject, to object: MigratingObject, relationships: Bool) {
    guard let expressions = setExpressions[currentWork.number] else { return }
    for (name, expression) in expressions.sorted(by: { $0.key < $1.key }) {
      let shape = object.shape.properties[name]
      switch shape {
      case .toOne, .toMany: if !relationships { continue }
      default: if relationships { continue }
      }
      destinationContext.recording(object, name) {
        guard let expression else {
          guard case .attribute(let attribute)? = shape else { return object.setValue(nil, forKey: name) }
          return try object.setCell(object.shape.defaults[attribute.slot], attribute.slot)
        }
        var type: AttributeType?
        if case .attribute(let attribute)? = shape { type = attribute.attribute.type }
        let value = try expression.value(for: source, as: type == .transformable ? nil : type)
        object.setValue(value, forKey: name)
      }
    }
  }
}
