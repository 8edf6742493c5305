extension ModelIndex {
  /// Two objects that each require the other can only be saved together (MC1309); each pair once.
  func checkRequiredPair(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    guard !relationship.isOptional, !relationship.isToMany, !relationship.isTransient,
      let pair = self.pair(of: relationship, entity), !pair.inverse.isOptional, !pair.inverse.isToMany,
      pair.isFirst
    else { return [] }
    return [.requiredPair(relationship.name, of: entity.name, pair)]
  }
}

extension Diagnostic.Code {
  package static let requiredPair = Self("MC1309")
}

extension Diagnostic {
  fileprivate static func requiredPair(
    _ name: String, of entity: String, _ pair: RelationshipPair
  ) -> Diagnostic {
    Diagnostic(
      .requiredPair, .warning, "'\(entity).\(name)' and its inverse \(pair.inverseName) require each other",
      subject: ModelSubject(entity: entity, property: name),
      notes: ["neither object can be saved, imported or deleted without the other"],
      help: ["make one of the two optional"])
  }
}
