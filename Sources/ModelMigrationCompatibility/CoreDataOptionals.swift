public import ManagedModel
public import ModelMigration

// Properties that are optional in Core Data and never nil here. A file that imports this module sees these in the place of
// those that are not, so that `guard let`, `?.` and `!` of ported code go on meaning what they did.

extension MigratingObject {
  /// Never nil.
  public var managedObjectContext: ManagedObjectContext? { plainContext }
}

extension EntityDescription {
  /// Never nil.
  public var name: String? { plainName }
}

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
extension EntityMapping {
  /// Never nil.
  public var name: String! { plainName }
  /// Never nil.
  public var attributeMappings: [PropertyMapping]! { plainAttributeMappings }
  /// Never nil.
  public var relationshipMappings: [PropertyMapping]! { plainRelationshipMappings }
  /// Never nil.
  public var userInfo: [AnyHashable: Any]? { plainUserInfo }
}

extension PropertyMapping {
  /// Never nil.
  public var name: String? { plainName }
  /// Never nil.
  public var userInfo: [AnyHashable: Any]? { plainUserInfo }
}
