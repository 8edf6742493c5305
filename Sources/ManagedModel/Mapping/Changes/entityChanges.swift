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
    return ListedPart(
      entity: name, label: name, detail: summary(of: entity),
      scope: .entity(old: isAdded ? nil : name, new: isAdded ? name : nil)
    ).change(kind, put: { $0.entities.append(entity) }, take: { $0.entities.remove(name) })
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
      in: \.fetchIndexes, key: "fetchIndexes.", label: "\(entity.label): index ", detail: summary
    ) { $0.changes(of: fetchIndexFacts) }
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
      ListedPart(
        entity: entity, fact: key, label: "\(label): \(noun) \(text(names))", value: text(names), scope: scope
      )
    }
    guard difference.isReordered else { return changes }
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    let reordering = PendingChange(
      change: ModelChange(
        kind: .changed, entity: entity, fact: key, old: before.map(text).joined(separator: " "),
        new: after.map(text).joined(separator: " "), line: "\(label): \(key) in another order"),
      scope: scope,
      make: { model in editOld(&model) { $0[keyPath: path] = sorted(before, like: after) } },
      takeBack: { model in editNew(&model) { $0[keyPath: path] = sorted(after, like: before) } })
    return changes + [reordering]
  }
}
