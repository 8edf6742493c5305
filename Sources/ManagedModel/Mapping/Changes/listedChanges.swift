extension ChangedItem {
  /// What was removed from one of the item's lists and added to it, and what became of the rest, by name.
  ///
  /// - Parameters:
  ///   - key: what stands before a part's name in facts: `fetchIndexes.`.
  ///   - label: what stands before a part's name in lines: `Hut: index `.
  ///   - detail: a part in a few words.
  func changes<Part: Renamable & Sendable>(
    in list: WritableKeyPath<Item, [Part]>, key: String, label: String, detail: (Part) -> String,
    kept: (ChangedItem<Part>) -> [PendingChange]
  ) -> [PendingChange] {
    let pairing = Pairing(from: old[keyPath: list], to: new[keyPath: list])
    let key = keyPrefix + key
    func part(_ item: Part) -> ListedPart {
      ListedPart(
        entity: entity, fact: key + item.name, label: label + item.name, detail: detail(item), scope: scope)
    }
    let removed: [NamedChanges] = pairing.removed.map { item in
      let change = part(item).change(
        .removed, put: { editNew(&$0) { $0[keyPath: list].append(item) } },
        take: { editOld(&$0) { $0[keyPath: list].remove(item.name) } })
      return (item.name, [change])
    }
    let added: [NamedChanges] = pairing.added.map { item in
      let change = part(item).change(
        .added, put: { editOld(&$0) { $0[keyPath: list].append(item) } },
        take: { editNew(&$0) { $0[keyPath: list].remove(item.name) } })
      return (item.name, [change])
    }
    let changed: [NamedChanges] = pairing.pairs.map { item, later in
      let changed = ChangedItem<Part>(
        old: item, new: later, label: label + later.name, entity: entity, keyPrefix: key + later.name + ".",
        scope: scope,
        editOld: { model, body in editOld(&model) { $0[keyPath: list].edit(item.name, body) } },
        editNew: { model, body in editNew(&model) { $0[keyPath: list].edit(later.name, body) } })
      return (later.name, kept(changed))
    }
    return inNameOrder(removed + added + changed)
  }
}

/// The addition or removal of something that is a part of a model or an entity.
struct ListedPart {
  var entity: String?
  var fact: String?
  /// How the line begins: `composite Point`.
  let label: String
  /// What stands in brackets in the line, and is the value where none is given.
  var detail: String?
  var value: String?
  let scope: PendingChange.Scope

  /// - Parameters:
  ///   - put: adds the part to a model that has it not.
  ///   - take: removes it from a model that has it.
  func change(
    _ kind: ModelChange.Kind, put: @escaping (inout ManagedObjectModel) -> Void,
    take: @escaping (inout ManagedObjectModel) -> Void
  ) -> PendingChange {
    let brackets = detail.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    let (value, isAdded) = (value ?? detail, kind == .added)
    return PendingChange(
      change: ModelChange(
        kind: kind, entity: entity, fact: fact, old: isAdded ? nil : value, new: isAdded ? value : nil,
        line: "\(label) \(kind.rawValue)\(brackets)"),
      scope: scope, make: isAdded ? put : take, takeBack: isAdded ? take : put)
  }
}

/// Changes under the name of what they are about.
typealias NamedChanges = (name: String, changes: [PendingChange])

/// The changes by name; those of one name stay as they are.
func inNameOrder(_ groups: [NamedChanges]) -> [PendingChange] {
  groups.enumerated().sorted {
    let (left, right) = ($0.element.name, $1.element.name)
    return left == right ? $0.offset < $1.offset : left.precedesInCodePointOrder(right)
  }.flatMap(\.element.changes)
}
