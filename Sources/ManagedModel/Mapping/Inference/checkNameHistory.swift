extension [ModelVersion] {
  /// Findings about names over a whole line of versions, where inference sees two at a time: names that come back, renames
  /// that nobody stated, renaming identifiers that lead nowhere.
  ///
  /// - Parameters:
  ///   - versions: those whose findings matter; nil for all.
  ///   - looksForRenames: whether renames that nobody stated matter.
  /// - Returns: MC3203, MC3204 and MC3205, each at the version where it begins.
  package func checkNameHistory(of versions: Set<String>? = nil, looksForRenames: Bool = true) -> [Diagnostic]
  {
    var found: [Diagnostic] = []
    var history = NameHistory()
    for version in self {
      let step = history.add(version)
      guard let former = step.former, !step.isEmpty else { continue }
      if versions?.contains(version.name) == false { continue }
      let findings = step.findings + (looksForRenames ? likelyRenames(from: former, by: step) : [])
      found += findings.map { $0.located(in: version) }
    }
    return found
  }
}

/// Everything that ever had a name, by canonical names, which renames do not change. From version to version most entities
/// keep all their names; only the others are looked at.
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
    /// Of an attribute.
    var type: AttributeType?
  }

  /// The latest version, and the items of its entities by name, an entity before its own properties; inherited ones
  /// belong to the parent.
  private var latest: ModelVersion?
  private var items: [String: [Item]] = [:]
  /// How many items of the latest version have a key.
  private var present: [Key: Int] = [:]
  /// The last version that had what is gone, and which type it had.
  private var gone: [Key: (version: String, type: AttributeType?)] = [:]
  /// Names as they were written: of properties, with the entity's canonical name.
  private var plainNames: Set<Key> = []

  /// What one version changes.
  struct Step {
    let version: ModelVersion
    let former: ModelVersion?
    /// New and changed entities, in the order of the model.
    let changed: [EntityDescription]
    let hasRemovals: Bool
    /// Names that come back, and identifiers that lead nowhere.
    fileprivate let findings: [Diagnostic]

    var isEmpty: Bool { changed.isEmpty && !hasRemovals }
  }

  mutating func add(_ version: ModelVersion) -> Step {
    let former = latest
    let (old, new) = (former?.model.entities ?? [], version.model.entities)
    let places = Dictionary(firstOf: old.indices.map { (old[$0].name, $0) })
    let changed = new.indices.filter { place in
      places[new[place].name].map { !old[$0].hasSameNames(as: new[place]) } ?? true
    }.map { new[$0] }
    let names = Set(new.indices.map { new[$0].name })
    let goneNames = places.keys.filter { !names.contains($0) }
    let hierarchy = changed.isEmpty ? nil : EntityHierarchy(version.model)
    let added = changed.map { items(of: $0, hierarchy) }
    // By what was known before this version.
    let reused = former.map { self.reused(added.joined(), in: version, after: $0) } ?? []
    let aimless = former == nil ? [] : added.joined().filter(isAimless)
    for name in goneNames + changed.map(\.name) { remove(name, lastIn: former?.name ?? "") }
    for (entity, own) in zip(changed, added) {
      items[entity.name] = own
      for item in own { present[item.key, default: 0] += 1 }
      plainNames.formUnion(own.map(\.ownKey))
    }
    latest = version
    return Step(
      version: version, former: former, changed: changed, hasRemovals: !goneNames.isEmpty,
      findings: reused
        + aimless.filter { !isPresent($0.ownKey) }.map { .aimlessIdentifier($0, in: version.name) })
  }

  private mutating func remove(_ entity: String, lastIn version: String) {
    for item in items.removeValue(forKey: entity) ?? [] {
      present[item.key] = present[item.key].flatMap { $0 > 1 ? $0 - 1 : nil }
      gone[item.key] = (version, item.type)
    }
  }

  private func items(of entity: EntityDescription, _ hierarchy: EntityHierarchy?) -> [Item] {
    let canonical = entity.canonicalName
    func items(_ properties: [some Renamable]) -> [Item] {
      properties.map {
        Item(
          key: Key(entity: canonical, property: $0.canonicalName), entity: entity.name, property: $0.name,
          renamingIdentifier: $0.renamingIdentifier, type: ($0 as? AttributeDescription)?.type)
      }
    }
    return [
      Item(key: Key(entity: canonical), entity: entity.name, renamingIdentifier: entity.renamingIdentifier)
    ] + items(hierarchy?.members(in: entity.attributes) ?? [])
      + items(entity.relationships.filter { !$0.isTransient })
  }

  private func isPresent(_ key: Key) -> Bool { present[key] != nil }
  private func isKnown(_ key: Key) -> Bool { isPresent(key) || gone[key] != nil }

  /// What is new, and was there before the version that did not have it.
  private func reused(
    _ added: some Sequence<Item>, in version: ModelVersion, after former: ModelVersion
  ) -> [Diagnostic] {
    added.compactMap { item in
      guard !isPresent(item.key), let last = gone[item.key],
        // An entity that comes back is one finding, not one for each property.
        item.property == nil || isPresent(Key(entity: item.key.entity)), !isRefused(last.type, item.type)
      else { return nil }
      let name = item.property.map { "\(item.entity).\($0)" } ?? item.entity
      return Diagnostic(
        .reusedName, .warning,
        "'\(name)' has a name that '\(last.version)' had and '\(former.name)' did not",
        subject: ModelSubject(version: version.name, entity: item.entity, property: item.property),
        notes: [
          "Core Data migrates a store of '\(last.version)' straight to '\(version.name)' and puts the old values into it",
          "a store that was migrated through '\(former.name)' has lost them, so the two stores differ",
        ],
        help: [
          "if it means something else, give '\(name)' its own renaming identifier, such as '\(item.property ?? item.entity)2'"
        ])
    }
  }

  /// Whether Core Data infers no mapping that would put the old values in.
  private func isRefused(_ old: AttributeType?, _ new: AttributeType?) -> Bool {
    guard let old, let new, old != new, !old.converts(to: new) else { return false }
    return !Set([old, new]).isSubset(of: [.binary, .transformable])
  }

  /// Whether no earlier version has an item for its identifier. One that only keeps a new item apart from an old name is
  /// there on purpose.
  private func isAimless(_ item: Item) -> Bool {
    guard let identifier = item.renamingIdentifier, !isKnown(item.key),
      // Of an entity that is new the properties have no past either way.
      item.property == nil || isKnown(Key(entity: item.key.entity)),
      // Of a name that stays MC3201 says it, but for SwiftData's schemas.
      latest?.notation == .swiftData
        || items[item.entity]?.contains(where: { $0.property == item.property }) != true
    else { return false }
    // A name of an item with another canonical name is a broken chain, which MC3201 reports.
    let claimed =
      item.property == nil ? Key(entity: identifier) : Key(entity: item.key.entity, property: identifier)
    return !isKnown(item.ownKey) && !plainNames.contains(claimed)
  }
}

extension NameHistory.Item {
  /// Its key if it had no identifier.
  fileprivate var ownKey: NameHistory.Key {
    NameHistory.Key(entity: property == nil ? entity : key.entity, property: property)
  }
}

extension EntityDescription {
  /// Whether neither the entity nor a property has another name; composites, whose members have names, are not looked
  /// into.
  fileprivate func hasSameNames(as other: EntityDescription) -> Bool {
    // By their places: a copy of a description costs more than looking at it.
    let (old, new) = (attributes, other.attributes)
    let (oldLinks, newLinks) = (relationships, other.relationships)
    return renamingIdentifier == other.renamingIdentifier && old.count == new.count
      && oldLinks.count == newLinks.count
      && old.indices.allSatisfy {
        old[$0].name == new[$0].name && old[$0].renamingIdentifier == new[$0].renamingIdentifier
          && old[$0].isTransient == new[$0].isTransient && old[$0].type != .composite
          && new[$0].type != .composite
      }
      && oldLinks.indices.allSatisfy {
        oldLinks[$0].name == newLinks[$0].name
          && oldLinks[$0].renamingIdentifier == newLinks[$0].renamingIdentifier
          && oldLinks[$0].isTransient == newLinks[$0].isTransient
      }
  }
}

extension Diagnostic.Code {
  package static let reusedName = Self("MC3203")
  package static let aimlessIdentifier = Self("MC3205")
}

extension Diagnostic {
  fileprivate static func aimlessIdentifier(_ item: NameHistory.Item, in version: String) -> Self {
    let identifier = item.renamingIdentifier ?? ""
    let full = item.property.map { "\(item.entity).\($0)" } ?? item.entity
    return Self(
      .aimlessIdentifier, .warning,
      "the renaming identifier '\(identifier)' of '\(full)' matches no name in an earlier version",
      subject: ModelSubject(
        version: version, entity: item.entity, property: item.property, key: "renamingIdentifier"),
      notes: ["so '\(full)' starts without values"],
      help: ["remove it, or write the name that the first version had"])
  }
}
