import Foundation
import ModelMigration
import ModelMigrationCompatibility

// BookMigration's two policies of 2013, statement by statement in Swift.

enum BookMigration {
  final class MHWBookToBookPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      let modelVersion = Int(mapping.userInfo?["modelVersion"] as? String ?? "")
      guard modelVersion == 2 || modelVersion == 3 else {
        return try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
      let sourceValues = sInstance.dictionaryWithValues(
        forKeys: Array(sInstance.entity.attributesByName.keys))
      guard let name = mapping.destinationEntityName else { return }
      let destinationInstance = NSEntityDescription.insertNewObject(
        forEntityName: name, into: manager.destinationContext)
      for key in destinationInstance.entity.attributesByName.keys {
        // Avoid NULL values.
        if let value = sourceValues[key], !(value is NSNull) {
          destinationInstance.setValue(value, forKey: key)
        }
      }
      if modelVersion == 2 {
        let authorLookup = manager.lookup(withKey: "authors")
        let authorName = sInstance.value(forKey: "authorName") as? String ?? ""
        let author: NSManagedObject
        if let known = authorLookup[authorName] as? NSManagedObject {
          author = known
        } else {
          author = NSEntityDescription.insertNewObject(
            forEntityName: "Author", into: manager.destinationContext)
          author.setValue(authorName, forKey: "name")
          authorLookup[authorName] = author
        }
        destinationInstance.perform("addAuthorsObject:", with: author)
      } else {
        for sourceUser in sInstance.value(forKey: "users") as? Set<NSManagedObject> ?? [] {
          let file = NSEntityDescription.insertNewObject(
            forEntityName: "File", into: manager.destinationContext)
          file.setValue(sInstance.value(forKey: "fileURL"), forKey: "fileURL")
          file.setValue(destinationInstance, forKey: "book")
          let userId = sourceUser.value(forKey: "userId") as? Int ?? 0
          let request = NSFetchRequest<NSFetchRequestResult>(entityName: "User")
          request.predicate = NSPredicate(format: "userId = %d", userId)
          let users = try manager.destinationContext.fetch(request) as? [NSManagedObject]
          file.setValue(users?.last, forKey: "user")
        }
      }
      manager.associate(sourceInstance: sInstance, withDestinationInstance: destinationInstance, for: mapping)
    }
  }

  final class MHWUserToUserPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      guard mapping.userInfo?["modelVersion"] as? String == "3", let name = mapping.destinationEntityName
      else {
        return try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
      let destinationInstance = NSEntityDescription.insertNewObject(
        forEntityName: name, into: manager.destinationContext)
      let sourceValues = sInstance.dictionaryWithValues(
        forKeys: Array(sInstance.entity.attributesByName.keys))
      for key in destinationInstance.entity.attributesByName.keys {
        if let value = sourceValues[key], !(value is NSNull) {
          destinationInstance.setValue(value, forKey: key)
        }
      }
      let filesLookup = manager.lookup(withKey: "files")
      for book in sInstance.value(forKey: "books") as? Set<NSManagedObject> ?? [] {
        let file = filesLookup[book.objectID.uriRepresentation().description] as? NSManagedObject
        file?.setValue(destinationInstance, forKey: "user")
      }
      manager.associate(sourceInstance: sInstance, withDestinationInstance: destinationInstance, for: mapping)
    }
  }
}

extension NSMigrationManager {
  /// The category that both policies share.
  fileprivate func lookup(withKey key: String) -> NSMutableDictionary {
    if let known = userInfo?[key] as? NSMutableDictionary { return known }
    let made = NSMutableDictionary()
    userInfo = (userInfo ?? [:]).merging([key: made]) { _, new in new }
    return made
  }
}
