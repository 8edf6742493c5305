// As CoreData does: many files of policies import nothing else.
@_exported public import Foundation
@_exported public import ManagedModel
@_exported public import ModelMigration

// Core Data's names, so that a policy ports by changing `import CoreData` to `import ModelMigrationCompatibility`. What
// Foundation has itself (`NSPredicate`, `NSSortDescriptor`, `NSOrderedSet`, `NSExpression`) means ours within a policy.

/// An object that a policy reads or creates.
public typealias NSManagedObject = MigratingObject
/// The identity of an object.
public typealias NSManagedObjectID = ManagedObject.ID
/// The old or the new objects of a migration.
public typealias NSManagedObjectContext = ManagedObjectContext
/// A version of a model.
public typealias NSManagedObjectModel = ManagedObjectModel
/// An entity of a version.
public typealias NSEntityDescription = EntityDescription
/// An attribute of an entity.
public typealias NSAttributeDescription = AttributeDescription
/// A relationship of an entity.
public typealias NSRelationshipDescription = RelationshipDescription
/// What an app's policies inherit from.
public typealias NSEntityMigrationPolicy = EntityMigrationPolicy
/// How objects of one entity become objects of another.
public typealias NSEntityMapping = EntityMapping
/// Where the value of a property comes from.
public typealias NSPropertyMapping = PropertyMapping
/// The mapping of a whole step.
public typealias NSMappingModel = MappingModel
/// Runs a step.
public typealias NSMigrationManager = MigrationManager
/// Asks a context for objects.
public typealias NSFetchRequest = FetchRequest
/// What a request may give.
public typealias NSFetchRequestResult = any FetchRequestResult
/// The store that is migrated.
public typealias NSPersistentStore = MigratingStore
/// Holds the one store that is migrated.
public typealias NSPersistentStoreCoordinator = MigratingStoreCoordinator

#if !canImport(Darwin)
  /// Foundation has it on Macs only.
  public typealias ValueTransformer = AttributeTransformer
#endif

extension EntityMigrationPolicy {
  /// Within a policy, ours in the place of Foundation's.
  public typealias NSPredicate = FetchPredicate
  /// Within a policy, predicates that are joined.
  public typealias NSCompoundPredicate = FetchPredicate
  /// Within a policy, ours in the place of Foundation's.
  public typealias NSSortDescriptor = SortDescription
  /// Within a policy, so that `id as CVarArg` for a predicate compiles: on Linux a UUID, a date or a list is none.
  public typealias CVarArg = Any
}

extension MigratingObject {
  /// In extensions of `NSManagedObject` too, where a cast to Foundation's would give nil.
  public typealias NSOrderedSet = OrderedObjects
}

extension SortDescription {
  /// By a key path; nil, as Core Data allows, is an empty one.
  public init(key: String?, ascending: Bool) { self.init(keyPath: key ?? "", isAscending: ascending) }
}
