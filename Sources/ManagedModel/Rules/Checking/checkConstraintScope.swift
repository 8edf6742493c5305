extension ModelIndex {
  /// A constraint does not see rows without a value (MC1403), and one of a sub-entity counts for every row that has all that
  /// it names (MC1404).
  func checkConstraintScope(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      let subject = ModelSubject(entity: entity.name, key: "uniquenessConstraints").element(number)
      let optional = constraint.filter { isOptional($0, of: entity.name) }
      if !optional.isEmpty {
        findings.append(
          Diagnostic(
            .optionalConstraint, .warning,
            "a uniqueness constraint of '\(entity.name)' covers \(optional.map(\.abridged).quotedList), which may be nil",
            subject: subject,
            notes: ["SQLite treats NULLs as distinct: any number of rows may have no value"],
            help: ["make \(optional.count == 1 ? "it" : "them") required, if every object has a value"]))
      }
      let owner = hierarchy.ancestorNames(of: entity.name).last { ancestor in
        constraint.allSatisfy { property(named: String($0.prefix { $0 != "." }), of: ancestor) != nil }
      }
      if let owner {
        findings.append(
          Diagnostic(
            .inheritedConstraint, .warning,
            "the uniqueness of [\(constraint.joined(separator: ", ").abridged)] is declared for '\(entity.name)' only, but its rows are in the table of '\(owner)'",
            subject: subject,
            notes: ["the constraint applies to the whole table, so to the rows of every entity in it"],
            help: ["declare it on '\(owner)': then the model matches the store"]))
      }
    }
    return findings
  }

  /// Whether the property, or an element of the composite on the way to it, may be without a value.
  fileprivate func isOptional(_ path: String, of entity: String) -> Bool {
    let keys = path.split(separator: ".").map(String.init)
    switch keys.first.flatMap({ property(named: $0, of: entity) }) {
    case .relationship(let relationship)?: return relationship.isOptional && !relationship.isToMany
    case .attribute(var attribute)?:
      // What cannot be constrained at all is another rule's matter.
      guard !attribute.isTransient, !attribute.isDerived else { return false }
      for key in keys.dropFirst() where !attribute.isOptional {
        guard let composite = attribute.compositeName.flatMap({ compositesByName[$0] }),
          let element = composite.elements.first(where: { $0.name == key })
        else { return false }
        attribute = element
      }
      return attribute.isOptional
    default: return false
    }
  }
}

extension Diagnostic.Code {
  package static let optionalConstraint = Self("MC1403")
  package static let inheritedConstraint = Self("MC1404")
}
