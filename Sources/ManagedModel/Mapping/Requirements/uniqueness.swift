/// What a step asks of values by the uniqueness constraints of its destination.
extension EntityMapping {
  /// The constraints all of whose values are the same for every object: each can hold for one object at most.
  package func constantConstraints(in destination: EntityHierarchy) -> [[String]] {
    constraints(in: destination).filter { constraint in
      !constraint.isEmpty
        && constraint.allSatisfy { property in
          if case .constant(.some)? = propertyMapping(named: property)?.value { true } else { false }
        }
    }
  }

  /// The constraints over values that no constraint of the source held apart; where one starts empty, all hold.
  package func newConstraints(from source: EntityHierarchy, to destination: EntityHierarchy) -> [[String]] {
    let former = sourceEntityName.map(source.lineage)?.flatMap(\.uniquenessConstraints) ?? []
    return constraints(in: destination).filter { constraint in
      let past = constraint.compactMap { propertyMapping(named: $0)?.value.sourceName }
      return past.count == constraint.count && !former.contains { Set($0) == Set(past) }
    }
  }

  private func constraints(in destination: EntityHierarchy) -> [[String]] {
    destinationEntityName.flatMap { destination.entity(named: $0) }?.uniquenessConstraints ?? []
  }
}
