extension ModelIndex {
  /// A to-many that is its own inverse joins each pair of objects both ways in one row (MC1310).
  func checkOwnInverse(_ checked: CheckedRelationship) -> [Diagnostic] {
    let (relationship, destination) = (checked.relationship, checked.relationship.destinationEntityName)
    guard relationship.isToMany, relationship.inverseName == relationship.name,
      declaringEntityName(of: relationship.name, seenFrom: destination) == checked.owner
    else { return [] }
    return [Diagnostic](
      .ownInverse, .warning, "to-many \(checked.quotedName) is its own inverse",
      subject: checked.subject.part("inverse"),
      notes: [
        checked.relationship.isOrdered
          ? "each side needs an order of its own, but one row stands for both sides"
          : "the two sides of a link cannot be distinguished: who added whom is lost"
      ],
      help: ["separate the two directions: give it an inverse of another name"])
  }
}

extension Diagnostic.Code { package static let ownInverse = Self("MC1310") }
