/// What a step asks of values by the uniqueness constraints of its destination.
extension EntityMapping {
  /// The constraints all of whose values are the same for every object: each can hold for one object at most.
  package func constantConstraints(in destination: EntityHierarchy) -> [[String]] {
    constraints(in: destination).filter { constraint in
      !constraint.isEmpty && constraint.allSatisfy { isConstant($0, in: destination) }
    }
  }

  /// Whether all objects get one value: what an app evaluates when it starts is one, whatever it is.
  private func isConstant(_ property: String, in destination: EntityHierarchy) -> Bool {
    guard case .constant(let value)? = propertyMapping(named: property)?.value else { return false }
    let attribute = destination.attribute(named: property, of: destinationEntityName ?? "")
    if case .evaluated? = attribute?.defaultValue, attribute?.isOptional == false { return true }
    return value != nil
  }

  /// The constraints over values that no constraint of the source held apart; where one starts empty, all hold.
  package func newConstraints(from source: EntityHierarchy, to destination: EntityHierarchy) -> [[String]] {
    let former = sourceEntityName.map(source.lineage)?.flatMap(\.uniquenessConstraints) ?? []
    return constraints(in: destination).filter { constraint in
      let kept = constraint.filter { !isConstant($0, in: destination) }
      let past = kept.compactMap { propertyMapping(named: $0)?.value.sourceName }
      guard !kept.isEmpty, past.count == kept.count else { return false }
      return !former.contains { Set($0).isSubset(of: past) }
        || zip(kept, past).contains { fillsNull($0, $1, from: source, to: destination) }
    }
  }

  /// Whether objects that had no value, which no constraint holds together, all get the default.
  private func fillsNull(
    _ property: String, _ past: String, from source: EntityHierarchy, to destination: EntityHierarchy
  ) -> Bool {
    let old = source.attribute(named: past, of: sourceEntityName ?? "")
    let new = destination.attribute(named: property, of: destinationEntityName ?? "")
    return old?.isOptional == true && new?.isOptional == false && new?.defaultValue != nil
  }

  /// The relationships in which an object has one place, where several objects of the source may lead to it: to-ones that
  /// begin with what led here, and to-manys without an inverse that were to-ones.
  package func contestedReferences(
    from source: EntityHierarchy, to destination: EntityHierarchy
  ) -> [RelationshipDescription] {
    relationshipMappings.compactMap { property in
      guard let new = destination.relationship(named: property.name, of: destinationEntityName ?? "") else {
        return nil
      }
      let own = property.value.sourceName.map {
        PropertyReference(entity: sourceEntityName ?? "", property: $0)
      }
      let isOwner = new.isToMany && destination.storedInverse(of: new) == nil
      let pasts = isOwner ? [own].compactMap(\.self) : new.isToMany ? [] : property.referrers
      return pasts.contains { past in
        let past = source.relationship(named: past.property, of: past.entity)
        return past?.isToMany == false && past.flatMap { source.inverse(of: $0) }?.isToMany != false
      } ? new : nil
    }
  }

  private func constraints(in destination: EntityHierarchy) -> [[String]] {
    destinationEntityName.flatMap { destination.entity(named: $0) }?.uniquenessConstraints ?? []
  }
}
