public import ManagedModel

/// Swift code for an entity mapping, for what expressions cannot do (`NSEntityMigrationPolicy`).
///
/// Names, order and defaults of the callbacks are Core Data's, so that a policy ports by changing its import and
/// dropping `NS`: within a policy, `ManagedObject` is the live object, ``MigratingObject``. A subclass overrides what
/// it does differently and calls `super` for the default work.
///
/// One object of the class carries out its mapping from ``begin(_:with:)`` to ``end(_:manager:)``, so it may keep
/// state in its properties. A callback that throws ends the migration, and the store is unchanged.
///
/// The order for all mappings together: each mapping is copied, then each is related, then each is validated.
open class EntityMigrationPolicy {
  /// In ported code `NSManagedObject` becomes `ManagedObject`.
  public typealias ManagedObject = MigratingObject
  /// In ported code `NSPredicate` becomes `Predicate`.
  public typealias Predicate = FetchPredicate
  /// In ported code `NSSortDescriptor` becomes `SortDescriptor`.
  public typealias SortDescriptor = SortDescription
  /// What ported code casts the value of an ordered to-many to.
  public typealias NSOrderedSet = OrderedObjects
  /// In ported code `NSExpression` becomes `ValueExpression`.
  public typealias NSExpression = ValueExpression

  /// Migrations create policies with this initializer.
  public required init() {}

  /// The name by which a mapping names the policy; the class's own name unless overridden.
  open class var policyName: String { String(describing: self) }

  /// Before the objects of the mapping are copied. Does nothing by default.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Makes the destination's objects for one source object.
  ///
  /// By default it makes one object of the mapping's destination entity, with the values of the mapping's attributes, and
  /// associates it with the source object. An override that does not call `super` must associate the objects that it
  /// creates: relationships find an object by its association only.
  open func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDestinationInstance(forSource: sInstance)
  }

  /// After the last object of the mapping was copied. Does nothing by default.
  open func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Sets the relationships of one destination object. All objects of all mappings exist by then.
  ///
  /// By default it sets those that the mapping has a value for. A relationship without one stays as it is.
  open func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.relateDestinationInstance(dInstance)
  }

  /// After the last object of the mapping was related. Does nothing by default.
  open func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Before the destination is checked against the rules of its model. The policy fetches the objects that it wants to
  /// check. Does nothing by default.
  open func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// After everything. Does nothing by default.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Carries out a value expression's `FUNCTION($entityPolicy, "selector:", argument)`; by default no selector is known.
  ///
  /// - Parameters:
  ///   - selector: with its colons, as many as there are arguments.
  ///   - arguments: in order, as a method of an app takes them: values as ``MigratingObject/value(forKey:)`` gives them, but
  ///     a transformable as its bytes; objects, a `Set` or an array of them; `$manager` as the ``MigrationManager``; nil for
  ///     no value.
  /// - Returns: a value of the same kinds; but no dictionary, as a composite is.
  open func perform(_ selector: String, with arguments: [Any?]) throws -> Any? {
    throw EvaluationError(
      "policy '\(Self.policyName)' has no method '\(selector)'",
      help: ["override 'perform(_:with:)' of the policy, and call the method from there"])
  }
}

/// The callbacks of a policy, as messages name them.
package enum PolicyCallback: String, Hashable, Sendable, CaseIterable {
  case begin = "begin(_:with:)"
  case createDestinationInstances = "createDestinationInstances(forSource:in:manager:)"
  case endInstanceCreation = "endInstanceCreation(forMapping:manager:)"
  case createRelationships = "createRelationships(forDestination:in:manager:)"
  case endRelationshipCreation = "endRelationshipCreation(forMapping:manager:)"
  case performCustomValidation = "performCustomValidation(forMapping:manager:)"
  case end = "end(_:manager:)"
}
