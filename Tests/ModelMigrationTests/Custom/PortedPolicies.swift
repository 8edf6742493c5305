import Foundation
import ManagedModel
import ModelMigration

// Policies as they are written for Core Data, with another import and without `NS` before its names; Foundation's keep
// theirs. This package's `MemberImportVisibility` asks for more; a target without it imports ModelMigration alone.

/// Fills one object property by property, as tutorials do it.
final class AttachmentToPicturePolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let context = manager.destinationContext
    guard let description = EntityDescription.entity(forEntityName: "Picture", in: context) else {
      throw NSError(domain: "Migration", code: 0)
    }
    let picture = ManagedObject(entity: description, insertInto: context)
    for propertyMapping in mapping.attributeMappings {
      let variables: NSMutableDictionary = ["source": sInstance]
      guard
        let value = propertyMapping.valueExpression?.expressionValue(with: sInstance, context: variables)
      else { continue }
      picture.setValue(value, forKey: propertyMapping.name)
    }
    if let image = sInstance["image"] as Data? {
      picture.setValue(NSNumber(value: image.count), forKey: "size")
    }
    let body = sInstance.value(forKeyPath: "note.body") as? NSString ?? ""
    picture.setValue(body.substring(to: min(8, body.length)), forKey: "caption")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: picture, for: mapping)
  }
}

/// Finds or makes an object that several share, keeps what it knows between callbacks, and looks at the result.
class NoteToNotePolicy: EntityMigrationPolicy {
  private var folders: [String: ManagedObject] = [:]

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try super.begin(mapping, with: manager)
    manager.userInfo = ["notes": 0]
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let name = sources.first?.value(forKey: "folder") as? String else { return }
    dInstance.setValue(try folder(named: name, in: manager.destinationContext), forKey: "folder")
    dInstance.setValue(UUID(), forKey: "identifier")
    let count = manager.userInfo?["notes"] as? Int ?? 0
    manager.userInfo?["notes"] = count + 1
  }

  private func folder(named name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    if let known = folders[name] { return known }
    let request = FetchRequest<ManagedObject>(entityName: "Folder")
    request.predicate = Predicate(format: "name == %@", name)
    request.fetchLimit = 1
    if let found = try context.fetch(request).first { return found }
    let made = EntityDescription.insertNewObject(forEntityName: "Folder", into: context)
    made.setValue(name, forKey: "name")
    folders[name] = made
    return made
  }

  override func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.performCustomValidation(forMapping: mapping, manager: manager)
    let request = FetchRequest<ManagedObject>(entityName: "Note")
    let notes = try manager.destinationContext.fetch(request)
    guard notes.count == manager.userInfo?["notes"] as? Int else {
      throw NSError(domain: "Migration", code: 1)
    }
    for note in notes where note.entity.name != "Note" {
      manager.cancelMigrationWithError(NSError(domain: "Migration", code: 2))
    }
  }
}

/// Sets what the mapping of another entity computes, before that one runs.
final class NeighborPolicy: NoteToNotePolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try super.begin(mapping, with: manager)
    let others = manager.mappingModel.entityMappings.filter { $0.name != mapping.name }
    for property in others.flatMap(\.attributeMappings) where property.name == "date" {
      property.valueExpression = ValueExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: 7))
    }
  }
}

/// Makes an object of an entity that is not there.
final class MistakenPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let made = EntityDescription.insertNewObject(forEntityName: "Nte", into: manager.destinationContext)
    made.setValue("x", forKey: "body")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}
