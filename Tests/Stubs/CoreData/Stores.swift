public import Foundation

// What `Tests/CoreDataTests` asks of a store and of its objects. Declarations only.

public let NSSQLiteStoreType = "SQLite"
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"

open class NSPersistentStore: NSObject {}

open class NSPersistentStoreCoordinator: NSObject {
  public init(managedObjectModel model: NSManagedObjectModel) { absent() }

  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore { absent() }

  open func remove(_ store: NSPersistentStore) throws { absent() }

  open class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] { absent() }
}

public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  case privateQueueConcurrencyType, mainQueueConcurrencyType
}

open class NSManagedObjectContext: NSObject {
  public init(concurrencyType type: NSManagedObjectContextConcurrencyType) { absent() }

  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { absent() }
    set { absent() }
  }

  open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { absent() }

  open func fetch<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    absent()
  }
}

public protocol NSFetchRequestResult: NSObjectProtocol {}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  public init(entityName: String) { absent() }

  open var includesSubentities: Bool {
    get { absent() }
    set { absent() }
  }
  open var fetchBatchSize: Int {
    get { absent() }
    set { absent() }
  }
}

open class NSManagedObjectID: NSObject {
  open var entity: NSEntityDescription { absent() }
  open func uriRepresentation() -> URL { absent() }
}

open class NSManagedObject: NSObject, NSFetchRequestResult {
  open var entity: NSEntityDescription { absent() }
  open var objectID: NSManagedObjectID { absent() }
  open func primitiveValue(forKey key: String) -> Any? { absent() }
  /// Declared by `NSObject`, on Apple's systems.
  open func value(forKey key: String) -> Any? { absent() }
}
