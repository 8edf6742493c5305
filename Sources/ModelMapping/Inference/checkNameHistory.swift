package import ManagedModel

/// Findings about names over a whole line of versions, where inference sees two at a time: names that come back, renames
/// that nobody stated, renaming identifiers that lead nowhere.
///
/// - Parameters:
///   - lineage: the versions, oldest first, each following the one before it.
///   - isWanted: which findings matter; the places of the others are not looked up.
/// - Returns: MC3203, MC3204 and MC3205, each at the version where it begins.
package func checkNameHistory(
  _ lineage: [ModelVersion], where isWanted: (Diagnostic) -> Bool = { _ in true }
) -> [Diagnostic] {
  var found: [Diagnostic] = []
  var history = NameHistory()
  for version in lineage {
    let step = history.add(version)
    guard let former = step.former, !step.isEmpty else { continue }
    let findings = step.reused(after: former) + step.aimless() + likelyRenames(from: former, by: step)
    found += findings.filter(isWanted).map { finding in version.sourceMap.map(finding.located) ?? finding }
  }
  return found
}

/// Everything that ever had a name, by canonical names, which renames do not change.
///
/// From version to version most entities keep all their names; only the others are looked at.
struct NameHistory {
  /// An entity, or one of its properties, by canonical names.
  struct Key: Hashable {
    var entity: String
    var property: String?
  }

  /// One name, with the names as they are written.
  struct Item {
    var key: Key
    var entity: String
    var property: String?
    var renamingIdentifier: String?
  }

  /// The latest version, its entities by name, and the items of each, an entity before its own properties; inherited
  /// ones belong to the parent.
  private var latest: ModelVersion?
  private var items: [String: [Item]] = [:]
  /// How many items of the latest version have a key.
  private var present: [Key: Int] = [:]
  /// The last version that had what is gone.
  fileprivate private(set) var gone: [Key: String] = [:]
  /// Names as they were written: of properties, with the entity's canonical name.
  fileprivate private(set) var plainNames: Set<Key> = []

  /// What one version changes, and what was known before it.
  struct Step {
    let version: ModelVersion
    let former: ModelVersion?
    /// New and changed entities, in the order of the model.
    let changed: [EntityDescription]
    let hasGone: Bool
    fileprivate let items: [Item]
    fileprivate let before: NameHistory
    fileprivate let after: [Key: Int]

    var isEmpty: Bool { changed.isEmpty && !hasGone }
  }

  mutating func add(_ version: ModelVersion) -> Step {
    let before = self
    let former = Dictionary(firstOf: latest?.model.entities.map { ($0.name, $0) } ?? [])
    let changed = version.model.entities.filter { entity in
      former[entity.name].map { !$0.hasSameNames(as: entity) } ?? true
    }
    let names = Set(version.model.entities.map(\.name))
    let goneNames = former.keys.filter { !names.contains($0) }
    for name in goneNames + changed.map(\.name) { remove(name, lastIn: latest?.name ?? "") }
    let hierarchy = changed.isEmpty ? nil : EntityHierarchy(version.model)
    var added: [Item] = []
    for entity in changed {
      let own = items(of: entity, hierarchy)
      added += own
      items[entity.name] = own
      for item in own { present[item.key, default: 0] += 1 }
      plainNames.formUnion(
        own.map { Key(entity: $0.property == nil ? $0.entity : $0.key.entity, property: $0.property) })
    }
    defer { latest = version }
    return Step(
      version: version, former: latest, changed: changed, hasGone: !goneNames.isEmpty, items: added,
      before: before, after: present)
  }

  private mutating func remove(_ entity: String, lastIn version: String) {
    for item in items.removeValue(forKey: entity) ?? [] {
      present[item.key] = present[item.key].flatMap { $0 > 1 ? $0 - 1 : nil }
      gone[item.key] = version
    }
  }

  private func items(of entity: EntityDescription, _ hierarchy: EntityHierarchy?) -> [Item] {
    let canonical = entity.canonicalName
    func items(_ properties: [some Renamable]) -> [Item] {
      properties.map {
        Item(
          key: Key(entity: canonical, property: $0.canonicalName), entity: entity.name, property: $0.name,
          renamingIdentifier: $0.renamingIdentifier)
      }
    }
    return [
      Item(key: Key(entity: canonical), entity: entity.name, renamingIdentifier: entity.renamingIdentifier)
    ] + items(hierarchy?.members(in: entity.attributes) ?? [])
      + items(entity.relationships.filter { !$0.isTransient })
  }

  fileprivate func isPresent(_ key: Key) -> Bool { present[key] != nil }
  fileprivate func isKnown(_ key: Key) -> Bool { present[key] != nil || gone[key] != nil }
}

extension NameHistory.Step {
  /// What is new, and was there before the version that did not have it.
  fileprivate func reused(after former: ModelVersion) -> [Diagnostic] {
    items.compactMap { item in
      guard !before.isPresent(item.key), let last = before.gone[item.key],
        // An entity that comes back is one finding, not one for each property.
        item.property == nil || before.isPresent(NameHistory.Key(entity: item.key.entity))
      else { return nil }
      return .reusedName(
        item.property ?? item.entity, last: last, gone: former.name,
        ModelSubject(version: version.name, entity: item.entity, property: item.property))
    }
  }

  /// Identifiers that no earlier version has an item for. One that only keeps a new item apart from an old name is
  /// there on purpose.
  fileprivate func aimless() -> [Diagnostic] {
    items.compactMap { item in
      guard let identifier = item.renamingIdentifier, !before.isKnown(item.key),
        // Of an entity that is new the properties have no past either way.
        item.property == nil || before.isKnown(NameHistory.Key(entity: item.key.entity))
      else { return nil }
      let own = NameHistory.Key(
        entity: item.property == nil ? item.entity : item.key.entity, property: item.property)
      // A name of an item with another canonical name is a broken chain, which MC3201 reports.
      let claimed = NameHistory.Key(
        entity: item.property == nil ? identifier : item.key.entity,
        property: item.property == nil ? nil : identifier)
      if after[own] != nil || before.isKnown(own) || before.plainNames.contains(claimed) { return nil }
      return .aimlessIdentifier(
        identifier,
        ModelSubject(
          version: version.name, entity: item.entity, property: item.property, key: "renamingIdentifier"))
    }
  }
}

extension EntityDescription {
  /// Whether neither the entity nor a property has another name; composites, whose members have names, are not looked
  /// into.
  fileprivate func hasSameNames(as other: EntityDescription) -> Bool {
    renamingIdentifier == other.renamingIdentifier
      && attributes.elementsEqual(other.attributes) {
        $0.name == $1.name && $0.renamingIdentifier == $1.renamingIdentifier
          && $0.isTransient == $1.isTransient && $0.type != .composite && $1.type != .composite
      }
      && relationships.elementsEqual(other.relationships) {
        $0.name == $1.name && $0.renamingIdentifier == $1.renamingIdentifier
          && $0.isTransient == $1.isTransient
      }
  }
}

extension Diagnostic.Code {
  package static let reusedName = Self("MC3203")
  package static let aimlessIdentifier = Self("MC3205")
}

extension Diagnostic {
  fileprivate static func reusedName(
    _ name: String, last: String, gone: String, _ subject: ModelSubject
  ) -> Self {
    let full = subject.property.map { "\(subject.entity ?? "").\($0)" } ?? name
    return Self(
      .reusedName, .warning, "'\(full)' has the name of what '\(last)' had and '\(gone)' had not",
      subject: subject,
      notes: [
        "Core Data migrates a store of '\(last)' straight to '\(subject.version ?? "")' and puts the old values into it",
        "a store that came through '\(gone)' has lost them, so the two are not alike afterwards",
      ],
      help: ["give '\(full)' a renaming identifier of its own, such as '\(name)2', if it is another thing"])
  }

  fileprivate static func aimlessIdentifier(_ identifier: String, _ subject: ModelSubject) -> Self {
    let full = subject.property.map { "\(subject.entity ?? "").\($0)" } ?? subject.entity ?? ""
    return Self(
      .aimlessIdentifier, .warning,
      "the renaming identifier '\(identifier)' of '\(full)' is the name of nothing in an earlier version",
      subject: subject, notes: ["so '\(full)' begins without values"],
      help: ["remove it, or write the name that the first version had"])
  }
}
