public import ManagedModel
public import ModelMapping
public import ModelMigration

// Properties that are optional in Core Data and never nil here. A file that imports this module sees these in the place of
// those that are not, so that `guard let`, `?.` and `!` of ported code go on meaning what they did.

extension MigratingObject {
  public var managedObjectContext: ManagedObjectContext? { plainContext }
}

extension EntityDescription {
  public var name: String? { plainName }
}

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
extension EntityMapping {
  public var name: String! { plainName }
  public var attributeMappings: [PropertyMapping]! { plainAttributeMappings }
  public var relationshipMappings: [PropertyMapping]! { plainRelationshipMappings }
  public var userInfo: [AnyHashable: Any]? { plainUserInfo }
}

extension PropertyMapping {
  public var name: String? { plainName }
  public var userInfo: [AnyHashable: Any]? { plainUserInfo }
}
