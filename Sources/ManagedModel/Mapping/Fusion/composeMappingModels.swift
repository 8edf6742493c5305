extension MappingModel {
  /// One mapping model with the result of two in turn.
  ///
  /// Each property that the second step reads is replaced by its value in the first step: a source, a default, a
  /// conversion of either. So an attribute that was removed, and whose name came back later, starts with its default, as it
  /// does step by step.
  ///
  /// - Parameters:
  ///   - second: from the middle version to the newest.
  package func composed(with second: MappingModel) -> MappingModel {
    var composed: [EntityMapping] = []
    var reached: Set<String> = []
    for late in second.entityMappings {
      guard let destinationName = late.destinationEntityName else { continue }
      let early = late.sourceEntityName.flatMap { mappings(toEntity: $0).first }
      guard let early, let sourceName = early.sourceEntityName else {
        // An entity that the middle version added has no objects, whatever a later version does with it.
        let values = late.attributeMappings.map { own in early.map { substitute(own, from: $0) } ?? own }
        composed.append(
          .adding(
            destinationName, late.destinationEntityVersionHash, attributes: values,
            relationships: late.relationshipMappings.map(\.name)))
        continue
      }
      reached.insert(sourceName)
      let type: MappingType = early.mappingType == .copy && late.mappingType == .copy ? .copy : .transform
      composed.append(
        EntityMapping(
          name: "IEM_\(type == .copy ? "Copy" : "Transform")_\(destinationName)", mappingType: type,
          sourceEntityName: sourceName, destinationEntityName: destinationName,
          sourceEntityVersionHash: early.sourceEntityVersionHash,
          destinationEntityVersionHash: late.destinationEntityVersionHash,
          attributeMappings: late.attributeMappings.map { substitute($0, from: early) },
          relationshipMappings: late.relationshipMappings.map { relationship in
            substituteRelationship(relationship, from: early, self)
          }))
    }
    var removed: Set<String> = []
    for early in self.entityMappings {
      guard let name = early.sourceEntityName, !reached.contains(name), removed.insert(name).inserted else {
        continue
      }
      composed.append(.removing(name, early.sourceEntityVersionHash))
    }
    return MappingModel(entityMappings: composed, isInferred: self.isInferred && second.isInferred)
  }
}

private func substitute(_ mapping: PropertyMapping, from early: EntityMapping) -> PropertyMapping {
  PropertyMapping(name: mapping.name, value: substitute(mapping.value, from: early))
}

/// A relationship gets its references from its own side or from the inverse, and so did the one before it. It leads only
/// to objects that both could lead to.
private func substituteRelationship(
  _ late: PropertyMapping, from early: EntityMapping, _ first: MappingModel
) -> PropertyMapping {
  let empty = PropertyMapping(name: late.name, value: .constant(nil))
  if let name = late.value.sourceName {
    guard var past = early.propertyMapping(named: name) else { return empty }
    past.name = late.name
    past.keepsOrder = past.keepsOrder && late.keepsOrder
    past.givesWay = past.givesWay || late.givesWay
    past.reachableEntities = past.reachableEntities.filter { source in
      first.mappings(fromEntity: source).contains { mapping in
        guard let name = mapping.destinationEntityName else { return false }
        return late.reachableEntities.contains(name)
      }
    }
    return past.hasSource ? past : empty
  }
  var result = empty
  for other in late.referrers {
    guard let mapping = first.mappings(toEntity: other.entity).first, let entity = mapping.sourceEntityName,
      let past = mapping.propertyMapping(named: other.property), let own = early.sourceEntityName,
      past.reachableEntities.contains(own)
    else { continue }
    if let name = past.value.sourceName {
      result.referrers.append(PropertyReference(entity: entity, property: name))
    } else if let referrer = past.referrers.first(where: { $0.entity == own }) {
      // This side gave the references of the other one.
      result.value = .source(referrer.property)
    } else {
      continue
    }
    if late.reachableEntities.contains(other.entity) { result.reachableEntities.insert(entity) }
  }
  return result
}

private func substitute(_ value: PropertyMappingValue, from early: EntityMapping) -> PropertyMappingValue {
  switch value {
  case .source(let name): early.propertyMapping(named: name)?.value ?? .constant(nil)
  case .constant, .expression: value
  case .converted(let inner, let from, let to): .converted(substitute(inner, from: early), from: from, to: to)
  case .defaulted(let inner, let fallback): .defaulted(substitute(inner, from: early), fallback)
  }
}
