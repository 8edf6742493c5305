import ManagedModel

extension ManagedObjectModel {
  /// What `#Unique` and `#Index` cannot say of uniqueness constraints and fetch indexes.
  func inexpressibleKeys() -> [InexpressibleFact] {
    let hierarchy = EntityHierarchy(self)
    return entities.flatMap { entity in
      let name = entity.name
      func isThere(_ property: String) -> Bool {
        hierarchy.attribute(named: property, of: name) != nil
          || hierarchy.relationship(named: property, of: name) != nil
      }
      let constraints = entity.uniquenessConstraints.filter { !$0.allSatisfy(isThere) }.map { constraint in
        InexpressibleFact(
          subject: ModelSubject(entity: name, key: "uniquenessConstraints"),
          what: "that \(constraint.listed) of '\(name)' are unique", instead: "one of them is left out"
        ) { $0.change(name) { $0.uniquenessConstraints.removeAll { $0 == constraint } } }
      }
      return constraints
        + entity.fetchIndexes.compactMap { index in inexpressible(index, of: name, isThere) }
    }
  }
}

private func inexpressible(
  _ index: FetchIndexDescription, of entity: String, _ isThere: (String) -> Bool
) -> InexpressibleFact? {
  let collations = Set(index.elements.map(\.collation))
  let isExpressible = index.elements.allSatisfy { !$0.isExpression && isThere($0.property) }
  var plain = index
  plain.partialIndexPredicate = nil
  for place in plain.elements.indices {
    plain.elements[place].isAscending = true
    if collations.count > 1 { plain.elements[place].collation = .binary }
  }
  guard !isExpressible || plain != index else { return nil }
  return InexpressibleFact(
    subject: ModelSubject(entity: entity, key: "fetchIndexes.\(index.name)"),
    what: isExpressible
      ? "all of the index '\(index.name)' of '\(entity)'" : "the index '\(index.name)' of '\(entity)'",
    instead: isExpressible
      ? "an index has key paths of one kind, ascending and without a condition" : "it is left out"
  ) {
    $0.change(entity) { entity in
      entity.fetchIndexes = entity.fetchIndexes.compactMap { $0 != index ? $0 : isExpressible ? plain : nil }
    }
  }
}
