import ManagedModel

/// The properties that an entity's archive lists, inherited ones first.
struct ListedProperties {
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  var fetchedProperties: [FetchedPropertyDescription] = []

  var count: Int { attributes.count + relationships.count + fetchedProperties.count }

  fileprivate mutating func removeAll(where isMeant: (String) -> Bool) {
    attributes.removeAll { isMeant($0.name) }
    relationships.removeAll { isMeant($0.name) }
    fetchedProperties.removeAll { isMeant($0.name) }
  }
}

extension ModelArchiver {
  /// Own properties in a compiled model; in a cache the inherited ones too, each in its nearest form.
  func listedProperties(of entity: EntityDescription) -> ListedProperties {
    var properties = ListedProperties()
    for own in isCache ? hierarchy.lineage(of: entity.name) : [entity] {
      let names = Set(own.ownPropertyNames)
      properties.removeAll(where: names.contains)
      properties.attributes += own.attributes
      properties.relationships += own.relationships
      properties.fetchedProperties += own.fetchedProperties
    }
    // Of each name the first, which valid models have no other of.
    var seen: Set<String> = []
    properties.removeAll { !seen.insert($0).inserted }
    return properties
  }

  mutating func fillEntity(at index: Int, modelReference: Int) {
    let entity = entities[index]
    guard let reference = entityReferences[entity.name] else { return }
    let parent = hierarchy.superentityName(of: entity.name)
    let children = hierarchy.subentityNames(of: entity.name).map {
      PropertyListValue.Entry($0, self.reference(toEntity: $0))
    }
    builder.begin()
    builder.put(.entityName, text: entity.name)
    // The current product's module (`.`) is known to the app's build alone.
    let className = entity.moduleName == "." ? entity.managedObjectClassName : entity.qualifiedClassName
    builder.put(.classNameForEntity, text: className)
    if entity.isAbstract { builder.put(.isAbstract, flag: true) }
    if !entity.uniquenessConstraints.isEmpty {
      builder.put(own: "NSUniqueTuples", builder.lists(entity.uniquenessConstraints))
    }
    builder.put(.userInfo, builder.dictionary(of: entity.userInfo))
    builder.put(.subentities, builder.dictionary("NSMutableDictionary", children))
    builder.put(.versionHashModifier, text: entity.versionHashModifier)
    builder.put(.properties, propertyDictionary(of: entity, at: index))
    builder.put(.renamingIdentifier, text: entity.canonicalName)
    builder.put(.managedObjectModel, reference: modelReference)
    builder.put(.superentity, parent.map { self.reference(toEntity: $0) } ?? KeyedArchiveBuilder.null)
    putIndexes(of: entity)
    if let module = entity.moduleName {
      builder.put(own: ModelcKey.moduleName, builder.string(module))
      builder.put(own: ModelcKey.className, builder.string(entity.managedObjectClassName))
    }
    builder.put(own: ModelcKey.codeGenerationType, ifAny: entity.codeGenerationType?.rawValue)
    builder.put(own: ModelcKey.spotlightDisplayName, ifAny: entity.coreSpotlightDisplayName)
    if parent != entity.superentityName {
      builder.put(own: ModelcKey.superentityName, ifAny: entity.superentityName)
    }
    builder.end(reference, as: "NSEntityDescription")
  }

  private mutating func propertyDictionary(of entity: EntityDescription, at index: Int) -> PropertyListValue {
    let (properties, first) = listings[index]
    var names: [Int] = []
    names.reserveCapacity(properties.count)
    let mirrored = mirrorsFetchIndexes(entity) ? singlePropertyIndexes(of: entity) : []
    let entityReference = reference(toEntity: entity.name)
    // By their places: a copy of a description costs more than looking at it.
    let (attributes, relationships) = (properties.attributes, properties.relationships)
    for index in attributes.indices {
      let isIndexed = attributes[index].isIndexed || mirrored.contains(attributes[index].name)
      names.append(
        fill(
          attributes[index], at: first + names.count, entityReference: entityReference, isIndexed: isIndexed))
    }
    for index in relationships.indices {
      names.append(fill(relationships[index], at: first + names.count, entityReference: entityReference))
    }
    for property in properties.fetchedProperties {
      names.append(fill(property, at: first + names.count, entityReference: entityReference))
    }
    return builder.dictionary("NSMutableDictionary", names: names, first: first)
  }
}

/// Fetch indexes, and their older forms.
///
/// Since fetch indexes exist (iOS 11), genuine archives repeat them in the older form: an index over several
/// properties as a compound index, an ascending one over a single attribute as that
/// attribute's `NSIsIndexed`.
extension ModelArchiver {
  /// Whether the older forms in the archive are a mirror, because the entity declares none of its own.
  private func mirrorsFetchIndexes(_ entity: EntityDescription) -> Bool {
    !entity.fetchIndexes.isEmpty && entity.compoundIndexes.isEmpty
      && !entity.attributes.indices.contains { entity.attributes[$0].isIndexed }
  }

  private func singlePropertyIndexes(of entity: EntityDescription) -> Set<String> {
    let single = entity.fetchIndexes.filter { $0.elements.count == 1 && !$0.isOfSwiftData }
      .flatMap(\.elements).filter { $0.isAscending && !$0.isExpression && $0.collation == .binary }
    return Set(single.map(\.property))
  }

  private mutating func putIndexes(of entity: EntityDescription) {
    var compound = entity.compoundIndexes
    if mirrorsFetchIndexes(entity) {
      compound = entity.fetchIndexes.map { $0.elements.map(\.property) }.filter { $0.count > 1 }
    } else if !entity.fetchIndexes.isEmpty {
      builder.put(own: ModelcKey.legacyIndexes, .boolean(true))
    }
    if !compound.isEmpty || !entity.fetchIndexes.isEmpty {
      builder.put(own: "NSCompoundIndexes", builder.lists(compound))
    }
    if entity.fetchIndexes.isEmpty { return }
    let indexes = entity.fetchIndexes.map { archived($0, of: entity.name) }
    builder.put(own: "NSFetchIndexDescriptions", builder.collection("NSMutableArray", indexes))
  }

  private mutating func archived(_ index: FetchIndexDescription, of entity: String) -> PropertyListValue {
    let place = builder.reserve()
    var elements: [PropertyListValue] = []
    for element in index.elements {
      var fields: [PropertyListValue.Entry] = [
        .init("NSPropertyName", builder.string(element.isExpression ? nil : element.property)),
        .init("NSFetchIndexElementType", .integer(Int64(element.collation.rawValue))),
        .init("NSFetchIndexDescription", .reference(place)),
        .init("NSAscending", .boolean(element.isAscending)),
      ]
      // The key is our choice: no genuine archive at hand indexes an expression.
      if element.isExpression {
        fields += self.fields(archivedExpression(element.property), key: "NSExpression")
      }
      elements.append(builder.object("NSFetchIndexElementDescription", fields))
    }
    var fields: [PropertyListValue.Entry] = [
      .init("NSIndexName", builder.string(index.name)),
      .init("NSIndexElements", builder.collection("NSArray", elements)),
      .init("NSEntity", reference(toEntity: entity)),
    ]
    fields += predicateFields(index.partialIndexPredicate, key: "NSPartialIndexPredicate")
    builder.fill(place, as: "NSFetchIndexDescription", fields)
    return .reference(place)
  }
}
