/// A property of an entity: the one that declares it, or one that has it.
package struct PropertyReference: Hashable, Sendable {
  package var entity: String
  package var property: String

  package init(entity: String, property: String) { (self.entity, self.property) = (entity, property) }

  /// As `Hut.name`.
  package var path: String { "\(entity).\(property)" }
}

extension EntityHierarchy {
  /// A property, or an element of a composite, by the entity in the lineage that declares it.
  package func reference(to property: String, seenFrom entity: String) -> PropertyReference? {
    declaringEntityName(of: property, seenFrom: entity).map {
      PropertyReference(entity: $0, property: property)
    }
  }

  package func attribute(_ reference: PropertyReference) -> AttributeDescription? {
    attribute(named: reference.property, of: reference.entity)
  }

  package func relationship(_ reference: PropertyReference) -> RelationshipDescription? {
    relationship(named: reference.property, of: reference.entity)
  }

  /// The inverse, where it is stored.
  package func storedInverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    inverse(of: relationship).flatMap { $0.isTransient ? nil : $0 }
  }

  package func storedInverse(of reference: PropertyReference) -> PropertyReference? {
    relationship(reference).flatMap(storedInverse) == nil ? nil : inverse(of: reference)
  }

  /// The relationship that points back, by the entity that declares it.
  package func inverse(of reference: PropertyReference) -> PropertyReference? {
    relationship(reference).flatMap { relationship in
      inverse(of: relationship).flatMap {
        self.reference(to: $0.name, seenFrom: relationship.destinationEntityName)
      }
    }
  }
}
