extension ModelIndex {
  /// Relationships have inverses (MC1301) that exist, point back and lead to the right entity (MC1302).
  func checkInverse(_ checked: CheckedRelationship) -> [Diagnostic] {
    let (relationship, destination) = (checked.relationship, checked.relationship.destinationEntityName)
    guard hasEntity(named: destination) else { return [] }
    guard let inverseName = relationship.inverseName else {
      return relationship.isTransient ? [] : [.noInverse(checked, self)]
    }
    guard let inverse = self.relationship(named: inverseName, of: destination) else {
      return [
        .asymmetric(
          checked,
          "the inverse of \(checked.quotedName), '\(destination).\(inverseName.abridged)', does not exist"
        ).suggesting(nearestTo: inverseName, among: hierarchy.relationships(of: destination).map(\.name))
      ]
    }
    // That it leads nowhere is reported there.
    let back = inverse.destinationEntityName
    guard hasEntity(named: back) else { return [] }
    // Along a hierarchy the two sides may name an ancestor or a descendant of each other's entity.
    guard hierarchy.isKind(checked.owner, of: back) || hierarchy.isKind(back, of: checked.owner) else {
      let name = "'\(destination).\(inverse.name)'"
      return [
        .asymmetric(
          checked, "\(name) leads to '\(back.abridged)': it is not an inverse of \(checked.quotedName)",
          help: ["name a relationship that leads to '\(checked.owner)', or change where \(name) leads"])
      ]
    }
    if inverse.inverseName == relationship.name { return [] }
    // An inverse that does not exist is reported on the other side already.
    if let name = inverse.inverseName, self.relationship(named: name, of: back) == nil { return [] }
    let what = inverse.inverseName.map { "names '\($0.abridged)' as its inverse" } ?? "has no inverse"
    let help = "add 'inverse: \(relationship.name)' to '\(destination).\(inverse.name)'"
    let finding = Diagnostic.asymmetric(
      checked, "'\(destination).\(inverse.name)', the inverse of \(checked.quotedName), \(what)", help: [help]
    )
    guard inverse.inverseName == nil else { return [finding] }
    let there = ModelSubject(entity: owner(of: inverse.name, destination), property: inverse.name)
    return [finding.fixed(by: ModelEdit(help, at: there, .add(key: "inverse", .text(relationship.name))))]
  }

  /// The relationship leads to an entity that exists (MC1303).
  func checkDestination(_ checked: CheckedRelationship) -> [Diagnostic] {
    let destination = checked.relationship.destinationEntityName
    guard !hasEntity(named: destination) else { return [] }
    // The reader of the language has asked for the key already.
    if destination.isEmpty, sourceMap?.file.hasSuffix(".yaml") == true { return [] }
    let name = checked.quotedName
    let finding = Diagnostic(
      .unknownDestination, .error,
      destination.isEmpty
        ? "\(name) has no destination" : "\(name) leads to '\(destination.abridged)', which does not exist",
      subject: checked.destinationSubject)
    return [finding.suggesting(nearestTo: destination, among: entityNames)]
  }

  /// How a relationship without an inverse gets one: in words, and as edits.
  ///
  /// Where the destination has exactly one relationship that leads back and has no other inverse, the two are joined;
  /// else the destination gets a new to-many.
  func missingInverse(of checked: CheckedRelationship) -> (help: String, edits: [ModelEdit]) {
    let (relationship, entity, here) = (checked.relationship, checked.owner, checked.subject)
    let destination = relationship.destinationEntityName
    let candidates = (hierarchy.entity(named: destination)?.relationships ?? []).filter {
      $0.destinationEntityName == entity && ($0.inverseName == nil || $0.inverseName == relationship.name)
        && !(destination == entity && $0.name == relationship.name)
    }
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
      let optional = model.profile == .cloudKit ? "?" : ""
      let type = relationship.isToMany ? "\(entity)?" : "[\(entity)]\(optional) = []"
      // A word of the language in backticks would end the code that it stands in.
      let free = freeName(name.swiftIdentifier().hasPrefix("`") ? name + "_" : name, destination, self)
      let inverse = "inverse: \\\(entity).\(relationship.name)"
      // Of several none is implied: a second list takes the inverse from the first.
      let others = (relationship.isToMany ? [] : candidates).map { "'\(destination).\($0.name)'" }
      let stated =
        "give \(others.joined(separator: " or ")) `\(inverse)` in a `@Relationship` before it, if it has the same links; if not, "
      let addition = "add to the class '\(destination)': `@Relationship(\(inverse)) var \(free): \(type)`"
      return ((others.isEmpty ? "" : stated) + addition, [])
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
      let help = "add 'inverse: \(candidate.name)' here and 'inverse: \(relationship.name)' there"
      return (help, [addHere, addThere])
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
  var taken = Set(index.allPropertyNames(of: entity).map { $0.lowercased() })
  for descendant in index.hierarchy.descendantNames(includingSelf: entity).dropFirst() {
    taken.formUnion(index.allPropertyNames(of: descendant).map { $0.lowercased() })
  }
  if !taken.contains(name.lowercased()) { return name }
  return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.lowercased()) } ?? name
}

private func lowerCamelCase(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

extension Diagnostic.Code {
  package static let noInverse = Self("MC1301")
  package static let asymmetricInverse = Self(
    "MC1302",
    accepted: .init(
      "inverses that do not agree", "each side is stored separately; nothing keeps the two consistent"))
  package static let unknownDestination = Self("MC1303")
}

extension Diagnostic {
  fileprivate static func noInverse(_ checked: CheckedRelationship, _ index: ModelIndex) -> Self {
    let mend = index.missingInverse(of: checked)
    let destination = checked.relationship.destinationEntityName
    // SwiftData keeps it as a column of the other side, which goes with its row.
    let isColumnThere = index.isSwiftSource && checked.relationship.isToMany
    return Self(
      .noInverse, isColumnThere ? .information : .warning, "\(checked.quotedName) has no inverse",
      subject: checked.subject,
      notes: [
        isColumnThere
          ? "an object of '\(destination)' can be in only one of them: adding it to a second removes it from the first"
          : "when an object of '\(destination)' is deleted, references to it dangle"
      ],
      edits: mend.edits, help: [mend.help])
  }

  fileprivate static func asymmetric(
    _ checked: CheckedRelationship, _ message: String, help: [String] = []
  ) -> Self {
    Self(.asymmetricInverse, .error, message, subject: checked.subject.part("inverse"), help: help)
  }
}
