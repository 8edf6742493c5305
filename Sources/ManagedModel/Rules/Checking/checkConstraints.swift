extension ModelIndex {
  /// Constraints name stored attributes and to-ones (MC1401), and no two are equal (MC1402).
  func checkUniquenessConstraints(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      let subject = ModelSubject(entity: entity.name, key: "uniquenessConstraints").element(number)
      if constraint.isEmpty {
        findings.append(
          .constraintElement, .error, "a uniqueness constraint of '\(entity.name)' names nothing",
          subject: subject)
      }
      for (position, name) in constraint.enumerated() where !findings.isFull {
        guard let problem = problem(with: name, of: entity.name, self) else { continue }
        let finding = Diagnostic(
          .constraintElement, .error,
          "a uniqueness constraint of '\(entity.name)' names '\(name.abridged)', which \(problem)",
          subject: subject.element(position))
        let names = problem == "does not exist" ? allPropertyNames(of: entity.name) : []
        findings.append(finding.suggesting(nearestTo: name, among: names))
      }
    }
    return findings + redundantConstraints(entity)
  }

  /// Whether a composite attribute has the element; `path` may lead through nested composites.
  func hasElement(_ path: String, in attribute: AttributeDescription) -> Bool {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var attribute = attribute
    for key in keys {
      guard attribute.type == .composite,
        let composite = attribute.compositeName.flatMap({ compositesByName[$0] }),
        let element = composite.elements.first(where: { $0.name == key })
      else { return false }
      attribute = element
    }
    return attribute.type != .composite
  }

  /// A constraint does not see rows without a value (MC1403), and one of a sub-entity counts for every row that has all that
  /// it names (MC1404).
  func checkConstraintScope(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      let subject = ModelSubject(entity: entity.name, key: "uniquenessConstraints").element(number)
      let optional = constraint.filter { isOptional($0, of: entity.name) }
      if !optional.isEmpty {
        findings.append(
          .optionalConstraint, .warning,
          "a uniqueness constraint of '\(entity.name)' covers \(optional.map(\.abridged).quotedList), which may be nil",
          subject: subject,
          notes: ["SQLite treats NULLs as distinct: any number of rows may have no value"],
          help: ["make \(optional.count == 1 ? "it" : "them") required, if every object has a value"])
      }
      let owner = hierarchy.ancestorNames(of: entity.name).last { ancestor in
        constraint.allSatisfy { property(named: String($0.prefix { $0 != "." }), of: ancestor) != nil }
      }
      if let owner {
        findings.append(
          .inheritedConstraint, .warning,
          "the uniqueness of [\(constraint.joined(separator: ", ").abridged)] is declared for '\(entity.name)' only, but its rows are in the table of '\(owner)'",
          subject: subject,
          notes: ["the constraint applies to the whole table, so to the rows of every entity in it"],
          help: ["declare it on '\(owner)': then the model matches the store"])
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

/// Why a constraint cannot hold the property; nil if it can.
private func problem(with name: String, of entity: String, _ index: ModelIndex) -> String? {
  let path = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  switch index.property(named: path.first ?? name, of: entity) {
  case nil: return "does not exist"
  case .fetchedProperty: return "is a fetched property"
  case .relationship(let relationship):
    if path.count > 1 { return "does not exist" }
    return relationship.isToMany ? "is a to-many" : relationship.isTransient ? "is transient" : nil
  case .attribute(let attribute):
    if attribute.isDerived { return "is derived" }
    if attribute.isTransient { return "is transient" }
    guard path.count > 1, let element = path.last else {
      return attribute.type == .composite ? "is a composite; name one of its elements" : nil
    }
    return index.hasElement(element, in: attribute) ? nil : "does not exist"
  }
}

private func redundantConstraints(_ entity: EntityDescription) -> [Diagnostic] {
  guard entity.uniquenessConstraints.count > 1 else { return [] }
  // A constraint is redundant where a part of it is one too. Looking through all parts of a few elements is
  // cheaper than comparing all pairs, and stays cheap however many constraints there are.
  var seen: Set<Set<String>> = []
  let all = Set(entity.uniquenessConstraints.map(Set.init))
  return entity.uniquenessConstraints.enumerated().compactMap { number, constraint -> Diagnostic? in
    let names = Set(constraint)
    var reason = "is listed twice"
    if seen.insert(names).inserted {
      guard let part = properSubset(of: names, in: all) else { return nil }
      reason = "contains [\(part.sorted().joined(separator: ", "))], which is already unique"
    }
    let subject = ModelSubject(entity: entity.name, key: "uniquenessConstraints[\(number)]")
    return Diagnostic(
      .redundantConstraint, .warning,
      "uniqueness constraint [\(constraint.joined(separator: ", ").abridged)] of '\(entity.name)' \(reason)",
      subject: subject, edits: [ModelEdit("remove it", at: subject, .remove)], help: ["remove it"])
  }
}

private func properSubset(of names: Set<String>, in all: Set<Set<String>>) -> Set<String>? {
  let elements = names.sorted()
  guard (2...8).contains(elements.count) else { return nil }
  for mask in 1..<((1 << elements.count) - 1) {
    let part = Set(elements.indices.filter { mask & (1 << $0) != 0 }.map { elements[$0] })
    if all.contains(part) { return part }
  }
  return nil
}

extension Diagnostic.Code {
  package static let constraintElement = Self(
    "MC1401", accepted: .init("uniqueness constraints on properties that do not exist", "ignored"))
  package static let redundantConstraint = Self("MC1402")
  package static let optionalConstraint = Self("MC1403")
  package static let inheritedConstraint = Self("MC1404")
}
