@_exported public import Expressions
@_exported public import ManagedModel
@_exported public import ModelMapping
@_exported public import ModelMigration

// Core Data's names, so that a policy ports by changing `import CoreData` to `import ModelMigrationCompatibility`. What
// Foundation has itself (`NSPredicate`, `NSSortDescriptor`, `NSOrderedSet`, `NSExpression`) means ours within a policy.

public typealias NSManagedObject = MigratingObject
public typealias NSManagedObjectID = ManagedObject.ID
public typealias NSManagedObjectContext = ManagedObjectContext
public typealias NSManagedObjectModel = ManagedObjectModel
public typealias NSEntityDescription = EntityDescription
public typealias NSAttributeDescription = AttributeDescription
public typealias NSRelationshipDescription = RelationshipDescription
public typealias NSEntityMigrationPolicy = EntityMigrationPolicy
public typealias NSEntityMapping = EntityMapping
public typealias NSPropertyMapping = PropertyMapping
public typealias NSMappingModel = MappingModel
public typealias NSMigrationManager = MigrationManager
public typealias NSFetchRequest = FetchRequest
public typealias NSFetchRequestResult = any FetchRequestResult
public typealias NSPersistentStore = MigratingStore
public typealias NSPersistentStoreCoordinator = MigratingStoreCoordinator

#if !canImport(Darwin)
  /// Foundation has it on Macs only.
  public typealias ValueTransformer = AttributeTransformer
#endif

extension EntityMigrationPolicy {
  public typealias NSPredicate = FetchPredicate
  public typealias NSSortDescriptor = SortDescription
}

extension SortDescription {
  public init(key: String?, ascending: Bool) { self.init(keyPath: key ?? "", isAscending: ascending) }
}
