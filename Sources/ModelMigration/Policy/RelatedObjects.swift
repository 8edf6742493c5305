/// The objects of a to-many relationship (`NSMutableSet`, `NSMutableOrderedSet`). Changes take effect immediately.
public final class RelatedObjects: Sequence {
  private let owner: MigratingObject
  private let key: String

  init(_ owner: MigratingObject, _ key: String) {
    self.owner = owner
    self.key = key
  }

  /// The objects as they are now.
  public var allObjects: [MigratingObject] { owner.objects(forKey: key) }
  /// The same as `NSMutableOrderedSet` names and types it.
  public var array: [Any] { allObjects }
  /// How many there are now.
  public var count: Int { allObjects.count }
  /// Whether an object is among them now.
  public func contains(_ object: MigratingObject) -> Bool { allObjects.contains(object) }
  /// The objects as they are now.
  public func makeIterator() -> IndexingIterator<[Any]> { array.makeIterator() }

  /// Adds an object; at the end if the relationship is ordered.
  ///
  /// What is not an object ends the migration after the callback, as a value of another type does.
  public func add(_ object: Any) {
    owner.managedObjectContext.recording(owner, key) {
      for member in try owner.members(object, key) { try owner.addMember(member, key) }
    }
  }

  /// Inserts an object at a position (from 0) of an ordered to-many; an existing member keeps its position.
  ///
  /// A position beyond the end stops the migration after the callback.
  public func insert(_ object: Any, at index: Int) {
    owner.managedObjectContext.recording(owner, key) {
      var objects = try owner.relatedObjects(key)
      let new = try owner.members(object, key).filter { !objects.contains($0) }
      guard (0...objects.count).contains(index) else {
        throw PolicyMisuse("'\(key)' has \(objects.count) objects: none can be put at position \(index)")
      }
      objects.insert(contentsOf: new, at: index)
      owner.setValue(objects, forKey: key)
    }
  }

  /// Adds objects; at the end if the relationship is ordered.
  public func addObjects(from objects: some Sequence) { for object in objects { add(object) } }

  /// Adds the objects of a to-many's value.
  public func union(_ objects: Any) { add(objects) }

  /// Removes an object; nothing happens if it is not a member.
  public func remove(_ object: MigratingObject) {
    owner.setValue(allObjects.filter { $0 != object }, forKey: key)
  }

  /// Removes all objects.
  public func removeAllObjects() { owner.setValue(nil, forKey: key) }
}
