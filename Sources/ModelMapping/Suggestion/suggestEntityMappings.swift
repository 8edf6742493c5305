import ManagedModel

extension MappingSuggestion {
  /// Tables that become one: every entity of the hierarchy is copied, with new keys where two had the same.
  mutating func copyHierarchy(of root: String) { _ = mappings(toHeirsOf: root) }

  /// Objects of an entity that becomes abstract go to the first of its children; the children's own go on.
  mutating func moveToChild(_ entity: String) {
    let children = destination.descendantNames(includingSelf: entity).dropFirst()
      .filter { destination.entity(named: $0)?.isAbstract == false }
    guard let sourceName = pairs[entity], let child = children.first else { return }
    if let own = pairs[child] { _ = mapping(from: own, to: child) }
    _ = mapping(from: sourceName, to: child)
  }

  /// One object of each group of duplicates stays, and references to the others follow it.
  mutating func group(_ entity: String) {
    let former = pairs[entity].flatMap { source.entity(named: $0) }?.uniquenessConstraints ?? []
    let constraints = destination.entity(named: entity)?.uniquenessConstraints ?? []
    guard let constraint = constraints.first(where: { !former.contains($0) }) ?? constraints.first else {
      return
    }
    for index in mappings(toHeirsOf: entity) {
      guard let sourceName = entityMappings[index].sourceEntityName else { continue }
      let keys = constraint.compactMap { name -> String? in
        if let new = destination.attribute(named: name, of: entity) {
          return past(of: new, among: source.members(of: sourceName))?.name
        }
        guard let new = destination.relationship(named: name, of: entity) else { return nil }
        return past(of: new, among: source.relationships(of: sourceName))?.name
      }
      setGrouping(keys.map { "$source.\($0)" }, of: index)
    }
  }

  private mutating func setGrouping(_ keys: [String], of index: Int) {
    // A constant does not tell objects apart: then a policy has to give each a value of its own.
    if keys.isEmpty { return usePolicy(index) }
    entityMappings[index].groupBy = keys
    entityMappings[index].keep = .first
  }

  /// What a broken chain of renames, or two claims to one name, leave open: which entity continues which.
  mutating func renameEntity(_ entity: String) {
    guard let new = destination.entity(named: entity),
      let old = past(of: new, among: source.model.entities)
    else { return }
    _ = mapping(from: old.name, to: entity)
  }
}
