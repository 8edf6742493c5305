#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel

  /// Leaves data as they are: it stands for the transformers of the apps whose models are judged.
  private final class PassingTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }
  }

  /// Core Data asks for a transformer by its name as soon as a value is read.
  func registerTransformers(of model: NSManagedObjectModel) {
    for attribute in model.entities.flatMap(\.attributesByName.values) {
      guard let name = attribute.valueTransformerName, !isOfFoundation(name) else { continue }
      ValueTransformer.setValueTransformer(
        PassingTransformer(), forName: NSValueTransformerName(rawValue: name))
    }
  }

  /// Foundation's own transformers read archives, and are left to it.
  private func isOfFoundation(_ name: String) -> Bool {
    name.isEmpty || name.hasPrefix("NS") || name.hasSuffix("UnarchiveFromData")
  }

  /// The objects with an archive for every transformable that has no transformer of its app: Core Data reads nothing else.
  func withArchives(_ objects: [ManagedObject], of model: ManagedObjectModel) throws -> [ManagedObject] {
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: "archived" as NSString, requiringSecureCoding: true)
    let hierarchy = EntityHierarchy(model)
    return objects.map { object in
      var object = object
      for attribute in hierarchy.attributes(of: object.id.entityName)
      where attribute.type == .transformable && isOfFoundation(attribute.valueTransformerName ?? "") {
        if object.values[attribute.name] != nil { object.values[attribute.name] = .binary(archive) }
      }
      return object
    }
  }

  /// The same objects as Core Data reads them: what an archive holds in its place.
  func unarchived(_ objects: [ManagedObject], of model: ManagedObjectModel) -> [ManagedObject] {
    let hierarchy = EntityHierarchy(model)
    return objects.map { object in
      var object = object
      for attribute in hierarchy.attributes(of: object.id.entityName)
      where attribute.type == .transformable && isOfFoundation(attribute.valueTransformerName ?? "") {
        if object.values[attribute.name] != nil { object.values[attribute.name] = .string("archived") }
      }
      return object
    }
  }
#endif
