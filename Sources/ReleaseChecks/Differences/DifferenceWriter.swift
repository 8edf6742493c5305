import ManagedModel
import ModelFormats

/// Turns pairs of objects that differ into what is shown of them.
struct DifferenceWriter {
  let old: DifferenceSide
  let new: DifferenceSide
  /// By each side's names.
  private let byName: (before: [String: ComparedEntity], after: [String: ComparedEntity])
  private let identities: [String: StoreDifference.Identity]
  private let namesObjectsByValues: Bool

  init(
    old: DifferenceSide, new: DifferenceSide, entities: [ComparedEntity],
    identities: [String: StoreDifference.Identity], namesObjectsByValues: Bool
  ) {
    (self.old, self.new, self.identities) = (old, new, identities)
    self.namesObjectsByValues = namesObjectsByValues
    byName = (
      Dictionary(firstOf: entities.compactMap { entity in entity.before.map { ($0, entity) } }),
      Dictionary(firstOf: entities.compactMap { entity in entity.after.map { ($0, entity) } })
    )
  }

  func difference(of entity: ComparedEntity, limit: Int) throws -> StoreDifference.Entity {
    let (before, after) = (old.digests(of: entity), new.digests(of: entity))
    var found = StoreDifference.Entity(
      before: entity.before, after: entity.after, identity: identity(of: entity),
      beforeCount: before.rows.count, afterCount: after.rows.count, onlyBefore: entity.onlyBefore,
      onlyAfter: entity.onlyAfter)
    try before.pair(after) { pair in
      if pair.isEqual { return }
      switch (pair.before, pair.after) {
      case (nil, _): found.added += 1
      case (_, nil): found.removed += 1
      default: found.changed += 1
      }
      if found.objects.count < limit { found.objects.append(try object(pair, of: entity)) }
    }
    return found
  }

  private func identity(of entity: ComparedEntity) -> StoreDifference.Identity {
    identities[entity.name] ?? .content
  }

  private func object(_ pair: ObjectPair, of entity: ComparedEntity) throws -> StoreDifference.Object {
    let before = try pair.before.flatMap { try old.object($0.key, of: entity) }
    let after = try pair.after.flatMap { try new.object($0.key, of: entity) }
    let identity = Set(identity(of: entity).attributes)
    var (own, others): ([StoreDifference.Property], [StoreDifference.Property]) = ([], [])
    for attribute in entity.attributes {
      let was = before.flatMap { old.value(of: attribute, in: $0) }
      let value = after.flatMap { new.value(of: attribute, in: $0) }
      let property = StoreDifference.Property(
        name: attribute.after, before: was.map { .value($0) }, after: value.map { .value($0) })
      if identity.contains(attribute.after) {
        own.append(property)
      } else if before == nil || after == nil
        || was.map(attribute.comparedText) != value.map(attribute.comparedText)
      {
        others.append(property)
      }
    }
    others += try entity.relationships.compactMap { try property($0, before, after) }
    return StoreDifference.Object(
      kind: before == nil ? .added : after == nil ? .removed : .changed, before: pair.before?.key,
      after: pair.after?.key, identity: own,
      properties: others.filter { $0.before != nil || $0.after != nil })
  }

  /// Nil if both lead to the same.
  private func property(
    _ relationship: ComparedEntity.Relationship, _ before: ManagedObject?, _ after: ManagedObject?
  ) throws -> StoreDifference.Property? {
    let was = before.map { old.identities(of: relationship, in: $0) } ?? []
    let now = after.map { new.identities(of: relationship, in: $0) } ?? []
    if relationship.isOrdered ? was == now : was.sorted() == now.sorted() { return nil }
    let (gone, come) = relationship.differing(was, now)
    // One of several that look alike has moved for each that has come.
    func parted(_ places: [Int], _ own: [ShortDigest], as others: [ShortDigest]) -> (
      moved: [Int], rest: [Int]
    ) {
      var open = Dictionary(relationship.isToMany ? others.map { ($0, 1) } : [], uniquingKeysWith: +)
      let moved = Set(
        places.filter { place in
          let count = open[own[place]] ?? 0
          open[own[place]] = count - 1
          return count > 0
        })
      return (places.filter(moved.contains), places.filter { !moved.contains($0) })
    }
    let left = parted(gone, was, as: come.map { now[$0] }).rest
    let came = parted(come, now, as: gone.map { was[$0] })
    func members(_ object: ManagedObject?, _ side: DifferenceSide, _ places: [Int]) throws -> [String] {
      let targets = object.map { side.targets(of: relationship, in: $0) } ?? []
      return try labels(of: places.map { targets[$0] }, side)
    }
    func value(_ labels: [String]) -> StoreDifference.Value? {
      relationship.isToMany && !labels.isEmpty ? .objects(labels) : labels.first.map { .object($0) }
    }
    let moved = try members(after, new, came.moved)
    let earlier = try value(members(before, old, left) + moved)
    var later = try value(members(after, new, came.rest) + moved)
    // Another object under the same key.
    if case .object(let label)? = later, earlier == later { later = .object("another \(label)") }
    return StoreDifference.Property(name: relationship.after, before: earlier, after: later, moved: moved)
  }

  private func labels(of targets: [ManagedObject.ID], _ side: DifferenceSide) throws -> [String] {
    let labels = try targets.prefix(memberLimit).map { try label(of: $0, side) }
    return labels + (targets.count > memberLimit ? ["\(targets.count - memberLimit) more"] : [])
  }

  /// `Hut Bergli`; of an object that only all its values identify, its place in the store.
  private func label(of id: ManagedObject.ID, _ side: DifferenceSide) throws -> String {
    if !namesObjectsByValues { return id.description }
    let known = side.end == .before ? byName.before[id.entityName] : byName.after[id.entityName]
    guard let entity = known, let object = try side.object(id.primaryKey, of: entity) else {
      return id.description
    }
    let values = entity.attributes(of: identity(of: entity))
    guard !values.isEmpty, identity(of: entity) != .content else { return id.description }
    let texts = values.map { side.value(of: $0, in: object).map(\.objectText) ?? "nil" }
    return "\(entity.name) \(texts.joined(separator: ", "))"
  }
}

extension ComparedEntity.Relationship {
  /// The places of what one side has and the other has not; of an ordered one also of what has moved.
  fileprivate func differing(_ was: [ShortDigest], _ now: [ShortDigest]) -> (gone: [Int], come: [Int]) {
    guard isToMany else { return (Array(was.indices), Array(now.indices)) }
    if !isOrdered {
      let (old, new) = (Set(was), Set(now))
      return (was.indices.filter { !new.contains(was[$0]) }, now.indices.filter { !old.contains(now[$0]) })
    }
    // Between what is the same at both ends, the longest common subsequence stays.
    let start = zip(was, now).prefix { $0 == $1 }.count
    let end = zip(was.dropFirst(start).reversed(), now.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (old, new) = (was[start..<was.count - end], now[start..<now.count - end])
    guard max(old.count, new.count) <= comparedLimit else { return (Array(old.indices), Array(new.indices)) }
    let difference = new.difference(from: old)
    func places(_ changes: [CollectionDifference<ShortDigest>.Change]) -> [Int] {
      changes.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): start + offset
        }
      }
    }
    return (places(difference.removals), places(difference.insertions))
  }
}

/// Longer lists that have next to nothing in common would take their square of memory.
private let comparedLimit = 2000

/// More members of one to-many are counted.
private let memberLimit = 10
