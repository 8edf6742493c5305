import ModelMigrationCompatibility

// As the many files of apps are that import CoreData and nothing else: it brings Foundation.

private typealias NSPredicate = FetchPredicate
private typealias NSCompoundPredicate = FetchPredicate
private typealias NSSortDescriptor = SortDescription
private typealias CVarArg = Any

extension NSManagedObject {
  fileprivate var pages: NSOrderedSet? { value(forKey: "pages") as? NSOrderedSet }
}

/// A helper of several policies.
private enum Pages {
  static func count(in context: NSManagedObjectContext) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "number IN %@", [10, 30] as CVarArg)
    ])
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request).count
  }
}

/// Its methods are called by value expressions, as an app's are that have `@objc`.
final class OneImportPolicy: NSEntityMigrationPolicy {
  private func shout(_ title: String?) -> String? { title?.uppercased() }

  private func label(
    _ title: String?, for readers: Set<NSManagedObject>?, manager: NSMigrationManager?
  ) -> String {
    "\(title ?? "") \(readers?.count ?? -1) \(manager?.currentEntityMapping.sourceEntityName ?? "")"
  }

  override func perform(_ selector: String, with arguments: [Any?]) throws -> Any? {
    switch selector {
    case "shout:": shout(arguments[0] as? String)
    case "label:for:manager:":
      label(
        arguments[0] as? String, for: arguments[1] as? Set<NSManagedObject>,
        manager: arguments[2] as? NSMigrationManager)
    default: try super.perform(selector, with: arguments)
    }
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let note = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { throw NSError(domain: "Test", code: 1, userInfo: [NSLocalizedDescriptionKey: "no note"]) }
    var numbers: [Int] = []
    for case let page as NSManagedObject in sInstance.pages ?? [] {
      numbers.append(page.value(forKey: "number") as? Int ?? 0)
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
    request.predicate = NSPredicate(format: "number IN %@", [10, 30] as CVarArg)
    let log = [
      "\(numbers)",
      "\(try manager.sourceContext.count(for: request) * Pages.count(in: manager.sourceContext))",
      // Past a to-many it is a set, and where there is an order an ordered one of objects, or an array.
      (sInstance.value(forKeyPath: "readers.name") as? Set<String>)?.joined(separator: ",") ?? "none",
      "\(sInstance.value(forKeyPath: "pages.number") as? [Int] ?? [])",
      "\(sInstance.value(forKeyPath: "pages.@max.number") as? Int ?? -1)",
      "\((sInstance.value(forKeyPath: "pages.note") as? NSOrderedSet)?.count ?? -1)",
      // What an attribute holds has no keys.
      "\(sInstance.value(forKeyPath: "tags.first") == nil)",
    ]
    note.setValue(log.joined(separator: " "), forKeyPath: "log")
  }
}

/// Deletes duplicates from the source before they are taken, as apps do for a new uniqueness constraint.
final class DeletingPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    let notes = try manager.sourceContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    notes.forEach(manager.sourceContext.delete)
  }
}

/// Takes a fetch that cannot be for one that finds nothing.
final class SwallowingPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    let notes = try? manager.sourceContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Nte"))
    manager.userInfo = ["notes": notes?.count ?? 0]
  }
}
