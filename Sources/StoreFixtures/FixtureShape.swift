import ManagedModel
import PersistentStore

/// What a fixture of a model consists of: the entities that can have objects, and the relationships between them.
///
/// Entities stand in numbering order, which is depth first: the kinds of an entity, and so their objects, are one
/// stretch without a gap.
struct FixtureShape {
  let hierarchy: EntityHierarchy
  /// Concrete ones.
  let entityNames: [String]
  private let ranges: [String: Range<Int>]
  private(set) var references: [ReferenceLink] = []
  private(set) var joins: [JoinLink] = []

  init(_ model: ManagedObjectModel) {
    // Bounds for each number whose Swift type has them.
    var model = model
    model.entities.editEach { entity in entity.attributes.editEach { $0.bound() } }
    let hierarchy = EntityHierarchy(model)
    let names = hierarchy.namesInNumberingOrder.filter { hierarchy.entity(named: $0)?.isAbstract == false }
    let places = Dictionary(firstOf: names.enumerated().map { ($1, $0) })
    var ranges: [String: Range<Int>] = [:]
    for name in hierarchy.namesInNumberingOrder {
      let kinds = hierarchy.descendantNames(includingSelf: name).compactMap { places[$0] }
      if let first = kinds.first { ranges[name] = first..<(first + kinds.count) }
    }
    (self.hierarchy, self.entityNames, self.ranges) = (hierarchy, names, ranges)
    addLinks()
  }

  /// The places of an entity's kinds; empty if it has none.
  func kinds(of entityName: String) -> Range<Int> { ranges[entityName] ?? 0..<0 }

  /// A constraint over a to-one lets each destination have one source.
  mutating func bindInjective(_ toOnes: Set<PropertyReference>) {
    references.editEach { link in
      if case .toOne(let reference) = link.holder, toOnes.contains(reference) { link.isInjective = true }
    }
  }

  private mutating func addLinks() {
    var done: Set<PropertyReference> = []
    for (reference, relationship) in hierarchy.storedRelationships where done.insert(reference).inserted {
      // The inverse counts where it names this relationship as its own: genuine models know others.
      if let inverse = hierarchy.storedInverse(of: relationship),
        let back = hierarchy.inverse(of: reference), hierarchy.inverse(of: back) == reference
      {
        done.insert(back)
        addLink(relationship, reference, (inverse, back))
      } else {
        addLink(relationship, reference, nil)
      }
    }
  }

  private mutating func addLink(
    _ relationship: RelationshipDescription, _ reference: PropertyReference,
    _ inverse: (relationship: RelationshipDescription, reference: PropertyReference)?
  ) {
    // Where the inverse leads to a sub-entity of this one, the others have no part in it.
    let own = kinds(of: inverse?.relationship.destinationEntityName ?? reference.entity)
    // An inverse that belongs to an ancestor of the destination is drawn among the destination's kinds only.
    let other = kinds(of: relationship.destinationEntityName)
    switch (relationship.isToMany, inverse) {
    case (false, let inverse?) where inverse.relationship.isToMany:
      addReference(from: reference, relationship, own, to: other, ownedBy: inverse.relationship)
    case (false, _):
      let isDemanded = inverse?.relationship.isOptional == false
      let one = MemberBounds(least: isDemanded ? 1 : 0, isDemanded: isDemanded, most: 1)
      references.append(
        ReferenceLink(
          holder: .toOne(reference), relationship: relationship,
          owners: inverse == nil ? MemberBounds() : one, sources: own, destinations: other,
          mirror: inverse.map { .toOne($0.reference) }, isOwnInverse: inverse?.reference == reference))
    case (true, let inverse?) where !inverse.relationship.isToMany:
      addReference(from: inverse.reference, inverse.relationship, other, to: own, ownedBy: relationship)
    case (true, nil): addOwned(relationship, reference, own, other)
    case (true, let inverse?):
      joins.append(
        JoinLink(
          source: reference, inverse: inverse.reference, sourceBounds: MemberBounds(relationship),
          inverseBounds: MemberBounds(inverse.relationship), sources: own, destinations: other))
    }
  }

  private mutating func addReference(
    from reference: PropertyReference, _ toOne: RelationshipDescription, _ sources: Range<Int>,
    to destinations: Range<Int>, ownedBy toMany: RelationshipDescription
  ) {
    references.append(
      ReferenceLink(
        holder: .toOne(reference), relationship: toOne, owners: MemberBounds(toMany), sources: sources,
        destinations: destinations, order: toMany.isOrdered ? .order(reference) : nil))
  }

  /// A to-many without an inverse of its own: a column of the members, or a join table that it alone knows of.
  private mutating func addOwned(
    _ relationship: RelationshipDescription, _ reference: PropertyReference, _ own: Range<Int>,
    _ other: Range<Int>
  ) {
    guard let inverse = hierarchy.storedInverse(of: relationship) else {
      references.append(
        ReferenceLink(
          holder: .owner(reference), owners: MemberBounds(relationship), sources: other,
          destinations: own, order: relationship.isOrdered ? .ownerOrder(reference) : nil))
      return
    }
    // A to-one that has another inverse: its column decides, and is drawn with that one.
    guard inverse.isToMany, let back = hierarchy.inverse(of: reference) else { return }
    joins.append(
      JoinLink(
        source: reference, inverse: back, sourceBounds: MemberBounds(relationship),
        inverseBounds: MemberBounds(), sources: own, destinations: other))
  }
}

/// How many members a to-many may have.
struct MemberBounds: Hashable {
  /// Where it has any.
  var least = 0
  /// Whether none at all is too few.
  var isDemanded = false
  var most = Int.max
}

extension MemberBounds {
  /// A required to-many has one member at least; a minimum of an optional one counts where it has any.
  init(_ relationship: RelationshipDescription) {
    isDemanded = !relationship.isOptional
    // A model may say any number; no fixture has so many objects.
    least = min(max(isDemanded ? 1 : 0, relationship.minCount), Int(Int32.max))
    most = relationship.maxCount > 0 ? relationship.maxCount : .max
  }
}

/// A relationship that is a column of its sources' rows.
struct ReferenceLink {
  /// `.toOne`, or `.owner` for a to-many without inverse.
  var holder: ColumnRole
  /// The to-one; nil if the column belongs to a to-many without inverse.
  var relationship: RelationshipDescription?
  /// Of the relationship at the other end.
  var owners: MemberBounds
  /// Places of entities.
  var sources: Range<Int>
  var destinations: Range<Int>
  /// The column at the other end of a one-to-one.
  var mirror: ColumnRole?
  /// The place in an ordered to-many at the other end.
  var order: ColumnRole?
  var isOwnInverse = false
  /// Whether no two sources may have one destination.
  var isInjective = false

  var isRequired: Bool { relationship?.isOptional == false }
  var isOneToOne: Bool { mirror != nil }
}

/// A relationship that is a join table.
struct JoinLink {
  /// Either end.
  var source: PropertyReference
  var inverse: PropertyReference
  var sourceBounds: MemberBounds
  var inverseBounds: MemberBounds
  var sources: Range<Int>
  var destinations: Range<Int>

  var isOwnInverse: Bool { source == inverse }
}
