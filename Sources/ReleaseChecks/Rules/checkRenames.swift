package import ManagedModel

extension VersionStep {
  /// A property, or an entity, that goes while another of the same kind comes: what a rename without an identifier looks
  /// like (MC3204).
  ///
  /// What is removed without a word and looks renamed is told here alone: MC7008 is for what nothing new looks like.
  func checkRenames() -> [Diagnostic] { likelyRenames().map(\.finding) }

  /// Removals that look like renames, each once.
  func likelyRenames() -> [(removal: Removal, finding: Diagnostic)] {
    let gone = silentRemovals()
    var found: [(removal: Removal, finding: Diagnostic)] = []
    func add(_ removal: Removal, _ finding: Diagnostic) {
      if !found.contains(where: { $0.removal == removal }) { found.append((removal, finding)) }
    }
    // What comes in an entity that a mapping makes is what that says.
    for pair in changedEntities where !isWritten(pair.old.name) {
      let removed = gone.filter { $0.entity == pair.old.name }.compactMap(\.property)
      var newcomers: [(name: String, alike: [String])] = []
      // What an entity below had moves up, and has its values from there.
      let past = before.descendantNames(includingSelf: pair.old.name)
      // A member of a struct of SwiftData's has no former name.
      let isWhole = self.new.notation == .swiftData
      for attribute in isWhole ? pair.new.attributes : after.members(in: pair.new.attributes)
      where attribute.renamingIdentifier == nil
        && past.allSatisfy({ before.attribute(named: attribute.name, of: $0) == nil })
      {
        let former = isWhole ? pair.old.attributes : before.members(in: pair.old.attributes)
        let alike = former.filter {
          removed.contains($0.name) && $0.type == attribute.type
            // An enum is stored as a struct: no text becomes one by a former name.
            && ($0.enumTypeName == nil) == (attribute.enumTypeName == nil)
            && self.old.members(of: $0) == self.new.members(of: attribute)
        }
        newcomers.append((attribute.name, alike.map(\.name)))
      }
      for relationship in pair.new.relationships
      where relationship.renamingIdentifier == nil
        && past.allSatisfy({ before.relationship(named: relationship.name, of: $0) == nil })
      {
        let alike = pair.old.relationships.filter {
          removed.contains($0.name) && $0.destinationEntityName == relationship.destinationEntityName
            && $0.isToMany == relationship.isToMany
        }
        newcomers.append((relationship.name, alike.map(\.name)))
      }
      // One whose name tells what it was comes before one that only has its type.
      let resembling = newcomers.filter { new in new.alike.contains { new.name.resembles($0) } }
      let others = newcomers.filter { new in !resembling.contains { $0.name == new.name } }
      for newcomer in resembling + others {
        let alike = newcomer.alike.filter { name in
          !found.contains { $0.removal.property == name && $0.removal.entity == pair.old.name }
        }
        // The only one there is, else the one with the nearest name.
        let likeliest = alike.count == 1 ? alike[0] : nearestName(to: newcomer.name, among: alike)
        guard let likeliest else { continue }
        add(
          Removal(entity: pair.old.name, property: likeliest),
          .looksRenamed(likeliest, of: pair.old.name, newcomer.name, pair.new.name, self))
      }
    }
    // SwiftData has no former names of classes, as MC2637 says.
    for removal in gone where new.notation != .swiftData {
      guard let twin = twin(of: removal) else { continue }
      add(removal, .looksRenamed(nil, of: removal.entity, nil, twin.name, self))
    }
    return found
  }

  /// Of an entity that goes, one that comes and has most of its properties.
  func twin(of removal: Removal) -> EntityDescription? {
    guard removal.property == nil, let old = before.entity(named: removal.entity) else { return nil }
    let names = Set(old.attributes.map(\.name) + old.relationships.map(\.name))
    return new.model.entities.first { entity in
      let own = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
      return entity.renamingIdentifier == nil && before.entity(named: entity.name) == nil
        && !own.isEmpty && own.intersection(names).count * 2 > names.count
    }
  }

  /// Retired names that come back with another meaning (MC7015).
  ///
  /// A store that skips versions cannot tell the old meaning from the new one. A name that a version gives another meaning
  /// in the very step that drops the old values is no such case: nothing of the former leads to the latter.
  func checkRetiredNames() -> [Diagnostic] {
    var retired = Set(old.retired + new.retired)
    if retired.isEmpty { return [] }
    let known = parts(of: old, before).map(\.name)
    retired.subtract(known.filter(old.retired.contains))
    retired.subtract(removals().map(\.name))
    let again = parts(of: new, after).filter { retired.contains($0.name) && !isOther($0.entity, $0.property) }
    return again.map { part in
      Diagnostic(
        .retiredNameUsed, .error, "'\(part.name)' is retired, but '\(new.name)' uses it again",
        subject: subject(part.entity, part.property),
        notes: ["stores that skip the version between would keep the old values under the new meaning"],
        help: ["choose another name; or, if nothing was removed, remove '\(part.name)' from `retired:`"])
    }
  }

  /// Whether it has the renaming identifier of another, so that no store's values of its own name come to it.
  private func isOther(_ entity: String, _ property: String?) -> Bool {
    let canonical =
      property.map { name in
        after.attribute(named: name, of: entity)?.canonicalName
          ?? after.relationship(named: name, of: entity)?.canonicalName
      } ?? after.entity(named: entity)?.canonicalName
    return canonical.map { $0 != property ?? entity } ?? false
  }
}

/// Every entity and property, with what is in composites, as `retired:` names them.
private func parts(
  of version: ModelVersion, _ hierarchy: EntityHierarchy
) -> [(name: String, entity: String, property: String?)] {
  version.model.entities.flatMap { entity in
    let attributes = (hierarchy.members(in: entity.attributes) + entity.attributes).map(\.name)
    let names = Set(attributes).sorted() + entity.relationships.map(\.name)
    return [(entity.name, entity.name, nil)] + names.map { ("\(entity.name).\($0)", entity.name, $0) }
  }
}

extension Diagnostic.Code { package static let retiredNameUsed = Self("MC7015") }

extension Diagnostic {
  fileprivate static func looksRenamed(
    _ property: String?, of former: String, _ new: String?, _ entity: String, _ step: VersionStep
  ) -> Self {
    let (old, name) = (property ?? former, new ?? entity)
    let isRelationship = new.map { step.after.relationship(named: $0, of: entity) != nil } ?? false
    let full = [former, property].compactMap(\.self).joined(separator: ".")
    return Self(
      .likelyRename, .error, "'\(name)' looks like '\(old)' of '\(step.old.name)' under another name",
      subject: step.subject(entity, new),
      related: [ModelSubject(version: step.old.name, entity: former, property: property)],
      notes: [
        Note(
          "without a renaming identifier '\(name)' starts empty, and the "
            + "\(property == nil ? "objects" : "values") of '\(old)' that users have are lost")
      ],
      help: [
        "if it was renamed, "
          + step.new.notation.renamingAdvice(
            name, formerly: step.before.canonicalName(of: property, in: former),
            isRelationship: isRelationship),
        "if '\(old)' was removed on purpose, \(step.new.notation.retiringAdvice(full, in: step.new.name))",
      ])
  }
}
