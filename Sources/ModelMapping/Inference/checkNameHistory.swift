public import ManagedModel

/// What names say over a whole line of versions, of which inference sees two at a time: names that come back,
/// renames that nobody stated, and renaming identifiers that lead nowhere.
///
/// - Parameter lineage: the versions, oldest first, each following the one before it.
/// - Returns: MC3203, MC3204 and MC3205, each at the version where it begins.
public func checkNameHistory(_ lineage: [ModelVersion]) -> [Diagnostic] {
  var found: [Diagnostic] = []
  var history = NameHistory()
  var previous: NameHistory.Names?
  for version in lineage {
    let names = NameHistory.Names(version)
    if let previous {
      let findings =
        history.reused(in: names, after: previous) + history.aimless(in: names)
        + likelyRenames(from: previous, to: names)
      found += findings.map { diagnostic in version.sourceMap.map { diagnostic.located(by: $0) } ?? diagnostic
      }
    }
    history.add(names)
    previous = names
  }
  return found
}

/// All that was ever called something, by canonical names, which renames do not change.
struct NameHistory {
  /// An entity, or one of its properties, by canonical names.
  struct Key: Hashable {
    var entity: String
    var property: String?
  }

  /// The last version that had it.
  private var versions: [Key: String] = [:]
  /// Names as they were written: of properties, with the entity's canonical name.
  private var plainNames: Set<Key> = []

  /// The names of one version.
  struct Names {
    let version: ModelVersion
    let hierarchy: EntityHierarchy
    /// In the order of the model, an entity before its own properties; inherited ones belong to the parent.
    let items: [(key: Key, entity: String, property: String?, renamingIdentifier: String?)]
    let keys: Set<Key>

    init(_ version: ModelVersion) {
      self.version = version
      hierarchy = EntityHierarchy(version.model)
      var items: [(key: Key, entity: String, property: String?, renamingIdentifier: String?)] = []
      for entity in version.model.entities {
        let canonical = entity.canonicalName
        items.append((Key(entity: canonical), entity.name, nil, entity.renamingIdentifier))
        func add(_ properties: [some Renamable]) {
          items += properties.map {
            (Key(entity: canonical, property: $0.canonicalName), entity.name, $0.name, $0.renamingIdentifier)
          }
        }
        add(hierarchy.members(in: entity.attributes))
        add(entity.relationships.filter { !$0.isTransient })
      }
      self.items = items
      keys = Set(items.map(\.key))
    }
  }

  mutating func add(_ names: Names) {
    for key in names.keys { versions[key] = names.version.name }
    for item in names.items {
      plainNames.insert(
        Key(entity: item.property == nil ? item.entity : item.key.entity, property: item.property))
    }
  }

  /// What is new, and was there before the version that did not have it.
  func reused(in names: Names, after previous: Names) -> [Diagnostic] {
    names.items.compactMap { item in
      guard !previous.keys.contains(item.key), let last = versions[item.key],
        // Of an entity that comes back the entity is told, not each property.
        item.property == nil || previous.keys.contains(Key(entity: item.key.entity))
      else { return nil }
      return .reusedName(
        item.property ?? item.entity, last: last, gone: previous.version.name,
        ModelSubject(version: names.version.name, entity: item.entity, property: item.property))
    }
  }

  /// Identifiers that no earlier version has an item for. One that only keeps a new item apart from an old name is
  /// there on purpose.
  func aimless(in names: Names) -> [Diagnostic] {
    names.items.compactMap { item in
      guard let identifier = item.renamingIdentifier, versions[item.key] == nil,
        // Of an entity that is new the properties have no past either way.
        item.property == nil || versions[Key(entity: item.key.entity)] != nil
      else { return nil }
      let own = Key(
        entity: item.property == nil ? item.entity : item.key.entity, property: item.property)
      // A name that something of another canonical name had is a broken chain: MC3201 tells.
      let claimed = Key(
        entity: item.property == nil ? identifier : item.key.entity,
        property: item.property == nil ? nil : identifier)
      if names.keys.contains(own) || versions[own] != nil || plainNames.contains(claimed) { return nil }
      return .aimlessIdentifier(
        identifier,
        ModelSubject(
          version: names.version.name, entity: item.entity, property: item.property,
          key: "renamingIdentifier"))
    }
  }
}

extension Diagnostic.Code {
  public static let reusedName = Self("MC3203")
  public static let aimlessIdentifier = Self("MC3205")
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
