/// Pairs of a removed and an added item that look like one item with a new name.
///
/// Attributes have the same type, relationships the same destination and cardinality, entities most of their properties
/// in common. The names are near each other, or one is part of the other. Items that `retired:` lists are left out.
func likelyRenames(from former: ModelVersion, by step: NameHistory.Step) -> [Diagnostic] {
  let version = step.version
  let pairs = matchNames(from: former.model.entities, to: version.model.entities).sourceNames
  let (old, new) = (EntityHierarchy(former.model), EntityHierarchy(version.model))
  var found: [Diagnostic] = []
  let retired = Set(version.retired)
  lazy var isElsewhere = elsewhere(in: new)
  /// - Parameter source: the entity of the properties that go; nil if entities go.
  func suggest(_ name: String, _ entity: String, of source: String?, goneFrom gone: [String]) {
    // One that keeps its name has lost its renaming identifier, which is said by itself (MC3201).
    guard let match = gone.first(where: { $0 != name && name.resembles($0) }) else { return }
    let (isEntity, notation) = (source == nil, version.notation)
    let prefix = isEntity ? "" : "\(entity)."
    found.append(
      .likelyRename, .warning,
      "'\(prefix)\(name)' looks like '\(match)' renamed, but no identifier says so",
      subject: ModelSubject(version: version.name, entity: entity, property: isEntity ? nil : name),
      related: [
        ModelSubject(version: former.name, entity: source ?? match, property: isEntity ? nil : match)
      ],
      notes: ["as written, '\(match)' is removed with its values and '\(name)' starts empty"],
      help: [
        notation.renamingAdvice(
          prefix + name, formerly: old.canonicalName(of: isEntity ? nil : match, in: source ?? match))
          + "; if it is something else, "
          + notation.retiringAdvice(prefix + match, in: version.name)
      ])
  }
  for entity in step.changed {
    guard let sourceName = pairs[entity.name], let source = old.entity(named: sourceName) else { continue }
    let before = old.members(in: source.attributes)
    let after = new.members(in: entity.attributes)
    let goneAttributes = unmatched(before, by: after)
      .filter { !isElsewhere($0, source) && !retired.contains("\(sourceName).\($0.name)") }
    for attribute in unmatched(after, by: before) where !attribute.isDerived {
      let alike = goneAttributes.filter { $0.type == attribute.type && !$0.isDerived }
      suggest(attribute.name, entity.name, of: sourceName, goneFrom: alike.map(\.name))
    }
    let goneRelationships = unmatched(source.relationships, by: entity.relationships)
      .filter { !retired.contains("\(sourceName).\($0.name)") }
    for relationship in unmatched(entity.relationships, by: source.relationships) {
      let inverse = new.inverse(of: relationship)?.canonicalName
      // The links come over by an inverse that stays.
      let alike = goneRelationships.filter {
        pairs[relationship.destinationEntityName] == $0.destinationEntityName
          && $0.isToMany == relationship.isToMany
          && (inverse == nil || inverse != old.inverse(of: $0)?.canonicalName)
      }
      suggest(relationship.name, entity.name, of: sourceName, goneFrom: alike.map(\.name))
    }
  }
  let kept = Set(pairs.values)
  let gone = former.model.entities.filter { !kept.contains($0.name) && !retired.contains($0.name) }
  for entity in step.changed where pairs[entity.name] == nil {
    let alike = gone.filter { shareMost($0, entity) }
    suggest(entity.name, entity.name, of: nil, goneFrom: alike.map(\.name))
  }
  return found
}

private func unmatched<Item: Renamable>(_ items: [Item], by others: [Item]) -> [Item] {
  let names = Set(others.map(\.canonicalName))
  return items.filter { !names.contains($0.canonicalName) }
}

/// Whether an attribute of an entity only moved up or down the hierarchy, from one look at all attributes there.
private func elsewhere(in hierarchy: EntityHierarchy) -> (AttributeDescription, EntityDescription) -> Bool {
  let all = hierarchy.model.entities.flatMap { entity in
    hierarchy.members(in: entity.attributes).map { (attribute: $0, entity: entity.canonicalName) }
  }
  let places = Dictionary(grouping: all) { $0.attribute.canonicalName }
  return { attribute, entity in
    places[attribute.canonicalName, default: []].contains {
      $0.entity != entity.canonicalName && $0.attribute.type == attribute.type
    }
  }
}

private func shareMost(_ old: EntityDescription, _ new: EntityDescription) -> Bool {
  let (before, after) = (Set(old.propertyNames), Set(new.propertyNames))
  let common = before.intersection(after).count
  return common > 0 && common * 2 >= max(before.count, after.count)
}

extension String {
  /// Whether one of two names is near the other, or a part of it.
  package func resembles(_ former: String) -> Bool {
    let (short, long) = former.count < count ? (former, self) : (self, former)
    if short.count >= 3, long.lowercased().contains(short.lowercased()) { return true }
    return short.count >= 4 && nearestName(to: self, among: [former]) != nil
  }
}

extension EntityDescription {
  fileprivate var propertyNames: [String] {
    attributes.map(\.canonicalName) + relationships.map(\.canonicalName)
  }
}

extension Diagnostic.Code { package static let likelyRename = Self("MC3204", level: .store) }
