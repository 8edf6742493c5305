public import ManagedModel

/// Which objects a context fetches (`NSFetchRequest`). They are always ``MigratingObject``s. The generic parameter serves
/// `FetchRequest<ManagedObject>(entityName:)` in ported code.
public final class FetchRequest<Result> {
  /// The entity whose objects are wanted.
  public var entityName: String
  /// What ``entityName`` names, for requests that are made without a name: `request.entity = description`.
  public var entity: EntityDescription? {
    didSet { if let entity { entityName = entity.name } }
  }
  /// Nil for all objects.
  public var predicate: FetchPredicate?
  /// The first decides, the next where it leaves a tie.
  public var sortDescriptors: [SortDescription] = []
  /// 0 for all.
  public var fetchLimit = 0
  /// Whether objects of sub-entities come too.
  public var includesSubentities = true

  /// A request for the objects of an entity.
  public init(
    entityName: String, predicate: FetchPredicate? = nil, sortDescriptors: [SortDescription] = [],
    fetchLimit: Int = 0, includesSubentities: Bool = true
  ) where Result == MigratingObject {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
    self.includesSubentities = includesSubentities
  }

  /// A request whose entity is set later; one without an entity is refused when it is fetched.
  public init() { entityName = "" }

  /// A request for all objects of an entity.
  public init(entityName: String) { self.entityName = entityName }
}

/// The result of a request (`NSFetchRequestResult`), for `FetchRequest<any FetchRequestResult>` in ported code.
public protocol FetchRequestResult {}

extension MigratingObject: FetchRequestResult {}

extension ManagedObjectContext {
  /// The objects that a request asks for, as what it says they are; see ``fetch(_:)``.
  public func fetch<Result>(_ request: FetchRequest<Result>) throws -> [Result] {
    try flush()
    return try rows.fetch(objectFetch(request)).compactMap { object($0).flatMap { $0 as? Result } }
  }

  /// How many objects a request finds.
  public func count<Result>(for request: FetchRequest<Result>) throws -> Int {
    try flush()
    return try rows.count(objectFetch(request))
  }
}
