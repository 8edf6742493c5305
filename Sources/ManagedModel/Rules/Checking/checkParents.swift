extension ModelIndex {
  /// A parent exists (MC1105), and an abstract entity has children (MC1107).
  func checkParent(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    if let parent = entity.superentityName, !hasEntity(named: parent) {
      findings.append(
        Diagnostic(
          .unknownParent, .error, "the parent of '\(entity.name)', '\(parent.abridged)', does not exist",
          subject: ModelSubject(entity: entity.name, key: "parent")
        ).suggesting(nearestTo: parent, among: entityNames))
    }
    if entity.isAbstract, !parentNames.contains(entity.name) {
      findings.append(
        .abstractWithoutChildren, .warning,
        "abstract entity '\(entity.name)' has no children: it can have no objects",
        subject: ModelSubject(entity: entity.name, key: "abstract"),
        edits: [.removing("abstract", of: ModelSubject(entity: entity.name))],
        help: ["remove 'abstract', or the entity"])
    }
    return findings
  }

  /// No entity is its own ancestor (MC1106); each cycle once, at its first entity.
  func checkParentCycles() -> [Diagnostic] {
    let entities = model.entities
    let names = entities.indices.filter { entities[$0].superentityName != nil }.map { entities[$0].name }
    let circles = Self.circles(from: names) { name in
      let parent = hierarchy.index(of: name).flatMap { entities[$0].superentityName }
      return parent.map { [CircleStep(owner: name, destination: $0)] } ?? []
    }
    return circles.map { circle in
      let first = circle.first?.owner ?? ""
      let names = circle.prefix(20).map(\.owner) + (circle.count > 20 ? ["…"] : [])
      let finding = Diagnostic(
        .parentCycle, .error, "'\(first)' is its own ancestor",
        subject: ModelSubject(entity: first, key: "parent"),
        notes: [Diagnostic.Note((names + [first]).joined(separator: " → "))],
        help: ["remove one 'parent' in the cycle"])
      let removal = ModelEdit.removing("parent", of: ModelSubject(entity: first))
      return circle.count == 1 ? finding.fixed(by: removal) : finding
    }
  }
}

extension Diagnostic.Code {
  package static let unknownParent = Self("MC1105")
  package static let parentCycle = Self("MC1106")
  package static let abstractWithoutChildren = Self("MC1107")
}
