import Foundation
import ManagedModel
import ModelMigration
import ModelMigrationCompatibility

// A policy file that uses each call by which policies of real apps talk to Core Data. What it finds out it writes down in
// the attribute `log` of the object that it makes.

final class EveryCallPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    // A constant in the place of what the mapping says, for `super` below.
    for property in mapping.attributeMappings where property.name == "origin" {
      property.valueExpression = NSExpression(forConstantValue: "ported")
    }
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let name = mapping.name,
      let note = manager.destinationInstances(forEntityMappingName: name, sourceInstances: [sInstance]).first
    else { throw NSError(domain: "Test", code: 1) }
    var log: [String] = []

    // To-many values by the casts that are right in Core Data.
    let pages = sInstance.value(forKey: "pages") as? NSOrderedSet
    log.append(
      "pages \((pages?.array as? [NSManagedObject] ?? []).map { $0.value(forKey: "number") as? Int ?? 0 })")
    for case let page as NSManagedObject in pages?.array ?? [] where page.isDeleted {
      log.append("deleted")
    }
    let readers = sInstance.value(forKey: "readers") as? Set<NSManagedObject>
    let plain = sInstance.value(forKey: "readers") as? NSSet
    log.append("readers \(readers?.count ?? -1) \(plain?.count ?? -1)")

    // Transformables.
    log.append("tags \(sInstance.value(forKey: "tags") as? [String] ?? [])")
    log.append("colour \(sInstance.value(forKey: "colour") as? String ?? "none")")
    note.setValue(["a": 1, "b": [Date(timeIntervalSinceReferenceDate: 0)]] as [String: Any], forKey: "facts")
    note.setValue(sInstance.value(forKey: "picture"), forKey: "picture")

    // Descriptions.
    if let entity = sInstance.entity.name { log.append("entity \(entity)") }
    log.append("attributes \(sInstance.entity.attributesByName.keys.sorted())")
    log.append("relationships \(sInstance.entity.relationshipsByName.keys.sorted())")
    log.append("type \(sInstance.entity.attributesByName["title"]?.type.name ?? "")")
    if let context = sInstance.managedObjectContext { log.append("read only \(context.isReadOnly)") }
    log.append("user info \(mapping.userInfo?["kind"] as? String ?? "")")

    // Values in bulk, and the object's name for other programs.
    let values = sInstance.dictionaryWithValues(forKeys: ["title", "subtitle"])
    log.append("subtitle is null \(values["subtitle"] is NSNull)")
    log.append(sInstance.objectID.uriRepresentation().path)
    log.append(
      sInstance.objectID.uriRepresentation().host == storeUUID(manager) ? "same store" : "another store")

    // The source's file.
    let store = manager.sourceContext.persistentStoreCoordinator?.persistentStores.first
    log.append("\(store?.url?.lastPathComponent ?? "") \(store?.metadata["NSStoreType"] as? String ?? "")")
    note.setValue(log.joined(separator: "\n"), forKey: "log")
  }

  private func storeUUID(_ manager: NSMigrationManager) -> String? {
    manager.destinationContext.persistentStoreCoordinator?.persistentStores.first?.metadata["NSStoreUUID"]
      as? String
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    guard let context = dInstance.managedObjectContext else { return }
    // A request without a name, and one that says nothing of its results.
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = NSEntityDescription.entity(forEntityName: "Shelf", in: context)
    request.predicate = NSPredicate(format: "name IN %@", ["main"] as CVarArg)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let shelf: NSManagedObject
    if let found = try context.fetch(request).first {
      shelf = found
    } else {
      shelf = NSManagedObject(
        entity: context.model.entitiesByName["Shelf"] ?? dInstance.entity, insertInto: context)
      shelf.setValuesForKeys(["name": "main"])
    }
    let all = NSFetchRequest<NSFetchRequestResult>(entityName: "Shelf")
    let shelves = try context.fetch(all) as? [NSManagedObject]
    shelf.setValue(shelves?.count, forKey: "count")

    shelf.mutableSetValue(forKey: "notes").addObjects(from: [dInstance])
    shelf.perform("addKeepersObject:", with: context.fetchFirst("Reader"))
    for property in mapping.relationshipMappings ?? [] where property.name == "readers" {
      let members = property.valueExpression?.expressionValue(
        with: manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
          .first, context: nil)
      let count = (members as? Set<NSManagedObject>)?.count ?? (members as? [NSManagedObject])?.count ?? -1
      dInstance.setValue(count, forKey: "readerCount")
    }
    try context.save()
  }

  /// Value expressions find methods here: `FUNCTION($entityPolicy, "shout:", $source.title)`.
  override func perform(_ selector: String, with arguments: [Any?]) throws -> Any? {
    switch selector {
    case "shout:": (arguments[0] as? String)?.uppercased()
    default: try super.perform(selector, with: arguments)
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func fetchFirst(_ entity: String) -> NSManagedObject? {
    try? fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first
  }
}

/// Looks for what it has made among the objects in memory, as the policy of Moody does, and asks for more that a migration
/// has no need of.
final class RegisteredObjectsPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    let found = manager.sourceContext.registeredObjects.map { $0.entity.name ?? "" }.sorted()
    guard found == ["Note", "Page", "Page", "Reader"],
      manager.destinationContext.insertedObjects.contains(where: { $0.entity.name == "Shelf" }) == false,
      manager.sourceContext.insertedObjects.contains(where: { _ in true }) == false,
      manager.userInfo?["device"] as? String == "test"
    else { throw NSError(domain: "\(found)", code: 1) }
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let note = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first, let context = note.managedObjectContext
    else { return }
    let shelves = (0..<3).map { _ in context.shelf(named: "main") }
    note.setValue(shelves.last, forKey: "shelf")
    if context.hasChanges { try context.save() }
    context.refresh(note, mergeChanges: true)
    note.setValue("\(Set(shelves).count) \(context.hasChanges)", forKey: "log")
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    guard let context = dInstance.managedObjectContext else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "number == %d", 10), NSPredicate(value: true),
    ])
    request.fetchBatchSize = 20
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = ["note"]
    let page = try context.fetch(request).first
    let pages = dInstance.mutableOrderedSetValue(forKey: "pages")
    pages.removeAllObjects()
    for other in try context.fetch(
      NSFetchRequest<NSManagedObject>(entityName: "Page"))
    where other != page {
      pages.add(other)
    }
    if let page { pages.insert(page, at: 0) }
  }
}

extension NSManagedObjectContext {
  fileprivate func shelf(named name: String) -> NSManagedObject {
    for object in registeredObjects where !object.isFault {
      guard object.entity.name == "Shelf", object.value(forKey: "name") as? String == name else { continue }
      return object
    }
    let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: self)
    shelf.setValue(name, forKey: "name")
    return shelf
  }
}

/// A transformer of an app.
final class ColourTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data(String($0.reversed()).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
  }
}

/// Casts the value of an ordered to-many to something that it is not.
final class WrongCastPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let pages = sInstance.value(forKey: "pages") as? Set<NSManagedObject>
    for page in pages ?? [] { _ = page.objectID }
  }
}

/// Asks for values with their types, and in the end for an order that there is not; it goes on as if that were nothing.
final class TypedValuePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let readers = try sInstance.value(forKey: "readers", as: Set<NSManagedObject>.self)
    let pages = try sInstance.value(forKey: "pages", as: NSOrderedSet.self)
    let counts = [
      readers?.count, try sInstance.value(forKey: "readers", as: [NSManagedObject].self)?.count, pages?.count,
      try sInstance.value(forKey: "pages", as: Set<NSManagedObject>.self)?.count,
      try sInstance.value(forKey: "title", as: String.self)?.count,
    ]
    guard counts == [1, 1, 2, 2, 5], try sInstance.value(forKey: "subtitle", as: String.self) == nil else {
      throw NSError(domain: "\(counts)", code: 1)
    }
    _ = try? sInstance.value(forKey: "readers", as: NSOrderedSet.self)
  }
}

/// Wants a value of an archive whose class nobody knows here.
final class UnknownClassPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    _ = sInstance.value(forKey: "picture") as? [String]
  }
}
