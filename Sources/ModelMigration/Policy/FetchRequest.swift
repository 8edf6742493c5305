public import ManagedModel

/// Which objects a context fetches (`NSFetchRequest`). They are always ``MigratingObject``s. The generic parameter serves
/// `FetchRequest<ManagedObject>(entityName:)` in ported code.
public final class FetchRequest<Result> {
  /// The entity whose objects are fetched.
  public var entityName: String
  /// What ``entityName`` names, for requests that are made without a name: `request.entity = description`.
  public var entity: EntityDescription? { didSet { if let entity { entityName = entity.name } } }
  /// Nil for all objects.
  public var predicate: FetchPredicate?
  /// The first one decides; the next ones break ties.
  public var sortDescriptors: [SortDescription] = []
  /// 0 for all.
  public var fetchLimit = 0
  /// Whether objects of sub-entities come too.
  public var includesSubentities = true
  /// Taken for ported code's sake, as the two below: rows are read when their values are asked for, and it changes nothing.
  public var fetchBatchSize = 0
  /// Changes nothing.
  public var returnsObjectsAsFaults = true
  /// Changes nothing.
  public var relationshipKeyPathsForPrefetching: [String]?

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
