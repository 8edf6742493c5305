/// A value that the destination of a step requires and that source objects may lack.
///
/// It follows from the two models and the mapping between them. The gate turns it into findings, a plan without a store
/// into conditions, a plan of a store into questions to the rows.
package struct Requirement: Sendable {
  package enum Property: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    package var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
    }
  }

  package enum Past: Hashable, Sendable {
    /// No object of the source has anything for it.
    case absent
    /// It was optional.
    case optional
    /// It is computed, has a default or comes from the other side: only rows say whether it is there.
    case computed
  }

  package var property: Property
  package var past: Past
}

extension EntityMapping {
  /// What the destination's entity requires, inherited properties included; attributes first.
  package func requirements(from source: EntityHierarchy, to destination: EntityHierarchy) -> [Requirement] {
    guard let name = destinationEntityName else { return [] }
    return destination.members(of: name).compactMap { requirement(of: $0, from: source) }
      + destination.relationships(of: name).compactMap { requirement(of: $0, from: source) }
  }

  package func requirement(of attribute: AttributeDescription, from source: EntityHierarchy) -> Requirement? {
    // What SwiftData evaluates when an app starts goes into every row, also where the source alone does not tell it: of a
    // struct that is new, also what its members may lack.
    let root = attribute.name.prefix { $0 != "." } + "."
    let isMember = attribute.name.hasPrefix(root)
    let isNew =
      !isMember || !attributeMappings.contains { $0.name.hasPrefix(root) && $0.value != .constant(nil) }
    let isEvaluated = if case .evaluated? = attribute.defaultValue { isNew } else { false }
    guard !attribute.isOptional || isMember && isEvaluated, !attribute.isDerived else { return nil }
    let value = propertyMapping(named: attribute.name)?.value
    let old = sourceEntityName.flatMap { entity in
      value?.sourceName.flatMap { source.attribute(named: $0, of: entity) }
    }
    if old?.isOptional == false { return nil }
    let past: Requirement.Past =
      switch value {
      case _ where isEvaluated: .computed
      case .constant(nil): .absent
      case .source, .converted(.source, _, _): old == nil ? .computed : .optional
      default: .computed
      }
    return Requirement(property: .attribute(attribute), past: past)
  }

  package func requirement(
    of relationship: RelationshipDescription, from source: EntityHierarchy
  ) -> Requirement? {
    guard !relationship.isTransient, relationship.mustLeadSomewhere else { return nil }
    let mapping = propertyMapping(named: relationship.name)
    let old = sourceEntityName.flatMap { entity in
      mapping?.value.sourceName.flatMap { source.relationship(named: $0, of: entity) }
    }
    if old?.mustLeadSomewhere == true { return nil }
    let past: Requirement.Past = mapping?.hasSource == false ? .absent : old == nil ? .computed : .optional
    return Requirement(property: .relationship(relationship), past: past)
  }
}

extension RelationshipDescription {
  /// Numbers of objects that the relationship does not admit and the one that it comes from did; none is ``isOptional``.
  package func newlyBrokenCounts(after old: RelationshipDescription) -> [ClosedRange<Int>] {
    guard isToMany, old.isToMany else { return [] }
    let (least, most) = (max(1, old.minCount), old.maxCount > 1 ? old.maxCount : Int.max)
    return (minCount > least ? [least...minCount - 1] : [])
      + (maxCount > 1 && maxCount < most ? [maxCount + 1...most] : [])
  }
}

extension Diagnostic.Code {
  package static let missingAttributeValues = Self("MC3101")
  package static let missingRelationshipValues = Self("MC3102")
  package static let duplicateValues = Self("MC3105")
  package static let numericNarrowing = Self("MC3109", level: .store)
  package static let abstractEntityWithRows = Self("MC3110")
  package static let droppedData = Self("MC3111", level: .store)
  package static let storageFormChanged = Self("MC3117")
}
