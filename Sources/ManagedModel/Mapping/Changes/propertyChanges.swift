/// How one kind of properties is compared.
private struct PropertyKind<Item: Renamable & NameEditable & Sendable> {
  let path: WritableKeyPath<EntityDescription, [Item]>
  let userInfo: any WritableKeyPath<Item, [String: String]> & Sendable
  let facts: [Fact<Item>]
  let summary: (Item) -> String
}

extension ModelComparison {
  /// What happened to the properties of one entity, by name.
  func propertyChanges(from old: EntityDescription, to new: EntityDescription) -> [PendingChange] {
    let groups =
      groups(
        PropertyKind(
          path: \.attributes, userInfo: \.userInfo, facts: attributeFacts, summary: summary), old, new)
      + groups(
        PropertyKind(
          path: \.relationships, userInfo: \.userInfo, facts: relationshipFacts, summary: summary), old, new)
      + groups(
        PropertyKind(
          path: \.fetchedProperties, userInfo: \.userInfo, facts: fetchedPropertyFacts, summary: summary),
        old,
        new)
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
    for ancestor in ancestorNames(of: name) {
      let items = entity(named: ancestor)?[keyPath: path] ?? []
      if let found = items.first(where: { $0.canonicalName == item.canonicalName }) {
        return (ancestor, found)
      }
    }
    return nil
  }
}

extension ChangedItem where Item: Renamable & NameEditable {
  fileprivate func allChanges(_ kind: PropertyKind<Item>) -> [PendingChange] {
    renaming() + changes(of: kind.facts)
      + changes(of: dictionaryFacts("userInfo", kind.userInfo, of: old, new))
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
    let line = "\(new.name).\(item.name) removed (\(summary))"
    return lacking(item, .removed, item.name, (summary, nil), line)
  }

  func moveUp(_ item: Item, to owner: String) -> PendingChange {
    lacking(item, .moved, item.name, (old.name, owner), "\(new.name).\(item.name) moved up to \(owner)")
  }

  func addition(_ item: Item) -> PendingChange {
    let summary = kind.summary(item)
    return having(item, .added, (nil, summary), "\(new.name).\(item.name) added (\(summary))")
  }

  func moveDown(_ item: Item, from owner: String) -> PendingChange {
    having(item, .moved, (owner, new.name), "\(new.name).\(item.name) moved down from \(owner)")
  }

  /// The later entity does not declare it.
  private func lacking(
    _ item: Item, _ changeKind: ModelChange.Kind, _ name: String, _ values: (old: String?, new: String?),
    _ line: String
  ) -> PendingChange {
    let (oldName, newName, path) = (old.name, new.name, kind.path)
    return PendingChange(
      change: ModelChange(
        kind: changeKind, entity: newName, property: name, old: values.old, new: values.new, line: line),
      scope: scope, make: { model in model.edit(oldName) { $0[keyPath: path].remove(item.name) } },
      takeBack: { model in model.edit(newName) { $0[keyPath: path].append(item) } })
  }

  /// The earlier entity does not declare it.
  private func having(
    _ item: Item, _ changeKind: ModelChange.Kind, _ values: (old: String?, new: String?), _ line: String
  ) -> PendingChange {
    let (oldName, newName, path) = (old.name, new.name, kind.path)
    return PendingChange(
      change: ModelChange(
        kind: changeKind, entity: newName, property: item.name, old: values.old, new: values.new, line: line),
      scope: scope, make: { model in model.edit(oldName) { $0[keyPath: path].append(item) } },
      takeBack: { model in model.edit(newName) { $0[keyPath: path].remove(item.name) } })
  }
}
