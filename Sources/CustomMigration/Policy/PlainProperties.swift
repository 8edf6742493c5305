package import ManagedModel
package import ModelMapping

// Properties under second names, for ModelMigrationCompatibility, where the first names are Core Data's optionals.
extension MigratingObject {
  package var plainContext: ManagedObjectContext { managedObjectContext }
}

extension EntityDescription {
  package var plainName: String { name }
}

extension EntityMapping {
  package var plainName: String { name }
  package var plainUserInfo: [String: String] { userInfo }
  package var plainAttributeMappings: [PropertyMapping] { attributeMappings }
  package var plainRelationshipMappings: [PropertyMapping] { relationshipMappings }
}

extension PropertyMapping {
  package var plainName: String { name }
  package var plainUserInfo: [String: String] { userInfo }
}
