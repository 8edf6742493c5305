package import ManagedModel
package import PersistentStore

extension ObjectReader {
  /// Takes a small part out of a store that stands on its own: every reference in it leads to an object of it.
  ///
  /// Objects come spread over all entities, each with those that its required relationships lead to, then their
  /// neighbours. An optional reference to an object that stayed behind becomes nil; a to-many keeps the members that
  /// came along. Keys stay what they are.
  ///
  /// - Parameter count: the most objects to take.
  /// - Returns: by entity in numbering order, then by key.
  package func sampleObjects(_ count: Int, seed: UInt64) throws -> [ManagedObject] {
    var sample = ObjectSample(reader: self, limit: count)
    try sample.fill(seed: seed)
    return sample.closed
  }
}

private struct ObjectSample {
  let reader: ObjectReader
  let limit: Int
  var chosen: [ManagedObject.ID: ManagedObject] = [:]
  /// Chosen objects whose neighbours were not looked at yet, first come first.
  var queue: [ManagedObject.ID] = []
  var nextInQueue = 0

  /// One beginning from each entity in turn, and from each its surroundings, until there are enough.
  mutating func fill(seed: UInt64) throws {
    var beginnings = try reader.concreteEntityNames.map { name -> (entity: String, keys: [Int64]) in
      let keys = try reader.keys(ofEntity: name)
      var random = SeededRandom(mixed(seed, stableHash(name)))
      // Taken from the end, in an order that follows from the seed.
      let stride = Stride(over: keys.count, &random)
      return (name, keys.indices.reversed().map { keys[stride[$0]] })
    }
    while chosen.count < limit, beginnings.contains(where: { !$0.keys.isEmpty }) {
      for index in beginnings.indices where chosen.count < limit {
        guard let key = beginnings[index].keys.popLast() else { continue }
        try take(ManagedObject.ID(entityName: beginnings[index].entity, primaryKey: key))
      }
      try followReferences(atMost: max(4, limit / 10))
    }
  }

  /// Takes an object with all that must come along; nothing where that would be too much.
  private mutating func take(_ id: ManagedObject.ID) throws {
    guard chosen[id] == nil else { return }
    var group: [ManagedObject.ID: ManagedObject] = [:]
    var open = [id]
    while let next = open.popLast() {
      guard chosen[next] == nil, group[next] == nil else { continue }
      guard chosen.count + group.count < limit, let object = try reader.object(next) else { return }
      group[next] = object
      open += demanded(by: object)
    }
    chosen.merge(group) { first, _ in first }
    queue += group.keys.sorted { ($0.entityName, $0.primaryKey) < ($1.entityName, $1.primaryKey) }
  }

  private func demanded(by object: ManagedObject) -> [ManagedObject.ID] {
    let relationships = reader.hierarchy.relationships(of: object.id.entityName)
    return relationships.filter { !$0.isTransient && !$0.isOptional }.flatMap { relationship in
      relationship.isToMany
        ? Array((object.toMany[relationship.name] ?? []).prefix(max(1, relationship.minCount)))
        : object.toOne[relationship.name].map { [$0] } ?? []
    }
  }

  /// Neighbours of objects that are in already, so that the sample hangs together.
  private mutating func followReferences(atMost count: Int) throws {
    var rest = count
    while rest > 0, chosen.count < limit, nextInQueue < queue.count {
      guard let object = chosen[queue[nextInQueue]] else { return }
      nextInQueue += 1
      let names = (Array(object.toOne.keys) + Array(object.toMany.keys)).sorted()
      for name in names {
        let ids = object.toOne[name].map { [$0] } ?? Array((object.toMany[name] ?? []).prefix(5))
        for id in ids where chosen[id] == nil && rest > 0 && chosen.count < limit {
          try take(id)
          rest -= 1
        }
      }
    }
  }

  /// The objects without references to those that stayed behind.
  var closed: [ManagedObject] {
    let places = Dictionary(firstOf: reader.concreteEntityNames.enumerated().map { ($1, $0) })
    return chosen.values.map { object in
      var object = object
      object.toOne = object.toOne.filter { chosen[$0.value] != nil }
      object.toMany = object.toMany.compactMapValues { members in
        let kept = members.filter { chosen[$0] != nil }
        return kept.isEmpty ? nil : kept
      }
      return object
    }.sorted {
      (places[$0.id.entityName] ?? 0, $0.id.primaryKey) < (places[$1.id.entityName] ?? 0, $1.id.primaryKey)
    }
  }
}
