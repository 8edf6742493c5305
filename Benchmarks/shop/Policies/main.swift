import Foundation
import ManagedModel
import ModelCommands
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

/// The same with a twentieth of the objects, to which half of them refer.
final class LabelPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let name: String = sInstance["name"], let sku: String = sInstance["sku"] else { return }
    made.first?["label"] = "\(name) (\(sku))"
  }
}

exit(
  ModelcCommand.run(
    Array(CommandLine.arguments.dropFirst()), policies: [CaptionPolicy.self, LabelPolicy.self]))
