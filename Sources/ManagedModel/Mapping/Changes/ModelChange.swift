/// One difference between two versions of a model.
public struct ModelChange: Hashable, Sendable {
  /// What is done to the model.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The newer version has it, the older has not.
    case added
    /// The older version has it, the newer has not.
    case removed
    /// Another name for what is the same by its renaming identifier.
    case renamed
    /// A property that an ancestor declares now, or no longer.
    case moved
    /// Another value of one fact.
    case changed
  }

  /// What is done.
  public var kind: Kind
  /// The entity it is about, as the later model calls it, or the earlier one where only that has it; nil for
  /// what belongs to no entity.
  public var entity: String?
  /// Nil if the entity or the whole model is meant.
  public var property: String?
  /// Which fact, by its key in the model language: `default`, `fetchIndexes.byName`, `composites.Point.x.type`;
  /// nil if the entity or property as a whole is meant.
  public var fact: String?
  /// What the earlier model says; nil if it says nothing.
  public var old: String?
  /// What the later model says; nil if it says nothing.
  public var new: String?
  /// The whole change in one line.
  package var line: String
  /// The entities whose version hash this change affects, descendants included, by their later names, in code-point
  /// order.
  public var entitiesWithMovedHash: [String] = []

  /// Whether the version hashes, by which Core Data recognises stores, contain it.
  public var isHashed: Bool { !entitiesWithMovedHash.isEmpty }
  /// Whether a configuration has other entities: Core Data knows a store that is opened with it by their hashes alone.
  package var isOfConfiguration: Bool { fact?.hasPrefix("configurations.") == true }
}

/// A change with the two edits that show what it does on its own.
struct PendingChange {
  var change: ModelChange
  var scope: Scope
  /// Makes this change alone in the earlier model.
  var make: (inout ManagedObjectModel) -> Void
  /// Takes this change alone back in the later model.
  var takeBack: (inout ManagedObjectModel) -> Void

  /// Which entities the edits touch.
  enum Scope: Hashable {
    /// One entity, by its names in the earlier and in the later model.
    case entity(old: String?, new: String?)
    /// Those that use composites.
    case composites
    /// None: what belongs to the model as a whole.
    case model
  }
}
