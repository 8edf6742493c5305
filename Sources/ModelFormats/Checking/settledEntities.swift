import ManagedModel

/// Which entities need no look, because a look in an earlier version, where nothing was found, saw the same.
///
/// The checks of an entity and its properties look at the entity with its ancestors, at those to which its relationships
/// lead, and at those to which the inverses lead. Where all of these are repeated, so is the answer. Predicates and other
/// expressions may lead further; that an abstract entity has children is said elsewhere.
func settledEntities(_ index: ModelIndex, _ repeated: RepeatedEntities) -> [Bool] {
  let (hierarchy, entities) = (index.hierarchy, index.model.entities)
  let isRepeated = entities.indices.map { repeated.includeLineage(ofEntityAt: $0, in: hierarchy) }
  func isRepeatedEntity(_ name: String) -> Bool { hierarchy.index(of: name).map { isRepeated[$0] } ?? false }
  return entities.indices.map { place in
    guard isRepeated[place], !entities[place].isAbstract, !entities[place].hasExpressions else {
      return false
    }
    let relationships = entities[place].relationships
    return relationships.indices.allSatisfy { place in
      let destination = relationships[place].destinationEntityName
      guard isRepeatedEntity(destination) else { return false }
      let next = relationships[place].inverseName.flatMap {
        index.destinationName(ofRelationship: $0, of: destination)
      }
      return next.map(isRepeatedEntity) ?? true
    }
  }
}

extension EntityDescription {
  /// Whether an attribute or index is computed.
  fileprivate var hasExpressions: Bool {
    attributes.indices.contains { attributes[$0].isDerived }
      || fetchIndexes.contains {
        $0.partialIndexPredicate != nil || $0.elements.contains(where: \.isExpression)
      }
  }
}
