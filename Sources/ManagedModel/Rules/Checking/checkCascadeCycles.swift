extension ModelIndex {
  /// Cascades that lead round in a circle of entities delete more than anyone expects (MC1308); each circle once.
  ///
  /// A cascade from an entity to itself is a tree, and two ends of one relationship are ``checkDeleteRulePair``'s.
  func checkCascadeCycles() -> [Diagnostic] {
    let steps = cascades(self)
    guard !steps.isEmpty else { return [] }
    var finished: Set<String> = []
    var findings: [Diagnostic] = []
    let entities = model.entities
    for place in entities.indices {
      let entity = entities[place].name
      guard let first = steps[entity], !finished.contains(entity) else { continue }
      // The path from `entity`, each with the cascades that are still to follow.
      var path: [(name: String, taken: Cascade?, rest: [Cascade])] = [(entity, nil, first)]
      while var last = path.popLast() {
        guard let step = last.rest.popLast() else {
          finished.insert(last.name)
          continue
        }
        path.append(last)
        if let start = path.firstIndex(where: { $0.name == step.destination }) {
          findings.append(.cascadeCycle(path[(start + 1)...].compactMap(\.taken) + [step]))
        } else if !finished.contains(step.destination) {
          path.append((step.destination, step, steps[step.destination] ?? []))
        }
      }
    }
    return findings
  }
}

private struct Cascade {
  var owner: String
  var relationship: String
  var destination: String
}

/// The cascading relationships to other entities, by the entity that declares them; last first.
private func cascades(_ index: ModelIndex) -> [String: [Cascade]] {
  var found: [String: [Cascade]] = [:]
  // By their places: a copy of a description costs more than looking at it, and few relationships cascade.
  let entities = index.model.entities
  for place in entities.indices {
    let relationships = entities[place].relationships
    for number in relationships.indices.reversed() where relationships[number].deleteRule == .cascade {
      let (entity, relationship) = (entities[place], relationships[number])
      let destination = relationship.destinationEntityName
      guard destination != entity.name, index.hasEntity(named: destination),
        index.pair(of: relationship, entity)?.inverse.deleteRule != .cascade
      else { continue }
      found[entity.name, default: []].append(
        Cascade(owner: entity.name, relationship: relationship.name, destination: destination))
    }
  }
  return found
}

extension Diagnostic {
  fileprivate static func cascadeCycle(_ steps: [Cascade]) -> Diagnostic {
    let first = steps.first ?? Cascade(owner: "", relationship: "", destination: "")
    let names = steps.prefix(20).map { "\($0.owner).\($0.relationship)" } + (steps.count > 20 ? ["…"] : [])
    return Diagnostic(
      .cascadePair, .warning, "deleting '\(first.owner)' cascades back to '\(first.owner)'",
      subject: ModelSubject(entity: first.owner, property: first.relationship, key: "deleteRule"),
      notes: [Note((names + [first.owner]).joined(separator: " → "))],
      help: ["let one relationship of the circle nullify"])
  }
}
