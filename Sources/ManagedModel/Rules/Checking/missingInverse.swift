extension ModelIndex {
  /// How a relationship without an inverse gets one: in words, and as edits.
  ///
  /// Where the destination has exactly one relationship that leads back and has no other inverse, the two are joined;
  /// else the destination gets a new to-many.
  func missingInverse(of checked: CheckedRelationship) -> (help: String, edits: [ModelEdit]) {
    let (relationship, entity, here) = (checked.relationship, checked.owner, checked.subject)
    let destination = relationship.destinationEntityName
    if isSwiftSource {
      // Rows of a to-many without an inverse name one owner each.
      let alike = hierarchy.entity(named: entity)?.relationships.count {
        $0.destinationEntityName == destination && $0.inverseName == nil
      }
      let name =
        lowerCamelCase(entity) + (relationship.isToMany ? "" : "s")
        + (alike ?? 0 > 1
          ? "Of\(relationship.name.prefix(1).uppercased())\(relationship.name.dropFirst())" : "")
      // CloudKit takes no required relationship.
      let many = model.profile == .cloudKit ? "[\(entity)]?" : "[\(entity)]"
      let type = relationship.isToMany ? "\(entity)?" : "\(many) = []"
      let property = "var \(freeName(name, destination, self)): \(type)"
      let line = "@Relationship(inverse: \\\(entity).\(relationship.name)) \(property)"
      return ("add to the class '\(destination)': `\(line)`", [])
    }
    let candidates = (hierarchy.entity(named: destination)?.relationships ?? []).filter {
      $0.destinationEntityName == entity && ($0.inverseName == nil || $0.inverseName == relationship.name)
        && !(destination == entity && $0.name == relationship.name)
    }
    if candidates.count == 1, let candidate = candidates.first {
      let addHere = ModelEdit(
        "add 'inverse: \(candidate.name)'", at: here, .add(key: "inverse", .text(candidate.name)))
      if isXcodeSource { return ("choose '\(candidate.name)' as its Inverse \(inInspector)", [addHere]) }
      guard candidate.inverseName == nil else { return ("add 'inverse: \(candidate.name)' here", [addHere]) }
      let addThere = ModelEdit(
        "add 'inverse: \(relationship.name)' to '\(destination).\(candidate.name)'",
        at: ModelSubject(entity: destination, property: candidate.name),
        .add(key: "inverse", .text(relationship.name)))
      return (
        "add 'inverse: \(candidate.name)' here and 'inverse: \(relationship.name)' there",
        [addHere, addThere]
      )
    }
    let name = freeName("\(lowerCamelCase(entity))s", destination, self)
    let addition: ModelEdit.Value = .mapping([
      ModelEdit.Pair("toMany", .text(entity)), ModelEdit.Pair("inverse", .text(relationship.name)),
    ])
    return (
      isXcodeSource
        ? "add a to-many relationship '\(name)' to '\(destination)' that leads to '\(entity)', and choose it as the Inverse "
          + inInspector
        : "add an inverse to '\(destination)': \(name): {toMany: \(entity), inverse: \(relationship.name)}",
      [
        ModelEdit("add 'inverse: \(name)'", at: here, .add(key: "inverse", .text(name))),
        ModelEdit(
          "add '\(name)' to '\(destination)'", at: ModelSubject(entity: destination, key: "relationships"),
          .add(key: name, addition)),
      ]
    )
  }
}

private let inInspector = "in Xcode's Data Model inspector"

/// The name, with a number where the entity or a descendant has it already.
private func freeName(_ name: String, _ entity: String, _ index: ModelIndex) -> String {
  var taken = Set(index.propertyNames(of: entity).map { $0.lowercased() })
  for descendant in index.hierarchy.descendantNames(includingSelf: entity).dropFirst() {
    taken.formUnion(index.propertyNames(of: descendant).map { $0.lowercased() })
  }
  if !taken.contains(name.lowercased()) { return name }
  return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.lowercased()) } ?? name
}

private func lowerCamelCase(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
