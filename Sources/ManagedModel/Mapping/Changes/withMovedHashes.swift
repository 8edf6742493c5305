extension ModelComparison {
  /// Finds by hashing which entities' version hashes each change moves.
  ///
  /// A change moves a hash where two things hold. The entity's hashes differ between the models; and the earlier model with
  /// this change alone, or the later one without it, has another hash than before. Both are tried, because one change can
  /// hide another: the type of a transient attribute counts only once the attribute is stored.
  func withMovedHashes(_ pending: [PendingChange], _ hashes: HashesOfBoth) -> [ModelChange] {
    var probe = HashProbe(self, hashes)
    guard !probe.differing.isEmpty else { return pending.map(\.change) }
    let changes = pending.map { probe.complete($0, isScoped: true) }
    let explained = Set(changes.flatMap(\.entitiesWithMovedHash))
    // Families stand alone, but for relationships that may be their own inverse across two of them.
    return explained == probe.differing ? changes : pending.map { probe.complete($0, isScoped: false) }
  }
}

private struct HashProbe {
  let comparison: ModelComparison
  let newNames: [String: String]
  let oldNames: [String: String]
  /// Entities whose hashes differ, by later name where they have one.
  let differing: Set<String>
  /// The hashes before any change, of each part of a model that was asked for.
  private var hashes: [Part: [String: VersionHash]] = [:]

  private struct Part: Hashable {
    var isOld: Bool
    var entities: Set<String>
  }

  init(_ comparison: ModelComparison, _ known: HashesOfBoth) {
    self.comparison = comparison
    newNames = comparison.newNames
    oldNames = Dictionary(firstOf: newNames.map { ($1, $0) })
    var differing = Set(comparison.entities.removed.map(\.name) + comparison.entities.added.map(\.name))
    for (old, new) in comparison.entities.pairs where known.old[old.name] != known.new[new.name] {
      differing.insert(new.name)
    }
    self.differing = differing
  }

  mutating func complete(_ pending: PendingChange, isScoped: Bool) -> ModelChange {
    var change = pending.change
    if let moved = movedByStored(pending) {
      change.entitiesWithMovedHash = moved.intersection(differing).sortedByCodePoint
      return change
    }
    guard let families = families(of: pending.scope, isScoped: isScoped) else { return change }
    let moved = entitiesMoved(in: Part(isOld: true, entities: families.old), by: pending.make).map {
      newNames[$0] ?? $0
    }
    let movedBack = entitiesMoved(in: Part(isOld: false, entities: families.new), by: pending.takeBack)
    change.entitiesWithMovedHash = Set(moved).union(movedBack).intersection(differing).sortedByCodePoint
    return change
  }

  /// The entities whose hash a stored attribute moves that is there in one of the models alone: its own, and those below.
  /// Hashing all properties for each of a thousand such attributes would take seconds.
  ///
  /// - Returns: nil for all other changes, and where the family has the name twice.
  private func movedByStored(_ pending: PendingChange) -> Set<String>? {
    let change = pending.change
    guard case .entity(let old, let new) = pending.scope, [.added, .removed].contains(change.kind),
      change.fact == nil, let property = change.property
    else { return nil }
    let hierarchy = change.kind == .added ? comparison.new : comparison.old
    guard let name = change.kind == .added ? new : old,
      let attribute = hierarchy.entity(named: name)?.attributes.first(where: { $0.name == property }),
      !attribute.isTransient || attribute.isDerived
    else { return nil }
    let family = hierarchy.descendantNames(includingSelf: hierarchy.rootName(of: name))
    let count = family.reduce(0) { sum, relative in
      guard let entity = hierarchy.entity(named: relative) else { return sum }
      return sum + entity.attributes.count { $0.name == property }
        + entity.relationships.count { $0.name == property }
    }
    guard count == 1 else { return nil }
    return Set(
      hierarchy.descendantNames(includingSelf: name).map { change.kind == .added ? $0 : newNames[$0] ?? $0 })
  }

  /// The entities, of either model, that the change can reach; nil if it can reach none whose hash differs.
  private func families(
    of scope: PendingChange.Scope, isScoped: Bool
  ) -> (old: Set<String>, new: Set<String>)? {
    var seeds: Set<String>
    switch scope {
    case .model: return nil
    case .composites:
      seeds = Set(
        (comparison.old.model.entities + comparison.new.model.entities).filter { entity in
          entity.attributes.contains { $0.compositeName != nil }
        }.map(\.name))
    case .entity(let old, let new): seeds = Set([old, new].compactMap(\.self))
    }
    guard isScoped else {
      return (Set(comparison.old.model.entities.map(\.name)), Set(comparison.new.model.entities.map(\.name)))
    }
    // The family in one model may be spread over several in the other.
    for _ in 0..<2 { seeds.formUnion(relatives(of: seeds)) }
    guard seeds.contains(where: { differing.contains(newNames[$0] ?? $0) || differing.contains($0) }) else {
      return nil
    }
    return (seeds, seeds)
  }

  private func relatives(of names: Set<String>) -> Set<String> {
    var relatives: Set<String> = []
    for name in names {
      for hierarchy in [comparison.old, comparison.new] {
        for known in [name, newNames[name], oldNames[name]].compactMap(\.self)
        where hierarchy.entity(named: known) != nil {
          relatives.formUnion(hierarchy.descendantNames(includingSelf: hierarchy.rootName(of: known)))
        }
      }
    }
    return relatives
  }

  /// The entities whose hash differs after the edit, those included that it adds or removes.
  private mutating func entitiesMoved(
    in part: Part, by edit: (inout ManagedObjectModel) -> Void
  ) -> [String] {
    var model = part.isOld ? comparison.old.model : comparison.new.model
    model.entities = model.entities.filter { part.entities.contains($0.name) }
    let before = hashes[part] ?? model.entityVersionHashesByName
    hashes[part] = before
    edit(&model)
    let after = model.entityVersionHashesByName
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
  }
}
