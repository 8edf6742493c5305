// Written by `modelc export V5 --as swift`. Export it again instead of editing it.
public import Foundation
public import ModelMigration

/// The entities of version V5, with typed access to their objects.
public enum V5 {
  public struct Companion: Hashable {
    public static let entityName = "Companion"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Companion {
      Companion(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Companion] {
      try context.fetch(entityName, where: format, variables).map(Companion.init)
    }

    public var name: String? {
      get { object["name"] }
      nonmutating set { object["name"] = newValue }
    }

    public var visits: [V5.Visit] {
      get { object.objects(forKey: "visits").map(V5.Visit.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "visits") }
    }
  }

  public struct Hut: Hashable {
    public static let entityName = "Hut"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Hut {
      Hut(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Hut] {
      try context.fetch(entityName, where: format, variables).map(Hut.init)
    }

    public var name: String? {
      get { object["name"] }
      nonmutating set { object["name"] = newValue }
    }

    public var elevation: Double? {
      get { object["elevation"] }
      nonmutating set { object["elevation"] = newValue }
    }

    public var beds: Int16 {
      get { object["beds"] ?? 0 }
      nonmutating set { object["beds"] = newValue }
    }

    public var website: URL? {
      get { object["website"] }
      nonmutating set { object["website"] = newValue }
    }

    public var stages: [V5.Stage] {
      get { object.objects(forKey: "stages").map(V5.Stage.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "stages") }
    }

    public var visits: [V5.Visit] {
      get { object.objects(forKey: "visits").map(V5.Visit.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "visits") }
    }
  }

  public struct Photo: Hashable {
    public static let entityName = "Photo"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Photo {
      Photo(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Photo] {
      try context.fetch(entityName, where: format, variables).map(Photo.init)
    }

    public var takenAt: Date? {
      get { object["takenAt"] }
      nonmutating set { object["takenAt"] = newValue }
    }

    public var caption: String? {
      get { object["caption"] }
      nonmutating set { object["caption"] = newValue }
    }

    public var thumbnail: Data? {
      get { object["thumbnail"] }
      nonmutating set { object["thumbnail"] = newValue }
    }

    public var visit: V5.Visit? {
      get { object.objects(forKey: "visit").first.map(V5.Visit.init) }
      nonmutating set { object.setValue(newValue?.object, forKey: "visit") }
    }
  }

  public struct Stage: Hashable {
    public static let entityName = "Stage"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Stage {
      Stage(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Stage] {
      try context.fetch(entityName, where: format, variables).map(Stage.init)
    }

    public var title: String? {
      get { object["title"] }
      nonmutating set { object["title"] = newValue }
    }

    public var length: Double {
      get { object["length"] ?? 0 }
      nonmutating set { object["length"] = newValue }
    }

    public var ascent: Double {
      get { object["ascent"] ?? 0 }
      nonmutating set { object["ascent"] = newValue }
    }

    public var effort: Double? {
      get { object["effort"] }
      nonmutating set { object["effort"] = newValue }
    }

    public var trail: V5.Trail? {
      get { object.objects(forKey: "trail").first.map(V5.Trail.init) }
      nonmutating set { object.setValue(newValue?.object, forKey: "trail") }
    }

    public var hut: V5.Hut? {
      get { object.objects(forKey: "hut").first.map(V5.Hut.init) }
      nonmutating set { object.setValue(newValue?.object, forKey: "hut") }
    }
  }

  public struct Summit: Hashable {
    public static let entityName = "Summit"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Summit {
      Summit(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Summit] {
      try context.fetch(entityName, where: format, variables).map(Summit.init)
    }

    public var name: String? {
      get { object["name"] }
      nonmutating set { object["name"] = newValue }
    }

    public var elevation: Double? {
      get { object["elevation"] }
      nonmutating set { object["elevation"] = newValue }
    }

    public var hasCross: Bool {
      get { object["hasCross"] ?? false }
      nonmutating set { object["hasCross"] = newValue }
    }
  }

  public struct Trail: Hashable {
    public static let entityName = "Trail"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Trail {
      Trail(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Trail] {
      try context.fetch(entityName, where: format, variables).map(Trail.init)
    }

    public var name: String? {
      get { object["name"] }
      nonmutating set { object["name"] = newValue }
    }

    public var opened: Date? {
      get { object["opened"] }
      nonmutating set { object["opened"] = newValue }
    }

    public var areaName: String? {
      get { object["areaName"] }
      nonmutating set { object["areaName"] = newValue }
    }

    public var areaCode: String? {
      get { object["areaCode"] }
      nonmutating set { object["areaCode"] = newValue }
    }

    public var stages: [V5.Stage] {
      get { object.objects(forKey: "stages").map(V5.Stage.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "stages") }
    }
  }

  public struct Visit: Hashable {
    public static let entityName = "Visit"
    public let object: MigratingObject

    public init(_ object: MigratingObject) { self.object = object }

    /// A new object with the model's default values.
    public static func insert(into context: ManagedObjectContext) throws -> Visit {
      Visit(try context.insert(entityName))
    }

    /// All objects that satisfy a condition, whose values are `$name` in it.
    public static func fetch(
      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]
    ) throws -> [Visit] {
      try context.fetch(entityName, where: format, variables).map(Visit.init)
    }

    public var id: UUID? {
      get { object["id"] }
      nonmutating set { object["id"] = newValue }
    }

    public var date: Date? {
      get { object["date"] }
      nonmutating set { object["date"] = newValue }
    }

    public var note: String? {
      get { object["note"] }
      nonmutating set { object["note"] = newValue }
    }

    public var rating: Int16 {
      get { object["rating"] ?? 0 }
      nonmutating set { object["rating"] = newValue }
    }

    public var photoCount: Int64? {
      get { object["photoCount"] }
      nonmutating set { object["photoCount"] = newValue }
    }

    public var hut: V5.Hut? {
      get { object.objects(forKey: "hut").first.map(V5.Hut.init) }
      nonmutating set { object.setValue(newValue?.object, forKey: "hut") }
    }

    public var companions: [V5.Companion] {
      get { object.objects(forKey: "companions").map(V5.Companion.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "companions") }
    }

    public var photos: [V5.Photo] {
      get { object.objects(forKey: "photos").map(V5.Photo.init) }
      nonmutating set { object.setValue(newValue.map(\.object), forKey: "photos") }
    }
  }
}
