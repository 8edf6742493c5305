/// The mapping model that lightweight migration infers between two versions, and the reasons why it cannot.
///
/// It infers every change that Core Data infers; a change that Core Data refuses is an error among the diagnostics. The
/// plan checks what depends on a store's rows: nulls, duplicates, rows of removed entities.
package func inferMappingModel(
  from source: ModelVersion, to destination: ModelVersion
) -> (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
  var inference = Inference(source: source, destination: destination)
  inference.run()
  if !destination.allowsInference {
    // A step with a custom mapping model passes, even if that leaves most entities to inference: somebody has looked at it.
    inference.diagnostics.append(
      .mappingWanted, .error,
      "the mapping from '\(source.name)' to '\(destination.name)' must be written in a mapping file",
      subject: ModelSubject(version: destination.name),
      notes: ["\(destination.notation.versionListName) says `infer: false` for it"],
      help: ["`modelc map new \(source.name.shellWord) \(destination.name.shellWord)` starts one"],
      cocoaCode: 134140)
  }
  inference.diagnostics += inference.entityMappings.checkMappedChanges(
    from: inference.sourceHierarchy, to: inference.destinationHierarchy, version: destination.name)
  return (
    MappingModel(entityMappings: inference.entityMappings, isInferred: true),
    inference.diagnostics.map { $0.located(in: destination) }
  )
}

/// The work of inference, entity by entity; a custom mapping model is completed by it.
struct Inference {
  let source: ModelVersion
  let destination: ModelVersion
  let sourceHierarchy: EntityHierarchy
  let destinationHierarchy: EntityHierarchy
  var entityMappings: [EntityMapping] = []
  var diagnostics: [Diagnostic] = []
  /// Inherited properties that were reported already, of the source and as which of the destination.
  private var reported: Set<[PropertyReference]> = []

  init(source: ModelVersion, destination: ModelVersion) {
    (self.source, self.destination) = (source, destination)
    self.sourceHierarchy = EntityHierarchy(source.model)
    self.destinationHierarchy = EntityHierarchy(destination.model)
  }

  /// Whether identifiers may be there by accident: users have the version, and nobody can change it.
  private var allowsAccidents: Bool { source.origin == .xcode || destination.origin == .xcode }

  /// Entities of the destination with those of the source that they continue.
  mutating func matchEntities() -> [String: String] {
    let matching = matchNames(
      from: source.model.entities, to: destination.model.entities,
      byName: allowsAccidents ? { _, _ in true } : nil)
    report(matching, entity: nil)
    return matching.sourceNames
  }

  mutating func run() {
    let pairs = matchEntities()
    let matches = staying(matchRelationships(pairs), pairs)
    let sources = RelationshipSources(self, pairs: pairs, matches: matches)
    for name in destinationHierarchy.namesInNumberingOrder {
      entityMappings.append(mapping(toEntity: name, from: pairs[name], sources: sources, pairs: pairs))
    }
    let kept = Set(pairs.values)
    for name in sourceHierarchy.namesInNumberingOrder where !kept.contains(name) {
      entityMappings.append(removal(ofEntity: name))
    }
    diagnostics += sourceHierarchy.checkHierarchies(
      to: destinationHierarchy, pairs: pairs, version: destination.name)
  }

  func removal(ofEntity name: String) -> EntityMapping {
    .removing(name, source.entityVersionHashesByName[name])
  }

  mutating func mapping(
    toEntity name: String, from sourceName: String?, sources: RelationshipSources, pairs: [String: String]
  ) -> EntityMapping {
    let hash = destination.entityVersionHashesByName[name]
    let relationships = destinationHierarchy.relationships(of: name).filter { !$0.isTransient }
    guard let sourceName else {
      let attributes = destinationHierarchy.members(of: name).map {
        PropertyMapping(name: $0.name, value: .constant($0.heldDefaultValue))
      }
      return .adding(name, hash, attributes: attributes, relationships: relationships.map(\.name))
    }
    let sourceHash = source.entityVersionHashesByName[sourceName]
    let type: MappingType = sourceHash == hash && sourceName == name ? .copy : .transform
    let relationshipMappings = relationships.map { sources.mapping(of: $0, entity: name) }
    check(relationshipMappings, from: sourceName, to: name, pairs: pairs)
    return EntityMapping(
      name: "IEM_\(type == .copy ? "Copy" : "Transform")_\(name)", mappingType: type,
      sourceEntityName: sourceName, destinationEntityName: name, sourceEntityVersionHash: sourceHash,
      destinationEntityVersionHash: hash,
      attributeMappings: attributeMappings(from: sourceName, to: name),
      relationshipMappings: relationshipMappings)
  }

  private mutating func attributeMappings(from sourceName: String, to name: String) -> [PropertyMapping] {
    let old = sourceHierarchy.members(of: sourceName)
    let new = destinationHierarchy.members(of: name)
    // What nobody touched, which is nearly all, is matched with itself, and has nothing to be checked.
    if old == new { return new.map { PropertyMapping(name: $0.name, value: .source($0.name)) } }
    let matching = matchNames(
      from: old, to: new,
      byName: allowsAccidents ? { $0.type == $1.type || $0.type.converts(to: $1.type) } : nil)
    report(matching, entity: name)
    checkCompositeChanges(from: sourceName, to: name)
    let oldByName = Dictionary(firstOf: old.map { ($0.name, $0) })
    return new.map { attribute in
      guard let match = matching.sourceNames[attribute.name], let oldAttribute = oldByName[match],
        attribute.derivationExpression == nil
          || attribute.derivationExpression == oldAttribute.derivationExpression
      else { return PropertyMapping(name: attribute.name, value: .constant(attribute.heldDefaultValue)) }
      if let entity = entityToReport(match, of: sourceName, as: attribute.name, of: name) {
        diagnostics += oldAttribute.checkChange(to: attribute, entity: entity, version: destination.name)
      }
      return PropertyMapping(name: attribute.name, value: carriedValue(of: oldAttribute, as: attribute))
    }
  }

  /// A value that becomes a composite, or the other way round: no member of it has a past.
  private mutating func checkCompositeChanges(from sourceName: String, to name: String) {
    let old = sourceHierarchy.attributes(of: sourceName).filter { !$0.isTransient }
    let new = destinationHierarchy.attributes(of: name).filter { !$0.isTransient }
    guard (old + new).contains(where: { $0.type == .composite }) else { return }
    for (after, before) in matchNames(from: old, to: new).sourceNames.sorted(by: { $0.key < $1.key }) {
      guard let one = old.first(where: { $0.name == before }),
        let other = new.first(where: { $0.name == after }),
        (one.type == .composite) != (other.type == .composite),
        let entity = entityToReport(before, of: sourceName, as: after, of: name)
      else { continue }
      diagnostics += one.checkChange(to: other, entity: entity, version: destination.name)
    }
  }

  /// Destination entity → its relationship → the source entity's relationship.
  mutating func matchRelationships(_ pairs: [String: String]) -> [String: [String: String]] {
    var matches: [String: [String: String]] = [:]
    for name in destinationHierarchy.namesInNumberingOrder {
      guard let sourceName = pairs[name] else { continue }
      let matching = matchNames(
        from: sourceHierarchy.relationships(of: sourceName).filter { !$0.isTransient },
        to: destinationHierarchy.relationships(of: name).filter { !$0.isTransient },
        byName: allowsAccidents ? { $0.isToMany == $1.isToMany } : nil)
      report(matching, entity: name)
      matches[name] = matching.sourceNames
    }
    return matches
  }

  /// The matches without those whose references would be keys of another table than the new one.
  private mutating func staying(
    _ matches: [String: [String: String]], _ pairs: [String: String]
  ) -> [String: [String: String]] {
    var staying: [String: [String: String]] = [:]
    for name in destinationHierarchy.namesInNumberingOrder {
      guard let sourceName = pairs[name] else { continue }
      staying[name] = matches[name]?.filter { new, old in
        !leavesTable(old, of: sourceName, as: new, of: name, pairs)
      }
    }
    return staying
  }

  /// Whether the relationship leads to entities of another table from now on: its references, which are keys of the old
  /// one, are dropped.
  private mutating func leavesTable(
    _ old: String, of sourceName: String, as new: String, of name: String, _ pairs: [String: String]
  ) -> Bool {
    guard let before = sourceHierarchy.relationship(named: old, of: sourceName),
      let after = destinationHierarchy.relationship(named: new, of: name),
      pairs[after.destinationEntityName] != before.destinationEntityName,
      !before.sharesTable(after, pairs, source: sourceHierarchy, destination: destinationHierarchy)
    else { return false }
    if let entity = entityToReport(old, of: sourceName, as: new, of: name) {
      diagnostics.append(
        .destinationChanged(
          before, after, entity: entity,
          subject: ModelSubject(version: destination.name, entity: entity, property: new), isCarried: false))
    }
    return true
  }

  private mutating func check(
    _ mappings: [PropertyMapping], from sourceName: String, to name: String, pairs: [String: String]
  ) {
    for mapping in mappings {
      guard let match = mapping.value.sourceName,
        let old = sourceHierarchy.relationship(named: match, of: sourceName),
        let new = destinationHierarchy.relationship(named: mapping.name, of: name)
      else { continue }
      if let entity = entityToReport(match, of: sourceName, as: mapping.name, of: name) {
        diagnostics += old.checkChange(
          to: new, entity: entity, pairs: pairs, source: sourceHierarchy, destination: destinationHierarchy,
          version: destination.name)
      }
    }
  }

  /// Findings about an inherited property stand once, at the entity that declares it: all heirs that inherited it
  /// from one entity have the same.
  ///
  /// - Returns: that entity the first time, then nil.
  private mutating func entityToReport(
    _ old: String, of sourceName: String, as new: String, of name: String
  ) -> String? {
    let past =
      sourceHierarchy.reference(to: old, seenFrom: sourceName)
      ?? PropertyReference(entity: sourceName, property: old)
    let entity = destinationHierarchy.declaringEntityName(of: new, seenFrom: name) ?? name
    let finding = [past, PropertyReference(entity: entity, property: new)]
    return reported.insert(finding).inserted ? entity : nil
  }

  private mutating func report(_ matching: NameMatching, entity: String?) {
    /// What is called so: its whole name, and what says which former name it had.
    func place(_ name: String) -> (String, ModelSubject) {
      let owner = entity.map { destinationHierarchy.declaringEntityName(of: name, seenFrom: $0) ?? $0 }
      let subject = ModelSubject(
        version: destination.name, entity: owner ?? name, property: owner == nil ? nil : name,
        key: "renamingIdentifier")
      return (owner.map { "\($0).\(name)" } ?? name, subject)
    }
    var found = matching.ambiguous.map { item -> Diagnostic in
      let (name, subject) = place(item.name)
      let other = (subject.property == nil ? "" : "\(subject.entity ?? "").") + item.other
      return Diagnostic(
        .ambiguousRenaming, .error, "'\(name)' and '\(other)' both map to '\(item.canonicalName)'",
        subject: subject,
        notes: ["a renaming identifier, or a name without one, may occur only once among siblings"],
        help: ["give the new one its own renaming identifier"], cocoaCode: 134190)
    }
    found += matching.broken.map { item -> Diagnostic in
      let ((name, subject), former) = (place(item.name), item.canonicalName)
      return Diagnostic(
        .brokenRenameChain, .error, "'\(name)' breaks a chain of renames: its values would be dropped",
        subject: subject,
        notes: [
          "'\(item.sourceName)' has the renaming identifier '\(former)'; its successor must have the same one",
          "without it Core Data removes the old one and adds the new one",
        ],
        help: [destination.notation.renamingAdvice(name, formerly: former)], cocoaCode: 134190)
    }
    found += matching.byName.map { item -> Diagnostic in
      let ((name, subject), identifier) = (place(item.name), item.identifier)
      return Diagnostic(
        .brokenRenameChain, .warning,
        "'\(name)' is matched by its name: "
          + (item.isLost
            ? "it has lost the renaming identifier '\(identifier)' that it has in '\(source.name)'"
            : "its renaming identifier '\(identifier)' matches nothing between '\(source.name)' and '\(destination.name)'"),
        subject: subject,
        notes: [
          "matched by the identifier, it would be removed and added again, and its data in stores would be lost"
        ],
        help: item.isLost
          ? [destination.notation.renamingAdvice(name, formerly: identifier) + ", if older stores have it"]
          : [
            "remove the identifier if it is not intended: no hash contains it",
            "if values are to start anew, \(destination.notation.allowingAdvice(.brokenRenameChain, at: name))",
          ])
    }
    diagnostics += found.filter { !diagnostics.contains($0) }
  }
}

/// The old value, converted where the type differs; nulls take the default where the attribute became required.
private func carriedValue(of old: AttributeDescription, as new: AttributeDescription) -> PropertyMappingValue
{
  var value = PropertyMappingValue.source(old.name)
  if old.type != new.type { value = .converted(value, from: old.type, to: new.type) }
  if old.isOptional, !new.isOptional, let fallback = new.heldDefaultValue {
    value = .defaulted(value, fallback)
  }
  return value
}

extension Diagnostic.Code {
  package static let brokenRenameChain = Self("MC3201")
  package static let ambiguousRenaming = Self("MC3202")
  package static let mappingWanted = Self("MC3407")
}
