public import ManagedModel
import PersistentStore

/// The entity migration policies of a program, by the names that mappings use.
public struct PolicyRegistry: Sendable {
  /// As they came. Their names are asked for where one is looked up: finding a class's name takes as long as the rest of
  /// a program's start.
  private var policies: [EntityMigrationPolicy.Type] = []
  private var transformers: [String: AttributeTransformer.Type] = [:]
  /// What policies find in ``MigrationManager/userInfo`` when a step begins: what a device or a server knows.
  public var userInfo: [String: any Sendable]?
  /// Whether they are the sample's, and so those of no app.
  package var areOfSample = false

  /// - Parameters:
  ///   - policies: each is found by its class name, with its module before it or without.
  ///   - transformers: what decodes transformable attributes for policies, each found by its own name.
  public init(_ policies: [EntityMigrationPolicy.Type] = [], transformers: [AttributeTransformer.Type] = []) {
    self.policies = policies
    for transformer in transformers { register(transformer, named: transformer.transformerName) }
  }

  /// Adds a transformer under a name.
  ///
  /// - Parameters:
  ///   - transformer: what decodes the attribute for policies.
  ///   - name: as models name it.
  public mutating func register(_ transformer: AttributeTransformer.Type, named name: String) {
    transformers[name] = transformer
  }

  private var byName: [String: EntityMigrationPolicy.Type] {
    Dictionary(policies.filter { !($0 is UnportedPolicy.Type) }.map { ($0.policyName, $0) }) { $1 }
  }

  /// Stubs that wait for an app's code. Sorted.
  package var unportedNames: [String] {
    policies.filter { $0 is UnportedPolicy.Type }.map { $0.policyName }.sorted()
  }

  func transformer(named name: String) -> AttributeTransformer? { transformers[name]?.init() }

  /// The class that a mapping names: `HutPolicy`, or `Migrations.HutPolicy` with whatever module it had where the
  /// mapping was written.
  package func policy(named name: String) -> EntityMigrationPolicy.Type? {
    name.matchPolicyName(among: names).flatMap { byName[$0] }
  }

  package var names: [String] { byName.keys.sorted() }

  /// The names for a mapping model that asks for some; none where all are the sample's, which no app has.
  package func names(for mappingModels: [CustomMappingModel]) -> Set<String> {
    let asked = mappingModels.flatMap(\.entityMappings).compactMap(\.policyName)
    return areOfSample && !asked.contains { policy(named: $0) != nil } ? [] : Set(names)
  }
}

extension EntityDescription {
  /// A new object with the model's default values, as ported code makes it.
  ///
  /// What goes wrong (an unknown or abstract entity, the source's context) ends the migration after the callback; the
  /// object is then one that nothing is done with.
  public static func insertNewObject(
    forEntityName entityName: String, into context: ManagedObjectContext
  ) -> MigratingObject {
    MigratingObject(entityNamed: entityName, insertInto: context)
  }

  /// The entity of a context's model; nil if it has none of that name.
  public static func entity(
    forEntityName entityName: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.completeEntity(named: entityName)
  }
}

extension ManagedObjectContext {
  /// The object of an ID, read when its values are asked for.
  public func object(with id: ManagedObject.ID) -> MigratingObject {
    object(id) ?? MigratingObject(entityNamed: id.entityName, insertInto: self)
  }

  /// Writes what was changed. A migration does that by itself; ported code may go on asking for it.
  public func save() throws { if !isReadOnly { try flush() } }

  /// Runs the block at once, on the thread that the migration has.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try block() }
}

extension MigratingObject {
  /// `ManagedObject(entity: description, insertInto: context)`, as `EntityDescription.insertNewObject` makes one.
  public convenience init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
    self.init(entityNamed: entity.name, insertInto: context)
  }

  convenience init(entityNamed name: String, insertInto context: ManagedObjectContext) {
    let place = context.recording(nil, nil) { try context.place(forNew: name) }
    self.init(place?.key ?? 0, place?.shape ?? EntityShape(missing: name), context, isInserted: true)
    if place != nil { context.adopt(self) }
  }
}

/// A policy of an app whose code is not ported yet.
///
/// `modelc init --policies` writes a subclass for each policy that mapping models name. It does not count as a policy:
/// plans that need it are refused, and `modelc check` says that it was not tested (MC4201).
open class UnportedPolicy: EntityMigrationPolicy {
  public override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    throw PolicyMisuse(
      "the policy '\(Self.policyName)' is not ported yet", code: .unknownPolicy,
      help: ["put the app's code into its file, and replace 'UnportedPolicy' with 'EntityMigrationPolicy'"])
  }
}
