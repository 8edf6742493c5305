import ManagedModel
import SwiftDataModels

extension VersionStep {
  /// What the later version has no place for, and does not name under `retired:` (MC7008).
  func checkRemovals() -> [Diagnostic] {
    let renamed = likelyRenames().map(\.removal)
    return silentRemovals().filter { !renamed.contains($0) }.map { .removedSilently($0, self) }
      + checkFiles()
  }

  /// Classes whose objects stay in a file that no container opens for them any more; in that of the app's own folder, if it
  /// was not entitled to the group that a container names now.
  private func checkFiles() -> [Diagnostic] {
    var moved: [[Set<String>]: [String]] = [:]
    for pair in keptEntities {
      guard let former = old.storeFiles[pair.old.name], let own = new.storeFiles[pair.new.name],
        !former.contains(where: { past in own.contains { past.mayBeFile($0) && !$0.isInGroup(of: past) } })
      else { continue }
      moved[[former, own], default: []].append(pair.new.name)
    }
    return moved.sorted { $0.value[0] < $1.value[0] }.map { files, names in
      let (former, own) = (files[0].sorted().quoted(), files[1].sorted().quoted())
      let stay =
        "nothing moves objects from one store to another: users' objects stay in the old file, and the new one is empty"
      let isSure = !files[0].contains { past in files[1].contains { $0.isInGroup(of: past) } }
      return Diagnostic(
        .undeclaredRemoval, isSure ? .error : .warning,
        "\(names.quoted()) \(names.count == 1 ? "is" : "are") kept in \(own) now, not in \(former) as in '\(old.name)'",
        subject: subject(names[0]),
        related: names.map { ModelSubject(version: old.name, entity: $0, key: "configurations") },
        notes: [.init(isSure ? stay : "if the app had no such group then, \(stay)")],
        help: [
          "keep the name, the `url:` and the `groupContainer:` of the ModelConfiguration that has them",
          "if the app copies the objects itself, "
            + new.notation.allowingAdvice(.undeclaredRemoval, at: names[0]),
        ])
    }
  }

  /// What a store of the earlier version may hold and one of the later cannot, as far as nobody has said so.
  func silentRemovals() -> [Removal] { removals().filter { !$0.isListed(in: new.retired) } }

  /// The same, whether said or not.
  func removals() -> [Removal] {
    old.model.entities.flatMap { entity -> [Removal] in
      // Whoever wrote a mapping of its objects has looked at them.
      if written.contains(where: { $0.sourceEntityName == entity.name }) { return [] }
      guard let mapping = taker(ofEntity: entity.name), !isUnlisted(entity, mapping),
        configurationLeft(by: entity.name, as: mapping.destinationEntityName ?? "") == nil
      else {
        return entity.isAbstract ? [] : [Removal(entity: entity.name)]
      }
      let above = mapping.destinationEntityName.map { self.after.lineage(of: $0).map(\.name) } ?? []
      // Those whose properties it inherited, and that are above it no more.
      let lost = before.lineage(of: entity.name).dropLast().filter {
        taker(ofEntity: $0.name)?.destinationEntityName.map(above.contains) != true
      }
      let members = changedMembers(of: entity) + before.members(in: lost.flatMap(\.attributes))
      let found = removals(by: mapping, members, entity.relationships + lost.flatMap(\.relationships))
        .filter { !entity.isAbstract || isLostBelow($0) }
      guard new.notation == .swiftData else { return found }
      return wholeProperties(
        found,
        besides: Set(
          new.model.entities.first { $0.name == mapping.destinationEntityName }?
            .attributes.filter { !$0.isTransient }.map(\.canonicalName) ?? []))
    }
  }

  private func removals(
    by mapping: EntityMapping, _ members: [AttributeDescription], _ relationships: [RelationshipDescription]
  ) -> [Removal] {
    let after = mapping.destinationEntityName.map { self.after.members(of: $0) } ?? []
    let entity = mapping.sourceEntityName ?? ""
    // What no inverse tells: objects that stay, and to which the relationship leads no more.
    let cut = relationships.filter { relationship in
      guard before.inverse(of: relationship) == nil,
        let reached = carried[PropertyReference(entity: entity, property: relationship.name)]
      else { return false }
      return before.descendantNames(includingSelf: relationship.destinationEntityName).contains {
        !reached.contains($0) && taker(ofEntity: $0) != nil && before.entity(named: $0)?.isAbstract == false
      }
    }
    return cut.map { Removal(entity: entity, property: $0.name) }
      + mapping.removals(
        // One that changed its type is told by inference.
        among: members.filter { attribute in
          // What is derived now holds what it is derived from.
          !after.contains { $0.canonicalName == attribute.canonicalName && !$0.isDerived }
        },
        relationships.filter { relationship in
          // Of one with an inverse, objects below an entity that goes tell by that.
          let isAlone = before.inverse(of: relationship) == nil
          let name = relationship.destinationEntityName
          return (isAlone ? before.descendantNames(includingSelf: name) : [name])
            .contains { taker(ofEntity: $0) != nil }
        }, from: before, carried: carried)
  }

  /// Whether objects of a subentity lose what an abstract entity has, which has no objects of its own.
  private func isLostBelow(_ removal: Removal) -> Bool {
    before.descendantNames(includingSelf: removal.entity).contains { name in
      guard before.entity(named: name)?.isAbstract == false, let mapping = taker(ofEntity: name),
        !written.contains(where: { $0.sourceEntityName == name })
      else { return false }
      return removals(by: mapping, before.members(of: name), before.relationships(of: name))
        .contains { $0.property == removal.property }
    }
  }

  /// Whether the app's containers had a class, and none has it now: SwiftData drops its table.
  private func isUnlisted(_ entity: EntityDescription, _ mapping: EntityMapping) -> Bool {
    old.openedClasses.contains(entity.name)
      && new.listedClasses?.contains(mapping.destinationEntityName ?? "") == false
  }

  /// The configuration that had an entity and has it no more: a store that is opened with it loses the objects.
  fileprivate func configurationLeft(by entity: String, as heir: String) -> String? {
    old.model.configurations.first { past in
      past.entityNames.contains(entity)
        && new.model.configurations.first { $0.name == past.name }?.entityNames.contains(heir) != true
    }?.name
  }
}

extension String {
  /// Whether it is the same file in a group, where the other one is in the app's own folder or in that of a group.
  fileprivate func isInGroup(of former: String) -> Bool {
    hasPrefix("group.") && former.hasPrefix("Library/") && hasSuffix(former)
  }
}

/// Of a struct whose property goes, the property; of one that loses a member, nothing: that is MC2634.
private func wholeProperties(_ removals: [Removal], besides kept: Set<String>) -> [Removal] {
  var found: [Removal] = []
  for var removal in removals {
    if let name = removal.property, let dot = name.firstIndex(of: ".") {
      let root = String(name[..<dot])
      if kept.contains(root) { continue }
      removal.property = root
    }
    if !found.contains(removal) { found.append(removal) }
  }
  return found
}

extension Diagnostic {
  fileprivate static func removedSilently(_ removal: Removal, _ step: VersionStep) -> Self {
    let destination = step.mapping.mappings(fromEntity: removal.entity).first?.destinationEntityName
    let what = removal.property == nil ? "objects" : "values"
    let left = destination.flatMap { step.configurationLeft(by: removal.entity, as: $0) }
    return Self(
      .undeclaredRemoval, .error,
      removal.property == nil && left != nil
        ? "'\(removal.name)' is no longer in the configuration '\(left ?? "")', and stores that are opened with it have no place for it"
        : destination != nil && removal.property == nil
          ? "no container lists '\(removal.name)' now, as those of '\(step.old.name)' did, and nothing says that this is intended"
          : step.new.notation == .swiftData
            ? "'\(removal.name)' of '\(step.old.name)' is removed, and nothing says that this is intended"
            : "'\(step.new.name)' has no place for '\(removal.name)' of '\(step.old.name)', and does not retire it",
      subject: step.subject(destination),
      related: [
        ModelSubject(version: step.old.name, entity: removal.entity, property: removal.property)
      ],
      notes: [
        Note(
          "users' \(what) are lost with it", place: step.formerPlace(removal.entity, removal.property))
      ],
      help: ["if that is intended, \(step.new.notation.retiringAdvice(removal.name, in: step.new.name))"]
        + (destination != nil && removal.property == nil
          ? [left.map { "if not, leave it in '\($0)'" } ?? "if not, list it again: `\(removal.name).self`"]
          : removal.renamingHelp(in: step)))
  }
}

extension Removal {
  /// SwiftData has no former names of classes.
  fileprivate func renamingHelp(in step: VersionStep) -> [String] {
    guard step.new.notation == .swiftData else {
      return ["if it was renamed, " + step.new.notation.renamingAdvice(nil, formerly: property ?? entity)]
    }
    return property.map { name in
      let isRelationship = step.before.relationship(named: name, of: entity) != nil
      let macro = isRelationship ? "@Relationship" : "@Attribute"
      return ["if another property has its values now: `\(macro)(originalName: \"\(name)\")` before it"]
    } ?? []
  }
}
