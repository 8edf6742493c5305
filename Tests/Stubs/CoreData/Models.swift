public import Foundation

// What `Tests/CoreDataTests` asks of a model, as Apple's documentation of Core Data declares it. Declarations only.

open class NSManagedObjectModel: NSObject {
  public init?(contentsOf url: URL) { absent() }

  open var entities: [NSEntityDescription] { absent() }
  open var entitiesByName: [String: NSEntityDescription] { absent() }
  open var entityVersionHashesByName: [String: Data] { absent() }
  open var versionIdentifiers: Set<AnyHashable> { absent() }
  /// macOS 14 and later.
  open var versionChecksum: String { absent() }
  open var configurations: [String] { absent() }
  open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? { absent() }

  open func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool { absent() }
}

open class NSEntityDescription: NSObject {
  open var name: String? { absent() }
  // As Apple declares it.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var managedObjectClassName: String! { absent() }
  open var isAbstract: Bool { absent() }
  open var superentity: NSEntityDescription? { absent() }
  open var properties: [NSPropertyDescription] { absent() }
  open var attributesByName: [String: NSAttributeDescription] { absent() }
  open var relationshipsByName: [String: NSRelationshipDescription] { absent() }
  open var indexes: [NSFetchIndexDescription] { absent() }
  open var uniquenessConstraints: [[Any]] { absent() }
  open var userInfo: [AnyHashable: Any]? { absent() }
  open var versionHash: Data { absent() }
  open var versionHashModifier: String? { absent() }
  open var renamingIdentifier: String? { absent() }
}

open class NSPropertyDescription: NSObject {
  open var name: String { absent() }
  open var isOptional: Bool { absent() }
  open var isTransient: Bool { absent() }
  open var validationPredicates: [NSPredicate] { absent() }
  open var userInfo: [AnyHashable: Any]? { absent() }
  open var versionHash: Data { absent() }
  open var versionHashModifier: String? { absent() }
  open var renamingIdentifier: String? { absent() }
}

public struct NSAttributeType: RawRepresentable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { absent() }
}

open class NSAttributeDescription: NSPropertyDescription {
  open var attributeType: NSAttributeType { absent() }
  open var attributeValueClassName: String? { absent() }
  open var defaultValue: Any? { absent() }
  open var valueTransformerName: String? { absent() }
  open var allowsExternalBinaryDataStorage: Bool { absent() }
}

open class NSDerivedAttributeDescription: NSAttributeDescription {
  open var derivationExpression: NSExpression? { absent() }
}

/// macOS 14 and later.
open class NSCompositeAttributeDescription: NSAttributeDescription {
  open var elements: [NSAttributeDescription] { absent() }
}

public struct NSDeleteRule: RawRepresentable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { absent() }
}

open class NSRelationshipDescription: NSPropertyDescription {
  open var destinationEntity: NSEntityDescription? { absent() }
  open var inverseRelationship: NSRelationshipDescription? { absent() }
  open var minCount: Int { absent() }
  open var maxCount: Int { absent() }
  open var deleteRule: NSDeleteRule { absent() }
  open var isToMany: Bool { absent() }
  open var isOrdered: Bool { absent() }
}

open class NSFetchedPropertyDescription: NSPropertyDescription {}

open class NSFetchIndexDescription: NSObject {
  open var name: String { absent() }
  open var elements: [NSFetchIndexElementDescription] { absent() }
  open var partialIndexPredicate: NSPredicate? { absent() }
}

public struct NSFetchIndexElementType: RawRepresentable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { absent() }
}

open class NSFetchIndexElementDescription: NSObject {
  open var propertyName: String? { absent() }
  open var collationType: NSFetchIndexElementType { absent() }
  open var isAscending: Bool { absent() }
}
