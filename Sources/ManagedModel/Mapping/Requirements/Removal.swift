/// What stores of a step's source may hold and its destination has no place for: an entity's objects, or the values of
/// a property.
///
/// The one rule, told from the two models and the mapping between them, as ``Requirement`` is.
package struct Removal: Hashable, Sendable {
  package var entity: String
  package var property: String?

  package init(entity: String, property: String? = nil) { (self.entity, self.property) = (entity, property) }

  package init(_ lost: PropertyReference) { self.init(entity: lost.entity, property: lost.property) }

  package var name: String { property.map { "\(entity).\($0)" } ?? entity }

  /// - Parameter retired: what a version names under `retired:`.
  package func isListed(in retired: some Sequence<String>) -> Bool {
    ManagedModel.isListed(entity, property, in: Set(retired))
  }
}

extension EntityHierarchy {
  /// The name that a version retires a property by, for objects of one entity, or links to those of another: that of what
  /// declares it, or of the objects themselves if they have left what declares it, or the inverse.
  ///
  /// - Parameter isStill: whether objects of an entity are still objects of what was above it.
  package func retiredName(
    of past: PropertyReference, from: String, to: String?,
    isStill: (_ entity: String, _ above: String) -> Bool
  ) -> PropertyReference {
    if !isStill(from, past.entity) { return PropertyReference(entity: from, property: past.property) }
    guard let to, let inverse = inverse(of: past), !isStill(to, inverse.entity) else { return past }
    return PropertyReference(entity: to, property: inverse.property)
  }

  /// An entity or a property of a later version, by the name that it has here; nil if it is not here.
  fileprivate func name(of part: String, in later: Self) -> String? {
    let names = part.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = names.first, let heir = later.entity(named: name),
      let own = model.entities.first(where: { $0.canonicalName == heir.canonicalName })
    else { return nil }
    guard names.count == 2 else { return own.name }
    let canonicalName = later.canonicalNames(of: heir.name).first { $0.name == names[1] }?.canonicalName
    let past = canonicalNames(of: own.name).first { $0.canonicalName == canonicalName }
    return past.map { "\(own.name).\($0.name)" }
  }

  private func canonicalNames(of entity: String) -> [(name: String, canonicalName: String)] {
    (attributes(of: entity) + members(of: entity)).map { ($0.name, $0.canonicalName) }
      + relationships(of: entity).map { ($0.name, $0.canonicalName) }
  }
}

extension [ModelVersion] {
  /// What versions after the first retire: names that they list, which are those of the version before, and what the first
  /// one calls these; and of entities among them also the relationships that led to their objects alone.
  package var retiredNames: Set<String> {
    var listed = Set(dropFirst().flatMap(\.retired))
    let hierarchy = EntityHierarchy(
      listed.isEmpty ? ManagedObjectModel() : first?.model ?? ManagedObjectModel())
    for (former, version) in zip(dropFirst(), dropFirst(2)) where !version.retired.isEmpty {
      let later = EntityHierarchy(former.model)
      listed.formUnion(version.retired.compactMap { hierarchy.name(of: $0, in: later) })
    }
    if listed.allSatisfy({ $0.contains(".") }) { return listed }
    return dropLast().reduce(into: listed) { names, version in
      let hierarchy = EntityHierarchy(version.model)
      for entity in version.model.entities {
        for relationship in entity.relationships
        where hierarchy.descendantNames(includingSelf: relationship.destinationEntityName).allSatisfy({
          listed.contains($0) || hierarchy.entity(named: $0)?.isAbstract == true
        }) {
          names.insert("\(entity.name).\(relationship.name)")
        }
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
