extension ModelIndex {
  /// A to-many that is its own inverse joins each pair of objects both ways in one row (MC1310).
  func checkOwnInverse(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    guard relationship.isToMany, relationship.inverseName == relationship.name,
      declaringEntityName(of: relationship.name, seenFrom: relationship.destinationEntityName)
        == entity.name
    else { return [] }
    return [.ownInverse(relationship, of: entity.name)]
  }
}

extension Diagnostic.Code {
  package static let ownInverse = Self("MC1310")
}

extension Diagnostic {
  fileprivate static func ownInverse(_ relationship: RelationshipDescription, of entity: String) -> Diagnostic
  {
    Diagnostic(
      .ownInverse, .warning, "to-many '\(entity).\(relationship.name)' is its own inverse",
      subject: ModelSubject(entity: entity, property: relationship.name, key: "inverse"),
      notes: [
        relationship.isOrdered
          ? "each side would have to keep an order of its own, and there is one row for both"
          : "the two sides of a link cannot be told apart: who added whom is lost"
      ],
      help: ["separate the two directions: give it an inverse of another name"])
  }
}
