public import CustomMigration
public import Expressions
public import ManagedModel
public import ModelMapping
public import PersistentStore
public import StoreFixtures
public import StoreVerification

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
/// A stage of `versions.yaml` whose handlers a program brings.
public typealias CustomMigrationStage = ManagedModel.CustomMigrationStage
/// The hash by which a store names an entity's version.
public typealias VersionHash = ManagedModel.VersionHash
/// One finding, with its code.
public typealias Diagnostic = ManagedModel.Diagnostic
/// The error of a refusal.
public typealias DiagnosticsError = ManagedModel.DiagnosticsError

/// How the objects of one version become those of another.
public typealias MappingModel = ModelMapping.MappingModel
/// How objects of one entity become objects of another.
public typealias EntityMapping = ModelMapping.EntityMapping
/// Where the value of a property comes from.
public typealias PropertyMapping = ModelMapping.PropertyMapping
/// A mapping model as its file states it.
public typealias CustomMappingModel = ModelMapping.CustomMappingModel
/// A difference of two versions.
public typealias ModelChange = ModelMapping.ModelChange

/// What an expression gives, for a policy's `perform(_:with:)`.
public typealias ExpressionValue = Expressions.ExpressionValue

/// What is in a store and which version it is.
public typealias StoreInspection = StoreVerification.StoreInspection
/// How much work an inspection may put into counting.
public typealias CountMode = StoreVerification.CountMode
/// What verifying a store found.
public typealias Verification = StoreVerification.Verification
/// What a verification looks at beyond its default.
public typealias VerificationOptions = StoreVerification.VerificationOptions
/// Which versions a store belongs to.
public typealias Recognition = PersistentStore.Recognition
/// What a fixture holds.
public typealias FixtureReport = StoreFixtures.FixtureReport

/// What carries the objects of an entity over, where a mapping does not say it all.
public typealias EntityMigrationPolicy = CustomMigration.EntityMigrationPolicy
/// A policy of an app whose code is not ported yet, as `modelc init --policies` writes it.
public typealias UnportedPolicy = CustomMigration.UnportedPolicy
/// The policies and transformers that mapping models may name.
public typealias PolicyRegistry = CustomMigration.PolicyRegistry
/// What knows how a transformable attribute is stored.
public typealias AttributeTransformer = CustomMigration.AttributeTransformer
/// What a transformable attribute holds that no transformer decodes.
public typealias UndecodedValue = CustomMigration.UndecodedValue
/// The run that calls a policy.
public typealias MigrationManager = CustomMigration.MigrationManager
/// Objects of one version of a store, while they are migrated.
public typealias ManagedObjectContext = CustomMigration.ManagedObjectContext
/// An object of such a context.
public typealias MigratingObject = CustomMigration.MigratingObject
/// The file of a context, for ported policies that ask for it.
public typealias MigratingStore = CustomMigration.MigratingStore
/// What a ported policy asks for its store.
public typealias MigratingStoreCoordinator = CustomMigration.MigratingStoreCoordinator
/// The objects of a to-many relationship.
public typealias RelatedObjects = CustomMigration.RelatedObjects
/// The objects of an ordered relationship.
public typealias OrderedObjects = CustomMigration.OrderedObjects
/// Which objects of a context are asked for.
public typealias FetchRequest = CustomMigration.FetchRequest
/// What a fetch request gives.
public typealias FetchRequestResult = CustomMigration.FetchRequestResult
/// The condition of a fetch request.
public typealias FetchPredicate = CustomMigration.FetchPredicate
/// What a property of an object can be read as and set to.
public typealias KeyedValue = CustomMigration.KeyedValue
/// The expression of a property mapping, for a policy that evaluates it.
public typealias ValueExpression = CustomMigration.ValueExpression

/// How far a run is.
public typealias MigrationProgress = CustomMigration.MigrationProgress
/// The stretches of a run.
public typealias MigrationPhase = CustomMigration.MigrationPhase
/// The account of an entity mapping.
public typealias MappingCount = CustomMigration.MappingCount
/// A rule that objects break.
public typealias RuleViolation = CustomMigration.RuleViolation
/// What a run is refused with whose objects break rules of their model.
public typealias MigrationValidationError = CustomMigration.MigrationValidationError
