public import ModelMapping

/// A policy of an app whose code is not ported yet.
///
/// `modelc init --policies` writes a subclass for each policy that mapping models name. It stands for no policy: plans that
/// need it are refused, and `modelc check` says that it was not tried (MC4201).
open class UnportedPolicy: EntityMigrationPolicy {
  public override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    throw PolicyMisuse(
      "the policy '\(Self.policyName)' is not ported yet", code: .unknownPolicy,
      help: ["put the app's code into its file, and write 'EntityMigrationPolicy' for 'UnportedPolicy'"])
  }
}
