import ManagedModel

/// The tables of all many-to-many relationships, ordered by the entity and relationship that name them.
func joinTables(hierarchy: EntityHierarchy, numbers: [String: Int]) -> [JoinTableLayout] {
  let sides = hierarchy.manyToManySides
  var columnNames: Set<String> = []
  var ownColumns: [PropertyReference: String] = [:]
  for side in sides {
    let number = numbers[side.reference.entity] ?? 0
    ownColumns[side.reference] = uniqueName(
      "Z_\(number)" + side.inverse.property.uppercased(), &columnNames, from: 1)
  }
  return sides.filter { namesTable($0, numbers: numbers) }.map { side in
    let source = side.reference
    let ownColumn = ownColumns[source] ?? ""
    let otherColumn =
      source == side.inverse
      ? "REFLEXIVE"
      : side.isMutual
        ? ownColumns[side.inverse] ?? ""
        : "Z_\(numbers[side.inverse.entity] ?? 0)" + source.property.uppercased()
    return JoinTableLayout(
      name: "Z_\(numbers[source.entity] ?? 0)" + source.property.uppercased(),
      near: .init(
        relationship: source, column: ownColumn,
        order: side.inverseIsOrdered && source != side.inverse ? "Z_FOK_" + ownColumn.dropFirst(2) : nil),
      far: .init(
        relationship: side.inverse, column: otherColumn,
        order: side.isOrdered
          ? "Z_FOK_" + (source == side.inverse ? ownColumn : otherColumn).dropFirst(2) : nil))
  }
}

/// One to-many relationship whose inverse is to-many as well.
struct ManyToManySide: Hashable {
  var reference: PropertyReference
  var inverse: PropertyReference
  var isOrdered: Bool
  var inverseIsOrdered: Bool
  /// Whether the inverse names this relationship as its own inverse, which in genuine models is not always so.
  var isMutual: Bool
}

extension EntityHierarchy {
  /// In numbering order of the declaring entities, then by relationship name.
  var manyToManySides: [ManyToManySide] {
    storedRelationships.compactMap { reference, relationship -> ManyToManySide? in
      guard relationship.isToMany, let inverse = storedInverse(of: relationship), inverse.isToMany,
        let back = self.inverse(of: reference)
      else { return nil }
      return ManyToManySide(
        reference: reference, inverse: back, isOrdered: relationship.isOrdered,
        inverseIsOrdered: inverse.isOrdered, isMutual: self.inverse(of: back) == reference)
    }
  }
}

/// The smaller entity number names the table; within one entity the later relationship name does, which is the
/// more frequent choice of genuine stores.
private func namesTable(_ side: ManyToManySide, numbers: [String: Int]) -> Bool {
  guard side.isMutual else { return true }
  let own = numbers[side.reference.entity] ?? 0
  let other = numbers[side.inverse.entity] ?? 0
  if own != other { return own < other }
  return !side.reference.property.precedesInCodePointOrder(side.inverse.property)
}
