import ManagedModel
import SwiftDataModels

extension VersionStep {
  /// What the later version has no place for, and does not name under `retired:`, or a written mapping does not read (MC7008).
  func checkRemovals() -> [Diagnostic] {
    let renamed = likelyRenames().map(\.removal)
    return silentRemovals().filter { !renamed.contains($0) }.map { .removedSilently($0, self) } + checkFiles()
  }

  /// Classes whose objects stay in a file that no container opens for them any more; in that of the app's own folder, if it
  /// was not entitled to the group that a container names now.
  private func checkFiles() -> [Diagnostic] {
    var moved: [[Set<String>]: [String]] = [:]
    for pair in keptEntities {
      guard let former = old.storeFiles[pair.old.name], let own = new.storeFiles[pair.new.name],
        !former.isEmpty,
        !former.contains(where: { past in own.contains { past.mayBeFile($0) && !$0.isInGroup(of: past) } })
      else { continue }
      moved[[former, own], default: []].append(pair.new.name)
    }
    return moved.sorted { $0.value[0] < $1.value[0] }.map { files, names in
      let (former, isKept) = (files[0].sorted().quoted(), !files[1].isEmpty)
      let own = isKept ? files[1].sorted().quoted() : "memory only"
      let isSure = isKept && !files[0].contains { past in files[1].contains { $0.isInGroup(of: past) } }
      let effect =
        isKept
        ? (isSure ? "" : "if the app had no such group then, ")
          + "nothing moves objects from one store to another: users' objects stay in the old file, and the new one is empty"
        : "if no other container has them on disk, users see an empty app: their objects stay in the old file"
      return Diagnostic(
        .undeclaredRemoval, isSure ? .error : .warning,
        "\(names.quoted()) \(names.count == 1 ? "is" : "are") kept in \(own) now, not in \(former) as in '\(old.name)'",
        subject: subject(names[0]),
        related: names.map { ModelSubject(version: old.name, entity: $0, key: "configurations") },
        notes: [.init(effect)],
        help: [
          isKept
            ? "keep the name, the `url:` and the `groupContainer:` of the ModelConfiguration that has them"
            : "remove `isStoredInMemoryOnly: true` (or `inMemory: true`) from the app's container",
          "if the app copies the objects itself, "
            + new.notation.allowingAdvice(.undeclaredRemoval, at: names[0]),
        ])
    }
  }

  /// What a store of the earlier version may hold and one of the later cannot, as far as nobody has said so.
  func silentRemovals() -> [Removal] {
    let retired = [old, new].retiredNames
    return removals().filter { !before.isListed($0, in: retired) }
  }

  /// The same, whether said or not.
  func removals() -> [Removal] {
    let left = old.model.entities.filter { entity in
      guard !entity.isAbstract, let mapping = taker(ofEntity: entity.name) else { return false }
      return isUnlisted(entity, mapping)
        || configurationLeft(by: entity.name, as: mapping.destinationEntityName ?? "") != nil
    }.map(\.name)
    let found = lost.filter { !left.contains($0.entity) && !isRetyped($0) }
    return left.map { Removal(entity: $0) } + (new.notation == .swiftData ? wholeProperties(found) : found)
  }

  /// Whether the later version has an attribute of that name and another type, which inference tells; one that it derives
  /// from others does not have the values.
  private func isRetyped(_ lost: Removal) -> Bool {
    guard !isWritten(lost.entity), let name = taker(ofEntity: lost.entity)?.destinationEntityName,
      let past = lost.property.flatMap({ before.attribute(named: $0, of: lost.entity) })
    else { return false }
    return after.members(of: name).contains { $0.canonicalName == past.canonicalName && !$0.isDerived }
  }

  /// Of a struct whose property goes, the property; of one that loses a member, nothing: that is MC2634.
  private func wholeProperties(_ removals: [Removal]) -> [Removal] {
    removals.compactMap { removal -> Removal? in
      guard let name = removal.property, let root = keys(of: name).first, root != name else { return removal }
      let heir = taker(ofEntity: removal.entity)?.destinationEntityName ?? ""
      let stays = after.attributes(of: heir).contains { !$0.isTransient && $0.canonicalName == root }
      return stays ? nil : Removal(entity: removal.entity, property: root)
    }.unique
  }

  /// Whether a person wrote a mapping of an entity's objects.
  func isWritten(_ entity: String) -> Bool { written.contains { $0.sourceEntityName == entity } }

  /// Whether the app's containers had a class, and none has it now: SwiftData drops its table.
  private func isUnlisted(_ entity: EntityDescription, _ mapping: EntityMapping) -> Bool {
    old.openedClasses.contains(entity.name)
      && new.listedClasses?.contains(mapping.destinationEntityName ?? "") == false
  }

  /// Of a relationship that goes on, its name now, and the entities to whose objects it cannot lead there.
  fileprivate func linksLeft(by lost: Removal) -> (name: String, entities: [String]) {
    let heir = taker(ofEntity: lost.entity)?.destinationEntityName ?? ""
    guard let past = lost.property.flatMap({ before.relationship(named: $0, of: lost.entity) }),
      let now = after.relationships(of: heir).first(where: {
        !$0.isTransient && $0.canonicalName == past.canonicalName
      })
    else { return ("", []) }
    let links = MappedLinks(mapping, from: before, to: after)
    let owners = links.taken(lost.entity)
    let entities = links.taken(past.destinationEntityName).filter { other in
      // What has its place there is lost by the mapping.
      before.entity(named: other)?.isAbstract == false
        && !after.isKind(taker(ofEntity: other)?.destinationEntityName ?? "", of: now.destinationEntityName)
        && !owners.contains { links.carries(past, from: $0, to: other) }
    }
    return (now.name, entities)
  }

  /// How the objects of an entity that both versions have go on, if a written mapping model leaves it out.
  fileprivate func addingMapping(of lost: Removal) -> String? {
    guard lost.property == nil, let mappingFile, taker(ofEntity: lost.entity) == nil,
      let canonicalName = before.entity(named: lost.entity)?.canonicalName,
      let heir = new.model.entities.first(where: { $0.canonicalName == canonicalName && !$0.isAbstract })?
        .name
    else { return nil }
    let mapping =
      mappingFile.hasSuffix(".yaml")
      ? "`\(lost.entity)To\(heir): {source: \(lost.entity), destination: \(heir)}` under `entityMappings:`"
      : "an entity mapping from '\(lost.entity)' to '\(heir)'"
    return "if not, add \(mapping) in '\(mappingFile)'"
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

extension Diagnostic {
  fileprivate static func removedSilently(_ removal: Removal, _ step: VersionStep) -> Self {
    let destination = step.taker(ofEntity: removal.entity)?.destinationEntityName
    let isKept = destination != nil && removal.property == nil
    let left = isKept ? destination.flatMap { step.configurationLeft(by: removal.entity, as: $0) } : nil
    let (link, others) = step.linksLeft(by: removal)
    // A written mapping says itself what it reads.
    let taker = step.isWritten(removal.entity) ? nil : step.taker(ofEntity: removal.entity)
    let giver = taker?.propertyMapping(named: link)?.referrers.first
    let isOfLinks = giver != nil || !others.isEmpty
    let addingMapping = step.addingMapping(of: removal)
    let (name, old) = ("'\(removal.name)'", "of '\(step.old.name)'")
    let message =
      if !others.isEmpty {
        "links of \(name) \(old) to objects of \(others.quoted()) have no place in '\(step.new.name)', and nothing says that this is intended"
      } else if let left {
        "\(name) is no longer in the configuration '\(left)', and stores that are opened with it have no place for it"
      } else if isKept {
        "no container lists \(name) now, as those \(old) did, and nothing says that this is intended"
      } else if let giver {
        "links of \(name) \(old) are replaced by those of '\(giver.entity).\(giver.property)' in '\(step.new.name)', and nothing says that this is intended"
      } else if step.new.notation == .swiftData {
        "\(name) \(old) is removed, and nothing says that this is intended"
      } else if addingMapping != nil || step.isWritten(removal.entity) {
        "no mapping of '\(removal.entity)' to '\(step.new.name)' reads \(name) \(old), and nothing says that this is intended"
      } else {
        "'\(step.new.name)' has no place for \(name) \(old), and does not retire it"
      }
    let what = removal.property == nil ? "objects" : isOfLinks ? "links" : "values"
    // Beside a package `retired:` holds from the first version without the name: what goes on has none.
    let meant =
      (isOfLinks || left != nil) && step.new.notation != .language
      ? step.new.notation.allowingAdvice(.undeclaredRemoval, at: removal.name)
      : step.new.notation.retiringAdvice(removal.name, in: step.new.name)
    return Self(
      .undeclaredRemoval, .error, message,
      subject: step.subject(destination),
      related: [ModelSubject(version: step.old.name, entity: removal.entity, property: removal.property)],
      notes: [
        Note("users' \(what) are lost with it", place: step.formerPlace(removal.entity, removal.property))
      ],
      help: [
        "if that is intended, \(meant)"
          + (removal.property != nil && step.written.contains { $0.droppedProperties != nil }
            ? ", or under `drops:` in the mapping" : "")
      ]
        + (isKept
          ? [left.map { "if not, leave it in '\($0)'" } ?? "if not, list it again: `\(removal.name).self`"]
          : !isOfLinks
            ? addingMapping.map { [$0] } ?? removal.renamingHelp(in: step)
            : [
              others.isEmpty
                ? "if not, leave '\(link)' as it was, and give a new relationship the inverse"
                : "if not, let '\(link)' lead to objects of \(others.quoted()) too"
            ]))
  }
}

extension Removal {
  /// SwiftData has no former names of classes.
  fileprivate func renamingHelp(in step: VersionStep) -> [String] {
    let former = step.before.canonicalName(of: property, in: entity)
    guard step.new.notation == .swiftData else {
      return ["if it was renamed, " + step.new.notation.renamingAdvice(nil, formerly: former)]
    }
    return property.map { name in
      let isRelationship = step.before.relationship(named: name, of: entity) != nil
      let macro = isRelationship ? "@Relationship" : "@Attribute"
      return ["if another property has its values now: `\(macro)(originalName: \"\(former)\")` before it"]
    } ?? []
  }
}
