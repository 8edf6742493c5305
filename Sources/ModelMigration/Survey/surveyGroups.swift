import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts the values of objects that do not stay of their groups.
  ///
  /// - Returns: how many objects the groups of a mapping become; nil where it groups nothing, or by keys that only objects
  ///   can be asked for.
  mutating func surveyGroups(_ mapping: EntityMapping) throws -> Int? {
    guard let rule = mapping.grouping, mapping.policyName == nil,
      let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName
    else { return nil }
    var followed: [String: String] = [:]
    for property in mapping.relationshipMappings {
      let value = property.groupValue
      if case .expression(let expression) = property.value, value == .variable("source") {
        // What another mapping makes of the object itself, and of others of the group the same where it groups them too.
        let other = mappingModel.entityMappings.first { $0.name == expression.lookup?.mapping }
        followed[property.name] = other.flatMap { rows.keptKeysSQL($0, ofAll: true) }
      }
      guard let path = value?.sourcePath, path.count == 1,
        let target = rows.hierarchy.relationship(named: path[0], of: source)?.destinationEntityName
      else { continue }
      let groups = rows.hierarchy.descendantNames(includingSelf: target).compactMap {
        mappingModel.groups(of: $0, rows).map { "SELECT * FROM (\($0))" }
      }
      if !groups.isEmpty { followed[property.name] = groups.joined(separator: " UNION ALL ") }
    }
    // What each object has a value of, by the property that takes it; what is computed of the whole group is of no object, and
    // what is derived is computed anew.
    var values: [String: Expression] = [:]
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      if self.destination.attribute(named: property.name, of: destination)?.isDerived == true { continue }
      guard let value = property.groupValue else { continue }
      let readsGroup = value.referencedKeyPaths.contains { $0.root == .variable("sources") }
      if !readsGroup { values[property.name] = value }
    }
    // An object can be in one list of each relationship without an inverse; other mappings' objects do not leave it for these.
    let links = MappedLinks(mappingModel, from: rows.hierarchy, to: self.destination)
    let isIn = { (ends: MappedLinks.Split?) in ends?.carried.contains { $0.to.name == mapping.name } == true }
    var lists: [String: (past: PropertyReference, column: String)] = [:]
    for column in rows.schema.table(ofEntity: source)?.columns ?? [] {
      guard case .owner(let past) = column.role,
        let list = rows.hierarchy.relationship(named: past.property, of: past.entity),
        links.taken(past.entity).contains(where: { isIn(links.split(list, ($0, source))) })
      else { continue }
      lists[past.path] = (past, column.name)
    }
    let merged = try db.countMergedRows(
      mapping, values: values, following: followed, owners: lists.mapValues(\.column), schema: rows.schema,
      model: rows.hierarchy.model, now: rows.now)
    guard let merged else {
      // One at least stays.
      let others = try rows.count(ofEntity: source) - 1
      account.add(.mergedAway, of: destination, nil, others, isIntended: rule.statesKeep)
      return nil
    }
    guard merged.groups < merged.objects else { return nil }
    for (name, lost) in merged.lost.sorted(by: { $0.key < $1.key }) {
      let past = lists[name]?.past
      account.add(
        .mergedAway, of: past?.entity ?? destination, past?.property ?? name, lost.count,
        isIntended: rule.statesKeep, examples: past == nil ? lost.keys : [])
    }
    try countLeftReferences(mapping, of: source, links, beside: Set(lists.keys))
    return merged.groups
  }

  /// Counts references to objects that do not stay of their groups, where they do not follow the one that does, unless this gets
  /// what all of them have.
  private mutating func countLeftReferences(
    _ mapping: EntityMapping, of source: String, _ links: MappedLinks, beside lists: Set<String>
  ) throws {
    // Of several that group the same objects, links lead to what one makes.
    let grouped = mappingModel.mappings(fromEntity: source).filter { $0.grouping != nil }
    let heir = grouped.first { $0.mapsToCounterpart(in: destination) } ?? grouped.first
    if heir?.name != mapping.name || mapping.grouping?.keep == .merge || mapping.onDrop == .repoint { return }
    let left = try DropRules(mappingModel, rows).countReferences(
      toDroppedOf: source, afterCascadeFrom: mappingModel.sources(dropping: .cascade, rows),
      countsMembers: true)
    for (past, count) in left.sorted(by: { $0.key.path < $1.key.path }) where !lists.contains(past.path) {
      let isOwn = rows.hierarchy.isKind(source, of: past.entity)
      let name = rows.hierarchy.inverse(of: past)?.property ?? (isOwn ? past.property : nil)
      let isComputed = mapping.relationshipMappings.contains {
        name != nil && $0.value.sourceName == nil && $0.value.keysOfSource.contains { $0.first == name }
      }
      let target = isOwn ? rows.hierarchy.relationship(past)?.destinationEntityName : source
      if isComputed || !links.carriesAny(of: past, to: target ?? source) { continue }
      account.add(.mergedAway, of: past.entity, past.property, count, isIntended: true)
    }
  }
}

extension PropertyMapping {
  /// What an object of a group has of a property; of `destinationInstances("ClubToClub", $source.club)` the objects that are
  /// looked up.
  fileprivate var groupValue: Expression? {
    if let name = value.sourceName { return .keyPath(keys(of: name), of: .variable("source")) }
    guard case .expression(let expression) = value else { return nil }
    return expression.lookup?.objects ?? expression
  }
}
