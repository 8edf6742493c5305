public import ManagedModel
import PersistentStore

extension EntityDescription {
  /// A new object with the model's default values, as ported code makes it.
  ///
  /// What goes wrong (an unknown or abstract entity, the source's context) ends the migration after the callback; the
  /// object is then one that nothing is done with.
  public static func insertNewObject(
    forEntityName entityName: String, into context: ManagedObjectContext
  ) -> MigratingObject {
    MigratingObject(entityNamed: entityName, insertInto: context)
  }

  /// The entity of a context's model; nil where it has none of that name.
  public static func entity(
    forEntityName entityName: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.completeEntity(named: entityName)
  }
}

extension ManagedObjectContext {
  /// The object of an ID, read when its values are asked for.
  public func object(with id: ManagedObject.ID) -> MigratingObject {
    object(id) ?? MigratingObject(entityNamed: id.entityName, insertInto: self)
  }

  /// Writes what was changed. A migration does that by itself; ported code may go on asking for it.
  public func save() throws { if !isReadOnly { try flush() } }

  /// Runs the block at once, on the thread that the migration has.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try block() }
}

extension MigratingObject {
  /// `ManagedObject(entity: description, insertInto: context)`, as `EntityDescription.insertNewObject` makes one.
  public convenience init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
    self.init(entityNamed: entity.name, insertInto: context)
  }

  convenience init(entityNamed name: String, insertInto context: ManagedObjectContext) {
    let place = context.recording(nil, nil) { try context.place(forNew: name) }
    self.init(inserting: place?.key ?? 0, place?.shape ?? .missing(name), context)
    if place != nil { context.adopt(self) }
  }
}
