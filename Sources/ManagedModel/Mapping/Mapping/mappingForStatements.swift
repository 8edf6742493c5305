extension MappingModel {
  /// A written mapping model in the forms of inference, which SQL statements carry out in the table itself. Nil if the
  /// mapping model says more than they can.
  ///
  /// The mapping model must take all objects to the entities that inference takes them to, and leave relationships to
  /// inference. It may state which attribute a value comes from, and that a whole number becomes a text without rules. It
  /// may leave out no attribute, and give none that allows external storage to two. Where inference refuses anything but a
  /// change of type, the result is nil too.
  package func mappingForStatements(from source: ModelVersion, to destination: ModelVersion) -> MappingModel?
  {
    var (reduced, refusals) = inferMappingModel(from: source, to: destination)
    guard !refusals.contains(where: { $0.severity == .error && $0.code != .incompatibleAttributeTypes })
    else { return nil }
    guard entityMappings.count == reduced.entityMappings.count else { return nil }
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(destination.model))
    for index in reduced.entityMappings.indices {
      let inferred = reduced.entityMappings[index]
      let written = entityMappings.filter {
        $0.sourceEntityName == inferred.sourceEntityName
          && $0.destinationEntityName == inferred.destinationEntityName
      }
      guard written.count == 1, let own = written.first, own.addsNothing(to: inferred) else { return nil }
      guard let to = own.destinationEntityName else { return nil }
      guard let from = own.sourceEntityName else { continue }
      reduced.entityMappings[index].droppedProperties = own.droppedProperties
      reduced.entityMappings[index].attributeMappings = []
      for mapping in own.attributeMappings {
        let old = inferred.attributeMappings.first { $0.name == mapping.name }
        guard
          let value = mapping.value == old?.value ? mapping.value : simple(mapping, from, to, before, after)
        else { return nil }
        reduced.entityMappings[index].attributeMappings.append(
          PropertyMapping(name: mapping.name, value: value))
      }
      let isWhole = before.members(of: from).allSatisfy {
        $0.isDerived || reduced.entityMappings[index].carries(sourceProperty: $0.name)
      }
      // Statements copy the name of a large value's file, and an app removes the file with the first that it changes.
      let large = own.attributeMappings.compactMap(\.value.sourceName).filter {
        before.attribute(named: $0, of: from)?.allowsExternalBinaryDataStorage == true
      }
      if !isWhole || Set(large).count < large.count { return nil }
    }
    reduced.isInferred = false
    return reduced
  }
}

extension EntityMapping {
  /// Whether it is the inferred mapping but for values of attributes.
  fileprivate func addsNothing(to inferred: EntityMapping) -> Bool {
    filter == nil && policyName == nil && grouping == nil && onDrop == .nullify && !dropsObjects
      && relationshipMappings == inferred.relationshipMappings
      && Set(inferred.attributeMappings.map(\.name)).isSubset(of: attributeMappings.map(\.name))
  }
}

private func simple(
  _ mapping: PropertyMapping, _ from: String, _ to: String, _ before: EntityHierarchy,
  _ after: EntityHierarchy
) -> PropertyMappingValue? {
  guard let new = after.attribute(named: mapping.name, of: to), new.validation == AttributeValidation(),
    !new.isDerived
  else { return nil }
  switch mapping.value {
  case .source(let name):
    guard let old = before.attribute(named: name, of: from),
      old.allowsExternalBinaryDataStorage == new.allowsExternalBinaryDataStorage, old.type != .transformable
    else { return nil }
    return mapping.value
  case .expression(.cast(.keyPath(let keys, of: .variable("source")), to: .string)):
    let name = keys.joined(separator: ".")
    guard let old = before.attribute(named: name, of: from), old.type.isInteger, new.type == .string
    else { return nil }
    return .converted(.source(name), from: old.type, to: .string)
  default: return nil
  }
}
