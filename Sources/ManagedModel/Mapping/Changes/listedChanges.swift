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
    func only(_ kind: ModelChange.Kind, _ item: Part) -> NamedChanges {
      let part = ListedPart(
        entity: entity, fact: key + item.name, label: label + item.name, detail: detail(item))
      let change = change(
        kind, of: part, put: { $0[keyPath: list].append(item) },
        take: { $0[keyPath: list].remove(item.name) })
      return (item.name, [change])
    }
    let removed = pairing.removed.map { only(.removed, $0) }
    let added = pairing.added.map { only(.added, $0) }
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

  /// The addition of a part to the item, or its removal.
  ///
  /// - Parameters:
  ///   - put: adds the part to an item that has it not.
  ///   - take: removes it from an item that has it.
  func change(
    _ kind: ModelChange.Kind, of part: ListedPart, put: @escaping (inout Item) -> Void,
    take: @escaping (inout Item) -> Void
  ) -> PendingChange {
    let brackets = part.detail.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    let (value, isAdded) = (part.value ?? part.detail, kind == .added)
    let change = ModelChange(
      kind: kind, entity: part.entity, fact: part.fact, old: isAdded ? nil : value,
      new: isAdded ? value : nil, line: "\(part.label) \(kind.rawValue)\(brackets)")
    return pending(change, make: isAdded ? put : take, takeBack: isAdded ? take : put)
  }
}

/// Something that is a part of a model or an entity, as its addition or removal is shown.
struct ListedPart {
  var entity: String?
  var fact: String?
  /// How the line begins: `composite Point`.
  let label: String
  /// What stands in brackets in the line, and is the value where none is given.
  var detail: String?
  var value: String?
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
