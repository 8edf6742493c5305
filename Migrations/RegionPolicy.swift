public import ManagedModel
public import ModelMigration

/// The sample's step from V5 to V6: the name of a trail's area becomes a region, one for each name.
public final class RegionPolicy: EntityMigrationPolicy {
  override public func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let old = V5.Trail(sInstance)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let name = old.areaName, let trail = made.first.map(V6.Trail.init) else { return }
    let region = V6.Region(
      try manager.destinationContext.findOrCreate(V6.Region.entityName, having: ["name": name]))
    region.code = old.areaCode
    trail.inRegion = region
  }
}
