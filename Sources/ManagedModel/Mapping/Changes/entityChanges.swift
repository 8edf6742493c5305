extension ModelComparison {
  /// What happened to entities and their properties, entity by entity in the order of their names.
  func entityChanges() -> [PendingChange] {
    var groups: [NamedChanges] = []
    for entity in entities.removed { groups.append((entity.name, [change(.removed, of: entity)])) }
    for entity in entities.added { groups.append((entity.name, [change(.added, of: entity)])) }
    for (old, new) in entities.pairs where old != new {
      groups.append((new.name, changes(from: old, to: new)))
    }
    return inNameOrder(groups)
  }

  private func change(_ kind: ModelChange.Kind, of entity: EntityDescription) -> PendingChange {
    let (name, isAdded) = (entity.name, kind == .added)
    return model(scope: .entity(old: isAdded ? nil : name, new: isAdded ? name : nil)).change(
      kind, of: ListedPart(entity: name, label: name, detail: summary(of: entity)),
      put: { $0.entities.append(entity) }, take: { $0.entities.remove(name) })
  }

  private func changes(from old: EntityDescription, to new: EntityDescription) -> [PendingChange] {
    let item = ChangedItem(
      old: old, new: new, label: new.name, entity: new.name,
      scope: .entity(old: old.name, new: new.name), editOld: { $0.edit(old.name, $1) },
      editNew: { $0.edit(new.name, $1) })
    return item.renaming() + item.changes(of: entityFacts) + propertyChanges(from: old, to: new)
      + item.listChanges("uniquenessConstraints", \.uniquenessConstraints, "unique")
      + item.listChanges("compoundIndexes", \.compoundIndexes, "compound index")
      + indexChanges(item) + item.userInfoChanges()
  }

  private func indexChanges(_ entity: ChangedItem<EntityDescription>) -> [PendingChange] {
    entity.changes(
      in: \.fetchIndexes, key: "fetchIndexes.", label: "\(entity.label): index ", detail: \.words
    ) { $0.changes(of: fetchIndexFacts) }
  }

  /// What happened to the properties of one entity, by name.
  func propertyChanges(from old: EntityDescription, to new: EntityDescription) -> [PendingChange] {
    let attributes = groups(\.attributes, attributeFacts, summary, old, new)
    let relationships = groups(\.relationships, relationshipFacts, summary, old, new)
    let fetchedProperties = groups(\.fetchedProperties, fetchedPropertyFacts, \.words, old, new)
    return inNameOrder(attributes + relationships + fetchedProperties)
  }

  /// The changes of each property of one kind, under its name.
  private func groups<Item: Renamable & NameEditable & Sendable>(
    _ path: WritableKeyPath<EntityDescription, [Item]>, _ facts: [Fact<Item>], _ summary: (Item) -> String,
    _ old: EntityDescription, _ new: EntityDescription
  ) -> [NamedChanges] {
    let (oldName, newName) = (old.name, new.name)
    let scope = PendingChange.Scope.entity(old: oldName, new: newName)
    func kept(_ item: Item, in owner: String, _ later: Item, in laterOwner: String) -> [PendingChange] {
      let changed = ChangedItem(
        old: item, new: later, label: "\(newName).\(later.name)", entity: newName, property: later.name,
        scope: scope,
        editOld: { model, body in model.edit(owner) { $0[keyPath: path].edit(item.name, body) } },
        editNew: { model, body in model.edit(laterOwner) { $0[keyPath: path].edit(later.name, body) } })
      return changed.renaming() + changed.changes(of: facts) + changed.userInfoChanges()
    }
    /// - Parameter isAdded: whether the later entity declares it and the earlier one does not, or the other way round.
    func change(
      _ item: Item, _ kind: ModelChange.Kind, isAdded: Bool, _ before: String?, _ after: String?,
      _ words: String
    ) -> PendingChange {
      func edit(_ entity: String, puts: Bool) -> (inout ManagedObjectModel) -> Void {
        { model in
          model.edit(entity) { puts ? $0[keyPath: path].append(item) : $0[keyPath: path].remove(item.name) }
        }
      }
      return PendingChange(
        change: ModelChange(
          kind: kind, entity: newName, property: item.name, old: before, new: after,
          line: "\(newName).\(item.name) \(words)"),
        scope: scope, make: edit(oldName, puts: isAdded), takeBack: edit(newName, puts: !isAdded))
    }
    let pairing = Pairing(from: old[keyPath: path], to: new[keyPath: path])
    let pairs = pairing.pairs.map { ($0.new.name, kept($0.old, in: oldName, $0.new, in: newName)) }
    let removed = pairing.removed.map { item in
      guard let (owner, heir) = self.new.inherited(like: item, path, by: newName) else {
        let words = summary(item)
        return (item.name, [change(item, .removed, isAdded: false, words, nil, "removed (\(words))")])
      }
      let move = change(item, .moved, isAdded: false, oldName, owner, "moved up to \(owner)")
      return (heir.name, [move] + kept(item, in: oldName, heir, in: owner))
    }
    let added = pairing.added.map { item in
      guard let (owner, origin) = self.old.inherited(like: item, path, by: oldName) else {
        let words = summary(item)
        return (item.name, [change(item, .added, isAdded: true, nil, words, "added (\(words))")])
      }
      let move = change(item, .moved, isAdded: true, owner, newName, "moved down from \(owner)")
      return (item.name, [move] + kept(origin, in: owner, item, in: newName))
    }
    return pairs + removed + added
  }
}

extension ChangedItem where Item == EntityDescription {
  /// What a list of lists of names has lost and gained.
  fileprivate func listChanges(
    _ key: String, _ path: WritableKeyPath<EntityDescription, [[String]]>, _ noun: String
  ) -> [PendingChange] {
    let difference = ListDifference(from: old[keyPath: path], to: new[keyPath: path])
    func text(_ names: [String]) -> String { "[\(names.joined(separator: ", "))]" }
    let changes = changes(in: path, difference) { names in
      ListedPart(entity: entity, fact: key, label: "\(label): \(noun) \(text(names))", value: text(names))
    }
    guard difference.isReordered else { return changes }
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    let reordering = pending(
      ModelChange(
        kind: .changed, entity: entity, fact: key, old: before.map(text).joined(separator: " "),
        new: after.map(text).joined(separator: " "), line: "\(label): \(key) in another order"),
      make: { $0[keyPath: path] = sorted(before, like: after) },
      takeBack: { $0[keyPath: path] = sorted(after, like: before) })
    return changes + [reordering]
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
