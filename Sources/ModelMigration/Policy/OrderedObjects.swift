import PersistentStore

/// The value of an ordered to-many (`NSOrderedSet`), as ``MigratingObject/value(forKey:)`` gives it.
///
/// Within a policy `NSOrderedSet` is this type. A cast of the value to anything else (`as? Set<…>`, `as? [ManagedObject]`)
/// gives nil without a word, and the policy would go on as if the relationship were empty. So a value that was taken and
/// never read ends the migration after the callback; the message says what it is.
public final class OrderedObjects: Sequence, CustomStringConvertible, ExpressibleByArrayLiteral {
  /// What it is the value of; nil for one that a policy makes.
  private let owner: MigratingObject?
  private let key: String
  private let members: [MigratingObject]
  private var isUsed = false

  /// A value for an ordered to-many; elements that are not objects are left out.
  public init(array: [Any] = []) {
    members = array.compactMap { $0 as? MigratingObject }
    owner = nil
    key = ""
  }

  /// The same, for `?? []` of ported code.
  public convenience init(arrayLiteral elements: Any...) { self.init(array: elements) }

  init(_ members: [MigratingObject], of owner: MigratingObject, _ key: String) {
    self.members = members
    self.owner = owner
    self.key = key
  }

  deinit {
    guard !isUsed, let owner else { return }
    owner.managedObjectContext.record(
      PolicyMisuse(
        "the value of '\(key)' of '\(owner.shape.name)' is an ordered set, and was never read",
        help: [
          "cast it to an ordered set: a cast to another type gives nil; or ask for `objects(forKey: \"\(key)\")`"
        ]), owner, key)
  }

  /// The objects, in their order.
  public var objects: [MigratingObject] {
    isUsed = true
    return members
  }

  /// The same as `NSOrderedSet` types it.
  public var array: [Any] { objects }
  /// The objects without their order.
  public var set: Set<MigratingObject> { Set(objects) }
  /// How many there are.
  public var count: Int { objects.count }
  /// Whether there are none.
  public var isEmpty: Bool { objects.isEmpty }
  /// Nil if there are none.
  public var firstObject: Any? { objects.first }
  /// Nil if there are none.
  public var lastObject: Any? { objects.last }
  /// The identities of the objects.
  public var description: String { "\(objects.map(\.id))" }

  /// Whether an object is among them.
  public func contains(_ object: Any) -> Bool { index(of: object) < members.count }

  /// - Returns: `NSNotFound`, which is `Int.max`, where it is not among them.
  public func index(of object: Any) -> Int {
    (object as? MigratingObject).flatMap { objects.firstIndex(of: $0) } ?? .max
  }

  /// - Precondition: there are more than `index` objects.
  public func object(at index: Int) -> Any { objects[index] }
  /// The object at a place from 0.
  public subscript(index: Int) -> Any { objects[index] }

  /// The objects in their order.
  public func makeIterator() -> IndexingIterator<[Any]> { array.makeIterator() }
}
