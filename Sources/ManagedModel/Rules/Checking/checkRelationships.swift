extension ModelIndex {
  /// Counts make sense (MC1307), and only a to-many has an order (MC1311).
  func checkCounts(_ checked: CheckedRelationship) -> [Diagnostic] {
    let relationship = checked.relationship
    let (least, most) = (relationship.minCount, relationship.maxCount)
    var findings: [Diagnostic] = []
    // A programmatic to-many without a bound has a maximum of -1.
    let isNegative = least < 0 || most < -1
    if isNegative || (most > 0 && least > most) {
      let (first, last) = (checked.subject.part("min"), checked.subject.part("max"))
      let what =
        isNegative ? "a negative count: min \(least), max \(most)" : "at least \(least) and at most \(most)"
      let finding = Diagnostic(
        .badCounts, .error, "\(checked.quotedName) asks for \(what)",
        subject: least < 0 || !isNegative ? first : last,
        help: isNegative ? [] : ["raise 'max' or lower 'min'"])
      let swap = ModelEdit("swap the two", at: first, .swap(with: last))
      findings.append(!isNegative && relationship.isToMany ? finding.fixed(by: swap) : finding)
    }
    if relationship.isOrdered, !relationship.isToMany {
      findings.append(
        .orderedToOne, .error, "\(checked.quotedName) is a to-one; only a to-many can be ordered",
        subject: checked.subject.part("ordered"), edits: [.removing("ordered", of: checked.subject)],
        help: ["remove 'ordered'"])
    }
    return findings
  }

  /// Where two objects break a uniqueness constraint, Core Data empties the references to one of them. It cannot where a
  /// reference is a required to-one (MC1305).
  func checkRequiredReferences(_ entity: EntityDescription) -> [Diagnostic] {
    guard !entity.uniquenessConstraints.isEmpty else { return [] }
    return entity.relationships.compactMap { relationship -> Diagnostic? in
      guard let name = relationship.inverseName,
        let inverse = self.relationship(named: name, of: relationship.destinationEntityName),
        inverse.inverseName == relationship.name, !inverse.isOptional, !inverse.isToMany, !inverse.isTransient
      else { return nil }
      let other = relationship.destinationEntityName
      let owner = owner(of: inverse.name, other)
      let edit = ModelEdit(
        "make '\(owner).\(inverse.name)' optional",
        at: ModelSubject(entity: owner, property: inverse.name), .makeOptional)
      return Diagnostic(
        .requiredReference, .warning,
        "'\(entity.name)' has uniqueness constraints, but '\(other).\(inverse.name)' requires an object of it",
        subject: ModelSubject(entity: entity.name, key: "uniquenessConstraints"),
        notes: ["if two objects conflict, Core Data drops one and must set references to it to nil"],
        edits: [edit], help: ["make '\(other).\(inverse.name)' optional"])
    }
  }
}

extension Diagnostic.Code {
  package static let requiredReference = Self("MC1305")
  package static let badCounts = Self(
    "MC1307", accepted: .init("impossible counts", "counts are checked when an object is saved"))
  package static let orderedToOne = Self("MC1311", accepted: .init("ordered to-ones", "the order is ignored"))
}
