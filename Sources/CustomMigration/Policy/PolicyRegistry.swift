import ManagedModel
package import ModelMapping

/// The entity migration policies of a program, by the names that mappings use.
public struct PolicyRegistry: Sendable {
  /// As they came. Their names are asked for where one is looked up: finding a class's name takes as long as the rest of
  /// a program's start.
  private var policies: [EntityMigrationPolicy.Type] = []
  private var transformers: [String: AttributeTransformer.Type] = [:]
  /// Whether they are the sample's, and so those of no app.
  package var areOfSample = false

  /// - Parameters:
  ///   - policies: each is found by its class name, with its module before it or without.
  ///   - transformers: what decodes transformable attributes for policies, each found by its own name.
  public init(
    _ policies: [EntityMigrationPolicy.Type] = [], transformers: [AttributeTransformer.Type] = []
  ) {
    self.policies = policies
    for transformer in transformers { register(transformer, named: transformer.transformerName) }
  }

  /// Adds a policy under its ``EntityMigrationPolicy/policyName``.
  public mutating func register(_ policy: EntityMigrationPolicy.Type) {
    policies.append(policy)
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
    matchPolicyName(name, among: names).flatMap { byName[$0] }
  }

  /// Sorted.
  package var names: [String] { byName.keys.sorted() }

  /// The names for a mapping model that asks for some; none where all are the sample's, which no app has.
  package func names(for mappingModels: [CustomMappingModel]) -> Set<String> {
    let asked = mappingModels.flatMap(\.entityMappings).compactMap(\.policyName)
    return areOfSample && !asked.contains { policy(named: $0) != nil } ? [] : Set(names)
  }
}
