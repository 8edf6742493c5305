#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel

  /// A store as Core Data itself sees it.
  struct CoreDataStore {
    var url: URL

    func metadata() throws -> [String: Any] {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    }

    /// Opens it without any migration and reads every object, as plain values of ours.
    ///
    /// Derived values are left out: Core Data computes them when an object is saved, and saves none here.
    func objects(_ model: NSManagedObjectModel) throws -> [ManagedObject] {
      let objects = try withCoordinator(model, options: [NSReadOnlyPersistentStoreOption: true]) {
        coordinator in
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
          try model.entities.filter { $0.superentity == nil }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = true
            return try context.fetch(request).map(plainObject)
          }
        }
      }
      return inOrder(objects)
    }

    /// Has Core Data migrate it as an app does that opens it with the model: by inference, in place.
    func migrate(to model: NSManagedObjectModel) throws {
      // A store that tracks its history can be written only by who says that he does too.
      let options = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentHistoryTrackingKey,
      ]
      try withCoordinator(model, options: Dictionary(uniqueKeysWithValues: options.map { ($0, true) })) { _ in
      }
    }

    /// Has `NSMigrationManager` copy it object by object into another file.
    func migrate(
      from source: NSManagedObjectModel, to destination: NSManagedObjectModel, with mapping: NSMappingModel,
      into copy: URL
    ) throws -> CoreDataStore {
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      try manager.migrateStore(
        from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: copy,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
      return CoreDataStore(url: copy)
    }

    private func withCoordinator<Result>(
      _ model: NSManagedObjectModel, options: [AnyHashable: Any],
      _ body: (NSPersistentStoreCoordinator) throws -> Result
    ) throws -> Result {
      registerTransformers(of: model)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      let result = try body(coordinator)
      try coordinator.remove(store)
      return result
    }
  }

  private func plainObject(_ object: NSManagedObject) -> ManagedObject {
    let id = plainID(object.objectID)
    var plain = ManagedObject(id.entityName, id.primaryKey)
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      plain.values.merge(plainValues(object.value(forKey: name), of: attribute, at: name)) { $1 }
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      switch object.value(forKey: name) {
      case let target as NSManagedObject: plain.toOne[name] = plainID(target.objectID)
      case let targets as NSOrderedSet where targets.count > 0:
        plain.toMany[name] = targets.compactMap { ($0 as? NSManagedObject).map { plainID($0.objectID) } }
      case let targets as NSSet where targets.count > 0:
        let ids = targets.compactMap { ($0 as? NSManagedObject).map { plainID($0.objectID) } }
        plain.toMany[name] = ids.sorted { $0.primaryKey < $1.primaryKey }
      default: break
      }
    }
    return plain
  }

  /// Of `x-coredata://STORE/Entity/p1`.
  private func plainID(_ id: NSManagedObjectID) -> ManagedObject.ID {
    let key = Int64(id.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
    return ManagedObject.ID(entityName: id.entity.name ?? "", primaryKey: key)
  }

  private func plainValues(
    _ value: Any?, of attribute: NSAttributeDescription, at keyPath: String
  ) -> [String: AttributeValue] {
    guard let value, !(attribute is NSDerivedAttributeDescription) else { return [:] }
    if #available(macOS 14, *), let composite = attribute as? NSCompositeAttributeDescription {
      let values = value as? [String: Any] ?? [:]
      return composite.elements.reduce(into: [:]) { found, element in
        let path = "\(keyPath).\(element.name)"
        found.merge(plainValues(values[element.name], of: element, at: path)) { $1 }
      }
    }
    return plainValue(value, of: attribute).map { [keyPath: $0] } ?? [:]
  }

  private func plainValue(_ value: Any, of attribute: NSAttributeDescription) -> AttributeValue? {
    let type = Int32(exactly: attribute.attributeType.rawValue).flatMap(AttributeType.init(rawValue:))
    return switch (type, value) {
    case (.boolean?, let number as NSNumber): .boolean(number.boolValue)
    case (.decimal?, let number as NSDecimalNumber): .decimal(number.decimalValue)
    case (.double?, let number as NSNumber), (.float?, let number as NSNumber): .double(number.doubleValue)
    case (.integer16?, let number as NSNumber), (.integer32?, let number as NSNumber),
      (.integer64?, let number as NSNumber):
      .integer(number.int64Value)
    case (.date?, let date as Date): .date(date.timeIntervalSinceReferenceDate)
    case (.uuid?, let uuid as UUID): .uuid(uuid)
    case (.uri?, let url as URL): .uri(url.absoluteString)
    case (_, let text as String): .string(text)
    case (_, let data as Data): .binary(data)
    default: nil
    }
  }
#endif
