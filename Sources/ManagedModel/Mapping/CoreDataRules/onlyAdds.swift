extension [ModelVersion] {
  /// Whether each version on the way keeps everything of the version before it unchanged, and at most adds to it.
  ///
  /// One step then gives the same store as all steps in turn: old values stay, and new values begin the same way, because
  /// nothing that was added changes later.
  package var onlyAdds: Bool { zip(self, dropFirst()).allSatisfy { grows(from: $0.model, to: $1.model) } }
}

private func grows(from old: ManagedObjectModel, to new: ManagedObjectModel) -> Bool {
  guard old.composites == new.composites else { return false }
  return grow(from: old.entities, to: new.entities) { before, after in
    var rest = after
    rest.attributes = before.attributes
    rest.relationships = before.relationships
    // An index moves no value; all else is as it was: parent, class, constraints.
    rest.fetchIndexes = before.fetchIndexes
    return rest == before && grow(from: before.attributes, to: after.attributes) { _, _ in false }
      && grow(from: before.relationships, to: after.relationships) { _, _ in false }
  }
}

/// Whether every item is still there, the same or grown, and no new item is a renamed old one.
private func grow<Item: Renamable & Equatable>(
  from old: [Item], to new: [Item], isGrown: (Item, Item) -> Bool
) -> Bool {
  if old == new { return true }
  let byName = Dictionary(firstOf: new.map { ($0.name, $0) })
  let areKept = old.allSatisfy { item in byName[item.name].map { item == $0 || isGrown(item, $0) } ?? false }
  guard areKept else { return false }
  let names = Set(old.map(\.name)), canonicalNames = Set(old.map(\.canonicalName))
  return new.allSatisfy { item in
    names.contains(item.name)
      || names.union(canonicalNames).isDisjoint(with: [item.name, item.canonicalName])
  }
}
