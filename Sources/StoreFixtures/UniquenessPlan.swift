import ManagedModel

/// Which digit of an object's number an attribute stands for, where its values may not repeat.
struct UniqueDigit: Hashable {
  /// The entities among whose objects it counts, by place.
  var scope: Range<Int>
  /// What one step of it counts.
  var weight = 1
  var capacity: Int
  /// Whether objects beyond the capacity have no value: absent values are distinct.
  var endsWithNil = false
  /// The scope's first object, and how many it has; known once objects are distributed.
  var start = 0
  var count = 0
}

/// How a fixture keeps its model's uniqueness constraints: some attributes count objects, some to-ones lead to
/// another destination each.
struct UniquenessPlan {
  private(set) var digits: [PropertyReference: UniqueDigit] = [:]
  private(set) var injectiveToOnes: Set<PropertyReference> = []
  private(set) var limits: [(kinds: Range<Int>, most: Int)] = []

  init(_ shape: FixtureShape) {
    for entity in shape.hierarchy.namesInNumberingOrder.compactMap(shape.hierarchy.entity(named:)) {
      for constraint in entity.uniquenessConstraints { add(constraint, of: entity.name, shape) }
    }
  }

  /// Gives every digit its scope's objects.
  mutating func distribute(_ counts: [Int]) {
    for (reference, digit) in digits {
      digits[reference]?.start = counts[..<digit.scope.lowerBound].reduce(0, +)
      digits[reference]?.count = counts[digit.scope].reduce(0, +)
    }
  }

  private typealias Member = (
    reference: PropertyReference, attribute: AttributeDescription, scope: Range<Int>, capacity: Int
  )

  /// Capacities from here on are as good as endless.
  private static let plenty = 1 << 20

  private mutating func add(_ constraint: [String], of entityName: String, _ shape: FixtureShape) {
    let members = constraint.compactMap { member($0, of: entityName, shape) }
    if members.contains(where: { (digits[$0.reference]?.capacity ?? 0) >= Self.plenty }) { return }
    if let best = members.max(by: { rank($0) < rank($1) }), best.capacity >= Self.plenty {
      digits[best.reference] = UniqueDigit(scope: best.scope, capacity: best.capacity)
      return
    }
    for name in constraint {
      guard let relationship = shape.hierarchy.relationship(named: name, of: entityName),
        !relationship.isToMany, !relationship.isTransient,
        let toOne = shape.hierarchy.reference(to: name, seenFrom: entityName)
      else { continue }
      injectiveToOnes.insert(toOne)
      return
    }
    addDigits(members.filter { digits[$0.reference] == nil })
  }

  private func member(_ name: String, of entityName: String, _ shape: FixtureShape) -> Member? {
    let hierarchy = shape.hierarchy
    let first = name.split(separator: ".").first.map(String.init) ?? name
    guard let entity = hierarchy.declaringEntityName(of: first, seenFrom: entityName),
      let leaf = (hierarchy.entity(named: entity)?.attributes ?? []).storedLeaves(
        composites: hierarchy.model.composites
      ).first(where: { $0.keyPath == name }), !leaf.attribute.isDerived
    else { return nil }
    let reference = PropertyReference(entity: entity, property: name)
    return (reference, leaf.attribute, shape.kinds(of: entity), leaf.attribute.uniqueCapacity())
  }

  /// Of several that would do, the one whose values say least elsewhere: names and identifiers.
  private func rank(_ member: Member) -> Int {
    member.capacity >= Self.plenty ? member.attribute.type.uniquenessRank : 0
  }

  /// Several small ones together, as the digits of one number.
  private mutating func addDigits(_ members: [Member]) {
    // Objects outside the narrowest scope lack one of the values, which is as good as another one.
    guard let scope = members.map(\.scope).min(by: { $0.count < $1.count }) else { return }
    var weight = 1
    let ordered = members.sorted { $0.capacity > $1.capacity }
    let last = ordered.last { $0.attribute.isOptional } ?? ordered.last
    for member in ordered where member.reference != last?.reference {
      digits[member.reference] = UniqueDigit(scope: scope, weight: weight, capacity: member.capacity)
      let (product, overflow) = weight.multipliedReportingOverflow(by: max(1, member.capacity))
      // No fixture has so many objects: the digits after this one stay what they are for the first.
      weight = overflow ? .max : product
    }
    guard let last else { return }
    digits[last.reference] = UniqueDigit(
      scope: scope, weight: weight, capacity: last.capacity, endsWithNil: last.attribute.isOptional)
    if !last.attribute.isOptional {
      let (most, overflow) = weight.multipliedReportingOverflow(by: last.capacity)
      limits.append((scope, overflow ? .max : most))
    }
  }
}
