/// The objects of a to-many relationship (`NSMutableSet`, `NSMutableOrderedSet`): changes reach the relationship at once.
public final class RelatedObjects {
  private let owner: MigratingObject
  private let key: String

  init(_ owner: MigratingObject, _ key: String) {
    self.owner = owner
    self.key = key
  }

  public var allObjects: [MigratingObject] { owner.objects(forKey: key) }
  public var count: Int { allObjects.count }
  public func contains(_ object: MigratingObject) -> Bool { allObjects.contains(object) }

  public func add(_ object: MigratingObject) {
    owner.managedObjectContext.recording(owner, key) { try owner.addMember(object, key) }
  }

  public func addObjects(from objects: some Sequence<MigratingObject>) {
    for object in objects { add(object) }
  }

  public func remove(_ object: MigratingObject) {
    owner.setValue(allObjects.filter { $0 != object }, forKey: key)
  }

  public func removeAllObjects() { owner.setValue(nil, forKey: key) }
}
