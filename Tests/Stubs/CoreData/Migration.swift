public import Foundation

// What `Tests/CoreDataTests` asks of Core Data's own migration. Declarations only.

open class NSMappingModel: NSObject {
  public init?(contentsOf url: URL?) { absent() }

  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel { absent() }
}

open class NSMigrationManager: NSObject {
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) { absent() }

  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws { absent() }
}
