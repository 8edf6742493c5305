import ManagedModel
import ModelMapping

/// The entity migration policies that a program brings along, found by the name that a mapping gives.
public struct PolicyRegistry: Sendable {
  private var byName: [String: EntityMigrationPolicy.Type] = [:]

  /// - Parameter policies: each is found by its class name, with its module before it or without.
  public init(_ policies: [EntityMigrationPolicy.Type] = []) {
    for policy in policies { register(policy) }
  }

  public mutating func register(_ policy: EntityMigrationPolicy.Type) {
    byName[policy.policyName] = policy
  }

  /// The class that a mapping names: `HutPolicy`, or `Migrations.HutPolicy` with whatever module it had where the
  /// mapping was written.
  public func policy(named name: String) -> EntityMigrationPolicy.Type? {
    matchPolicyName(name, among: names).flatMap { byName[$0] }
  }

  /// A registered name that was perhaps meant.
  public func suggestion(for name: String) -> String? {
    nearestName(to: name.split(separator: ".").last.map(String.init) ?? name, among: names)
  }

  /// Sorted.
  public var names: [String] { byName.keys.sorted() }
}
