public import ManagedModel
public import PersistentStore

// The names that users write, so that one import is enough. Where a target is divided, this page keeps them.

/// A model with all its versions.
public typealias VersionedModel = ManagedModel.VersionedModel
/// One version of a model.
public typealias ModelVersion = ManagedModel.ModelVersion
/// The entities of a version.
public typealias ManagedObjectModel = ManagedModel.ManagedObjectModel
/// An entity of a version.
public typealias EntityDescription = ManagedModel.EntityDescription
/// An attribute of an entity.
public typealias AttributeDescription = ManagedModel.AttributeDescription
/// A relationship of an entity.
public typealias RelationshipDescription = ManagedModel.RelationshipDescription
/// What an attribute holds.
public typealias AttributeType = ManagedModel.AttributeType
/// One value of an attribute.
public typealias AttributeValue = ManagedModel.AttributeValue
/// An object of a store, by value. Within a policy the name means ``MigratingObject``.
public typealias ManagedObject = ManagedModel.ManagedObject
/// The order of a fetch's objects.
public typealias SortDescription = ManagedModel.SortDescription
/// A stage of `versions.yaml` whose handlers a program registers.
public typealias CustomMigrationStage = ManagedModel.CustomMigrationStage
/// The hash by which a store names an entity's version.
public typealias VersionHash = ManagedModel.VersionHash
/// One finding, with its code.
public typealias Diagnostic = ManagedModel.Diagnostic
/// The error of a refusal.
public typealias DiagnosticsError = ManagedModel.DiagnosticsError

/// How the objects of one version become those of another.
public typealias MappingModel = ManagedModel.MappingModel
/// How objects of one entity become objects of another.
public typealias EntityMapping = ManagedModel.EntityMapping
/// Where the value of a property comes from.
public typealias PropertyMapping = ManagedModel.PropertyMapping
/// A mapping model as its file states it.
public typealias CustomMappingModel = ManagedModel.CustomMappingModel
/// A difference of two versions.
public typealias ModelChange = ManagedModel.ModelChange

/// What is in a store and which version it is.
public typealias StoreInspection = PersistentStore.StoreInspection
/// How much work an inspection may put into counting.
public typealias CountMode = PersistentStore.CountMode
/// What verifying a store found.
public typealias Verification = PersistentStore.Verification
/// What a verification looks at beyond its default.
public typealias VerificationOptions = PersistentStore.VerificationOptions
/// Which versions a store belongs to.
public typealias Recognition = PersistentStore.Recognition
