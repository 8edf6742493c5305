/// How one kind of properties is compared.
private struct PropertyKind<Item: Renamable & NameEditable & Sendable> {
  let path: WritableKeyPath<EntityDescription, [Item]>
  let facts: [Fact<Item>]
  let summary: (Item) -> String
}

extension ModelComparison {
  /// What happened to the properties of one entity, by name.
  func propertyChanges(from old: EntityDescription, to new: EntityDescription) -> [PendingChange] {
    let groups =
      groups(PropertyKind(path: \.attributes, facts: attributeFacts, summary: summary), old, new)
      + groups(PropertyKind(path: \.relationships, facts: relationshipFacts, summary: summary), old, new)
      + groups(
        PropertyKind(path: \.fetchedProperties, facts: fetchedPropertyFacts, summary: summary), old, new)
    return inNameOrder(groups)
  }

  /// The changes of each property of one kind, under its name.
  private func groups<Item>(
    _ kind: PropertyKind<Item>, _ old: EntityDescription, _ new: EntityDescription
  ) -> [NamedChanges] {
    let pairing = Pairing(from: old[keyPath: kind.path], to: new[keyPath: kind.path])
    let place = Place(old: old, new: new, kind: kind)
    let kept = pairing.pairs.map { pair in
      (pair.new.name, place.item(pair.old, in: old.name, pair.new, in: new.name).allChanges(kind))
    }
    let removed = pairing.removed.map { item in
      guard let heir = self.new.inherited(like: item, kind.path, by: new.name) else {
        return (item.name, [place.removal(item)])
      }
      let moved = place.item(item, in: old.name, heir.item, in: heir.owner)
      return (heir.item.name, [place.moveUp(item, to: heir.owner)] + moved.allChanges(kind))
    }
    let added = pairing.added.map { item in
      guard let origin = self.old.inherited(like: item, kind.path, by: old.name) else {
        return (item.name, [place.addition(item)])
      }
      let moved = place.item(origin.item, in: origin.owner, item, in: new.name)
      return (item.name, [place.moveDown(item, from: origin.owner)] + moved.allChanges(kind))
    }
    return kept + removed + added
  }
}

extension EntityHierarchy {
  /// The inherited property of the same canonical name, and the ancestor that declares it.
  fileprivate func inherited<Item: Renamable>(
    like item: Item, _ path: WritableKeyPath<EntityDescription, [Item]>, by name: String
  ) -> (owner: String, item: Item)? {
    ancestorNames(of: name).lazy.compactMap { owner in
      entity(named: owner).flatMap { $0[keyPath: path].first { $0.canonicalName == item.canonicalName } }
        .map { (owner: owner, item: $0) }
    }.first
  }
}

extension ChangedItem where Item: Renamable & NameEditable {
  fileprivate func allChanges(_ kind: PropertyKind<Item>) -> [PendingChange] {
    renaming() + changes(of: kind.facts) + userInfoChanges()
  }
}

/// An entity in both models, whose properties of one kind are compared.
private struct Place<Item: Renamable & NameEditable & Sendable> {
  let old: EntityDescription
  let new: EntityDescription
  let kind: PropertyKind<Item>

  private var scope: PendingChange.Scope { .entity(old: old.name, new: new.name) }

  func item(
    _ item: Item, in oldOwner: String, _ later: Item, in newOwner: String
  ) -> ChangedItem<Item> {
    let path = kind.path
    return ChangedItem(
      old: item, new: later, label: "\(new.name).\(later.name)", entity: new.name, property: later.name,
      scope: scope,
      editOld: { model, body in model.edit(oldOwner) { $0[keyPath: path].edit(item.name, body) } },
      editNew: { model, body in model.edit(newOwner) { $0[keyPath: path].edit(later.name, body) } })
  }

  func removal(_ item: Item) -> PendingChange {
    let summary = kind.summary(item)
    return change(item, .removed, isAdded: false, (summary, nil), "removed (\(summary))")
  }

  func moveUp(_ item: Item, to owner: String) -> PendingChange {
    change(item, .moved, isAdded: false, (old.name, owner), "moved up to \(owner)")
  }

  func addition(_ item: Item) -> PendingChange {
    let summary = kind.summary(item)
    return change(item, .added, isAdded: true, (nil, summary), "added (\(summary))")
  }

  func moveDown(_ item: Item, from owner: String) -> PendingChange {
    change(item, .moved, isAdded: true, (owner, new.name), "moved down from \(owner)")
  }

  /// - Parameter isAdded: whether the later entity declares it and the earlier one does not, or the other way round.
  private func change(
    _ item: Item, _ changeKind: ModelChange.Kind, isAdded: Bool, _ values: (old: String?, new: String?),
    _ words: String
  ) -> PendingChange {
    let (oldName, newName, path) = (old.name, new.name, kind.path)
    func edit(_ entity: String, puts: Bool) -> (inout ManagedObjectModel) -> Void {
      { model in
        model.edit(entity) { puts ? $0[keyPath: path].append(item) : $0[keyPath: path].remove(item.name) }
      }
    }
    return PendingChange(
      change: ModelChange(
        kind: changeKind, entity: newName, property: item.name, old: values.old, new: values.new,
        line: "\(newName).\(item.name) \(words)"),
      scope: scope, make: edit(oldName, puts: isAdded), takeBack: edit(newName, puts: !isAdded))
  }
}
