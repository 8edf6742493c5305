extension Diagnostic {
  /// A constraint that rows may break.
  package static func wantsDistinct(_ constraint: [String], _ entity: String, _ version: String) -> Self {
    let names = constraint.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .duplicateValues, .warning,
      "'\(entity)' is unique by \(names) in '\(version)': duplicates stop the migration",
      subject: ModelSubject(version: version, entity: entity, key: "uniquenessConstraints"),
      help: ["let the app remove duplicates in a version before this one, or leave the constraint out"],
      cocoaCode: 134111)
  }

  /// A reference that rows may give to several, and of which an object holds one.
  package static func wantsOneReferrer(
    _ relationship: RelationshipDescription, _ entity: String, _ version: String
  ) -> Self {
    let (name, isToMany) = (relationship.name, relationship.isToMany)
    return Self(
      .toManyBecomesToOne, .warning,
      "'\(entity).\(name)' \(isToMany ? "cannot share objects" : "can hold only one object") in '\(version)': an object that is referenced several times stops the migration",
      subject: ModelSubject(version: version, entity: entity, property: name),
      help: [isToMany ? "give '\(name)' a to-many inverse" : "make '\(name)' to-many, or leave it out"],
      cocoaCode: 134110)
  }
}
