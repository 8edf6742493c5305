extension ModelIndex {
  /// Cascades that lead round in a circle of entities delete more than anyone expects (MC1308); each circle once.
  ///
  /// A cascade from an entity to itself is a tree, and two ends of one relationship are ``checkDeleteRulePair``'s.
  func checkCascadeCycles() -> [Diagnostic] {
    let (steps, entities) = (cascades(self), model.entities)
    if steps.isEmpty { return [] }
    let circles = Self.circles(from: entities.indices.map { entities[$0].name }) { steps[$0] ?? [] }
    return circles.map { circle in
      let owner = circle.first?.owner ?? ""
      let names = circle.prefix(20).map { "\($0.owner).\($0.property)" } + (circle.count > 20 ? ["…"] : [])
      return Diagnostic(
        .cascadePair, .warning, "deleting '\(owner)' cascades back to '\(owner)'",
        subject: ModelSubject(entity: owner, property: circle.first?.property, key: "deleteRule"),
        notes: [Diagnostic.Note((names + [owner]).joined(separator: " → "))],
        help: ["set the delete rule of one relationship in the cycle to nullify"])
    }
  }

  /// Each circle of steps once, depth first from each of the names; of several steps the last is followed first.
  static func circles(from names: [String], _ steps: (String) -> [CircleStep]) -> [[CircleStep]] {
    var finished: Set<String> = []
    var circles: [[CircleStep]] = []
    for name in names where !finished.contains(name) {
      // The path from the name, each with the steps that are still to follow.
      var path: [(name: String, taken: CircleStep?, rest: [CircleStep])] = [(name, nil, steps(name))]
      while var last = path.popLast() {
        guard let step = last.rest.popLast() else {
          finished.insert(last.name)
          continue
        }
        path.append(last)
        if let start = path.firstIndex(where: { $0.name == step.destination }) {
          circles.append(path[(start + 1)...].compactMap(\.taken) + [step])
        } else if !finished.contains(step.destination) {
          path.append((step.destination, step, steps(step.destination)))
        }
      }
    }
    return circles
  }
}

/// What leads from one entity or composite to another.
struct CircleStep {
  var owner: String
  var property = ""
  var destination: String
}

/// The cascading relationships to other entities, by the entity that declares them; last first.
private func cascades(_ index: ModelIndex) -> [String: [CircleStep]] {
  var found: [String: [CircleStep]] = [:]
  // By their places: a copy of a description costs more than looking at it, and few relationships cascade.
  let entities = index.model.entities
  for place in entities.indices {
    let relationships = entities[place].relationships
    for number in relationships.indices.reversed() where relationships[number].deleteRule == .cascade {
      let checked = CheckedRelationship(relationship: relationships[number], owner: entities[place].name)
      let destination = checked.relationship.destinationEntityName
      guard destination != checked.owner, index.hasEntity(named: destination),
        index.pair(of: checked)?.inverse.relationship.deleteRule != .cascade
      else { continue }
      found[checked.owner, default: []].append(
        CircleStep(owner: checked.owner, property: checked.relationship.name, destination: destination))
    }
  }
  return found
}
