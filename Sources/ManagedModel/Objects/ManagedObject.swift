/// One object of a store as a plain value: its identity, its values, its references.
///
/// For tests, samples, fixtures and whole-store dumps; migrations move rows without making objects of them.
public struct ManagedObject: Hashable, Sendable {
  /// Which row an object is: keys are unique among all entities that share a root.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The concrete entity.
    public var entityName: String
    /// `Z_PK`, counted from 1.
    public var primaryKey: Int64
    /// `NSStoreUUID` of the store that it is in, where a policy asks for its URI.
    @Aside package var storeIdentifier: String? = nil

    /// The identity of the object with a primary key (`Z_PK`) of an entity.
    public init(entityName: String, primaryKey: Int64) {
      (self.entityName, self.primaryKey) = (entityName, primaryKey)
    }

    /// `Hut/p3`, as the end of its URI has it.
    public var description: String { "\(entityName)/p\(primaryKey)" }
  }

  /// Unique in the store.
  public var id: ID
  /// By attribute name; elements of a composite by key path (`position.latitude`). Absent means nil.
  public var values: [String: AttributeValue]
  /// By name of the relationship; one that leads nowhere has no entry.
  public var toOne: [String: ID]
  /// In order where the relationship is ordered, else by primary key.
  public var toMany: [String: [ID]]

  /// An object in memory; no store knows it.
  public init(
    _ entityName: String, _ primaryKey: Int64, values: [String: AttributeValue] = [:],
    toOne: [String: ID] = [:], toMany: [String: [ID]] = [:]
  ) {
    self.id = ID(entityName: entityName, primaryKey: primaryKey)
    (self.values, self.toOne, self.toMany) = (values, toOne, toMany)
  }
}
