/// What stores of a step's source may hold and its destination has no place for: an entity's objects, or the values of
/// a property.
///
/// The one rule, told from the two models and the mapping between them, as ``Requirement`` is.
package struct Removal: Hashable, Sendable {
  package var entity: String
  package var property: String?

  package init(entity: String, property: String? = nil) {
    self.entity = entity
    self.property = property
  }

  package var name: String { property.map { "\(entity).\($0)" } ?? entity }

  /// - Parameter retired: what a version names under `retired:`.
  package func isListed(in retired: some Sequence<String>) -> Bool {
    ManagedModel.isListed(entity, property, in: Set(retired))
  }
}

extension [ModelVersion] {
  /// What versions after the first retire: names that they list; of entities among them also the relationships that led to
  /// their objects alone; and a property by the entity that declares it, where its heirs that have it no more are listed.
  package var retiredNames: Set<String> {
    let listed = Set(dropFirst().flatMap(\.retired))
    if listed.isEmpty { return [] }
    return zip(self, dropFirst()).reduce(into: listed) { names, step in
      let (hierarchy, after) = (EntityHierarchy(step.0.model), EntityHierarchy(step.1.model))
      func isRetired(_ entity: String, _ property: String? = nil) -> Bool {
        listed.contains(Removal(entity: entity, property: property).name)
          || hierarchy.entity(named: entity)?.isAbstract == true
      }
      for entity in step.0.model.entities {
        for relationship in entity.relationships
        where hierarchy.descendantNames(includingSelf: relationship.destinationEntityName)
          .allSatisfy({ isRetired($0) })
        {
          names.insert("\(entity.name).\(relationship.name)")
        }
      }
      for name in listed {
        guard let dot = name.firstIndex(of: ".") else { continue }
        let (heir, property) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        guard let owner = hierarchy.declaringEntityName(of: property, seenFrom: heir), owner != heir,
          hierarchy.descendantNames(includingSelf: owner).allSatisfy({
            isRetired($0, property) || after.declaringEntityName(of: property, seenFrom: $0) != nil
          })
        else { continue }
        names.insert("\(owner).\(property)")
      }
    }
  }
}

extension EntityMapping {
  /// Those of its source's properties that reach the destination neither from their own side nor from the other.
  ///
  /// - Parameter carried: ``MappingModel/carriedRelationships`` of the step.
  package func removals(
    among attributes: [AttributeDescription], _ relationships: [RelationshipDescription],
    from source: EntityHierarchy, carried: [PropertyReference: Set<String>]
  ) -> [Removal] {
    guard let entity = sourceEntityName else { return [] }
    let read = Set((attributeMappings + relationshipMappings).compactMap(\.value.sourceName))
    let values = attributes.filter { !$0.isDerived && !read.contains($0.name) }
    let references = relationships.filter { relationship in
      let inverse = source.inverse(of: relationship).map {
        PropertyReference(entity: relationship.destinationEntityName, property: $0.name)
      }
      return !relationship.isTransient
        && carried[PropertyReference(entity: entity, property: relationship.name)] == nil
        // It may lead to objects of some sub-entities only.
        && inverse.flatMap { carried[$0] }?.contains(entity) != true
    }
    return (values.map(\.name) + references.map(\.name)).map { Removal(entity: entity, property: $0) }
  }
}
