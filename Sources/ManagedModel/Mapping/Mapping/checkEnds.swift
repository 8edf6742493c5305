extension MappingResolution {
  /// Two mappings that link the two ends of one relationship to different objects: the later one takes the place of what
  /// the earlier one has set, as in Core Data.
  ///
  /// For example, `Doc` gives `up` the `Folder` that it was in, and `Folder` then gives `down`, the inverse, the folders in
  /// it: no document is among them, so all documents leave their folders. Of a relationship within one entity both ends are in
  /// one mapping: what an object's `reports` set, its reports' own `boss` replaces.
  mutating func checkEnds() {
    for (model, written) in mappingModels.flatMap({ model in model.entityMappings.map { (model, $0) } }) {
      guard let place = entityMappings.firstIndex(where: { $0.name == written.name }) else { continue }
      let mapping = entityMappings[place]
      for property in mapping.relationshipMappings {
        let other = entityMappings[...place].first { replaces(property, of: mapping, $0) }
        guard let other else { continue }
        let (name, earlier) = (mapping.name, other.name)
        let finding = Diagnostic.impossible(
          "'\(property.name)' of mapping '\(name)' is the inverse of what '\(earlier)' sets, but leads to none of its objects: the links that '\(earlier)' sets would be lost",
          help: name == earlier
            ? "set only one of the two ends in '\(name)'"
            : "set the relationship from one end in all mappings, or write '\(name)' before '\(earlier)'")
        report(finding, MappingPlace(model, written, destination.name), property.name)
      }
    }
  }

  /// A relationship that a mapping sets to nil, and whose other end a later one, such as all that are inferred, takes over from
  /// the source: the links stay, as in Core Data.
  mutating func checkEmptyEnds() {
    for (model, written) in mappingModels.flatMap({ model in model.entityMappings.map { (model, $0) } }) {
      guard let place = entityMappings.firstIndex(where: { $0.name == written.name }) else { continue }
      let mapping = entityMappings[place]
      for property in mapping.relationshipMappings where property.value == .expression(.constant(.null)) {
        let keeper = entityMappings[place...].dropFirst().first {
          isTakenOver(inverse(of: property, of: mapping, in: $0), $0, mapping)
        }
        guard let keeper, let from = keeper.sourceEntityName, let to = keeper.destinationEntityName
        else { continue }
        let finding = Diagnostic(
          .impossibleMapping, .warning,
          "'\(property.name)' of mapping '\(mapping.name)' is nil, but '\(keeper.name)' takes over the inverse after it: the links stay",
          help: ["write '\(keeper.name): {source: \(from), destination: \(to)}' before '\(mapping.name)'"])
        report(finding, MappingPlace(model, written, destination.name), property.name)
      }
    }
  }

  /// The end of a relationship that nobody wrote follows the other one: where that takes its objects from another relationship
  /// of the source, it takes over no links.
  ///
  /// For example, `Book` gives `author` its editor, and `books` of `Author` is inferred: these are not the source's books. If
  /// nothing is written for `Novel`, a `Book` too, the novels among them stay.
  mutating func followWrittenEnds() {
    let written = mappingModels.flatMap(\.entityMappings)
    for (place, other) in entityMappings.enumerated() {
      let named = written.first { $0.name == other.name }?.relationshipMappings.map(\.name) ?? []
      for (index, end) in other.relationshipMappings.enumerated() where !named.contains(end.name) {
        let kinds = end.reachableEntities.filter { sourceHierarchy.entity(named: $0)?.isAbstract == false }
        let linked = kinds.filter { kind in
          entityMappings.contains { $0.sourceEntityName == kind && links($0, otherwiseThan: end, of: other) }
        }
        if linked.isEmpty { continue }
        entityMappings[place].relationshipMappings[index].reachableEntities.subtract(linked)
        entityMappings[place].relationshipMappings[index].givesWay = true
        if linked.count < kinds.count { continue }
        entityMappings[place].relationshipMappings[index].value = .constant(nil)
      }
    }
  }

  /// Whether a mapping looks the objects of one end up by the object itself, by a path of several relationships, as one of a
  /// list, or by one that is not the inverse of what the other end takes over. If it is the inverse, a lookup that leaves
  /// objects out, such as those of a sub-entity, leaves them to that end.
  private func links(
    _ mapping: EntityMapping, otherwiseThan end: PropertyMapping, of other: EntityMapping
  ) -> Bool {
    mapping.relationshipMappings.contains { property in
      guard case .expression(let value) = property.value, let objects = value.lookup?.objects,
        inverse(of: property, of: mapping, in: other)?.name == end.name, isTakenOver(end, other, mapping),
        let path = objects == .variable("source") ? [] : (objects.indexedList ?? objects).sourcePath
      else { return false }
      guard path.count == 1 else { return true }
      let old = sourceHierarchy.relationship(named: path[0], of: mapping.sourceEntityName ?? "")
      let new = destinationHierarchy.relationship(
        named: property.name, of: mapping.destinationEntityName ?? "")
      return old.map {
        objects.indexedList != nil || $0.isToMany && new?.isToMany == false
          || sourceHierarchy.inverse(of: $0)?.name != end.value.sourceName
      } ?? false
    }
  }

  /// Whether what a mapping sets holds none of the objects that an earlier one, or itself, has linked to its own.
  private func replaces(
    _ property: PropertyMapping, of mapping: EntityMapping, _ earlier: EntityMapping
  ) -> Bool {
    guard case .expression(let own) = property.value, let lookup = own.lookup,
      lookup.mapping != earlier.name
    else { return false }
    let end = inverse(of: property, of: mapping, in: earlier)
    if case .expression(let linked)? = end?.value { return linked.lookup?.mapping == mapping.name }
    return isTakenOver(end, earlier, mapping)
  }

  /// What another mapping says of the other end of a relationship; nil where a policy may link others.
  private func inverse(
    of property: PropertyMapping, of mapping: EntityMapping, in other: EntityMapping
  ) -> PropertyMapping? {
    guard mapping.policyName == nil, other.policyName == nil,
      let entity = mapping.destinationEntityName, let end = other.destinationEntityName,
      let relationship = destinationHierarchy.relationship(named: property.name, of: entity),
      let inverse = destinationHierarchy.inverse(of: relationship),
      destinationHierarchy.isKind(end, of: relationship.destinationEntityName),
      destinationHierarchy.entity(named: end)?.isAbstract == false
    else { return nil }
    return other.propertyMapping(named: inverse.name)
  }

  /// Whether it has the source's links to the objects of a mapping.
  private func isTakenOver(_ end: PropertyMapping?, _ other: EntityMapping, _ own: EntityMapping) -> Bool {
    guard case .source(let name)? = end?.value,
      let old = sourceHierarchy.relationship(named: name, of: other.sourceEntityName ?? "")
    else { return false }
    return sourceHierarchy.isKind(own.sourceEntityName ?? "", of: old.destinationEntityName)
      && end?.leads(to: own) == true
  }
}
