import ManagedModel
public import ModelMigration

// What ported code asks of Core Data and a migration has no need of: rows are read when their values are asked for, and
// written by themselves.

extension ManagedObjectContext {
  /// All objects that there are by now. Core Data has those of a migration in memory; here each is read where the sequence
  /// comes to it, entity by entity, so look for one with a fetch where there are many.
  public var registeredObjects: AnySequence<MigratingObject> {
    AnySequence(
      model.entities.lazy.flatMap { entity in
        let all = FetchRequest(entityName: entity.plainName, includesSubentities: false)
        return ((try? self.identities(all)) ?? []).lazy.compactMap { self.object($0) }
      })
  }

  /// All objects that the migration has created so far; none of the source.
  public var insertedObjects: AnySequence<MigratingObject> {
    isReadOnly ? AnySequence([]) : registeredObjects
  }

  /// Does nothing: an object that nobody holds gives its row back by itself. What was changed stays.
  public func refresh(_ object: MigratingObject, mergeChanges flag: Bool) {}
}

extension MigratingObject {
  /// Never true: values are there when they are asked for.
  public var isFault: Bool { false }
}
