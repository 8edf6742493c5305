extension ModelIndex {
  /// Each entity's name once (MC1103).
  func checkDuplicateEntities() -> [Diagnostic] {
    let entities = model.entities
    return entities.indices.filter { hierarchy.index(of: entities[$0].name) != $0 }.map { place in
      let name = entities[place].name
      return Diagnostic(
        .duplicateEntity, .error, "entity '\(name)' is declared twice", subject: ModelSubject(entity: name),
        help: ["merge the two, or rename one"])
    }
  }

  /// Each property's name once in its entity, whatever the case, because columns have no case (MC1104); and no name
  /// that an ancestor has (MC1110).
  func checkDuplicateProperties(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let parent = hierarchy.superentityName(of: entity.name)
    let names = entity.ownPropertyNames
    if parent == nil, !names.map({ $0.lowercased() }).hasDuplicates { return [] }
    var seen: [String: String] = Dictionary(minimumCapacity: names.count)
    for name in names {
      if let first = seen.updateValue(name, forKey: name.lowercased()) {
        let what =
          first == name
          ? "is declared twice" : "differs from '\(first)' only by case: both would use one column"
        findings.append(
          .duplicateProperty, .error, "'\(entity.name).\(name)' \(what)",
          subject: ModelSubject(entity: entity.name, property: name), help: ["rename one of the two"])
      } else if let parent, let ancestor = declaringEntityName(of: name, seenFrom: parent) {
        let subject = ModelSubject(entity: entity.name, property: name)
        let finding = Diagnostic(
          .redeclaredProperty, .error, "'\(entity.name).\(name)' is already inherited from '\(ancestor)'",
          subject: subject, help: ["remove it here, or rename it"])
        let removal = ModelEdit("remove it here", at: subject, .remove, isSafe: true)
        let isSame = isSameProperty(name, of: entity.name, ancestor)
        findings.append(isSame ? finding.fixed(by: removal) : finding)
      }
    }
    return findings
  }

  /// Whether two entities declare the property word for word alike.
  fileprivate func isSameProperty(_ name: String, of entity: String, _ ancestor: String) -> Bool {
    switch (property(named: name, of: entity), property(named: name, of: ancestor)) {
    case (.attribute(let own)?, .attribute(let inherited)?): own == inherited
    case (.relationship(let own)?, .relationship(let inherited)?): own == inherited
    default: false
    }
  }
}

extension Diagnostic.Code {
  package static let duplicateEntity = Self("MC1103")
  package static let duplicateProperty = Self("MC1104")
  package static let redeclaredProperty = Self("MC1110")
}
