import CustomMigration
import Foundation
import ModelCommands
import ModelMapping
import ModelMigration

/// What a policy of an app does with each object: the default work, and one value more.
final class CaptionPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let title: String = sInstance["title"], let quantity: Int = sInstance["quantity"] else { return }
    made.first?["caption"] = "\(title) × \(quantity)"
  }
}

exit(ModelcCommand.run(Array(CommandLine.arguments.dropFirst()), policies: [CaptionPolicy.self]))
