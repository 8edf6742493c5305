package import ManagedModel

/// Two versions in sequence, as the rules on changes see them.
package struct VersionStep: Sendable {
  package let old: ModelVersion
  package let new: ModelVersion
  package let changes: [ModelChange]
  let mapping: MappingModel
  /// What inference says of names that it matches, and Core Data does not.
  private let renamings: [Diagnostic]
  /// The mappings that a person wrote: they say what they need. What they read nowhere is in ``lost``.
  let written: [EntityMapping]
  /// Where they stand.
  let mappingFile: String?
  let before: EntityHierarchy
  let after: EntityHierarchy
  /// Entities that both have, with their earlier names.
  let keptEntities: [(old: EntityDescription, new: EntityDescription)]
  /// Those of them that differ in anything: what nobody touched, which is nearly all, breaks no rule on changes.
  let changedEntities: [(old: EntityDescription, new: EntityDescription)]
  /// The first mapping to each entity of the later version.
  private let mappings: [String: EntityMapping]
  /// Entities of the earlier version whose objects go on, each with the mapping to its counterpart, or the first that takes them.
  private let takers: [String: EntityMapping]
  /// What has no place in the later version, and no mapping says so.
  let lost: [Removal]

  /// - Parameter custom: the mapping models of the step, where there are any.
  init(from old: ModelVersion, to new: ModelVersion, mapping custom: ProjectMappings.Step?) {
    (self.old, self.new) = (old, new)
    changes = compareModels(from: old, to: new)
    let inferred =
      custom.map { (mappingModel: $0.mappingModel, diagnostics: [] as [Diagnostic]) }
      ?? inferMappingModel(from: old, to: new)
    mapping = inferred.mappingModel
    mappingFile = custom?.mappingModels.lazy.compactMap { $0.sourceMap?.file ?? $0.foundPath }.first
    renamings = inferred.diagnostics.filter { $0.code == .brokenRenameChain && $0.severity == .warning }
    let names = custom?.written ?? []
    written = mapping.entityMappings.filter { names.contains($0.name) }
    let (before, after) = (EntityHierarchy(old.model), EntityHierarchy(new.model))
    (self.before, self.after) = (before, after)
    func first(_ mappings: [EntityMapping], by name: (EntityMapping) -> String?) -> [String: EntityMapping] {
      Dictionary(firstOf: mappings.compactMap { mapping in name(mapping).map { ($0, mapping) } })
    }
    let mappings = first(mapping.entityMappings) { $0.destinationEntityName }
    self.mappings = mappings
    let makers = mapping.entityMappings.filter { $0.mappingType != .remove }
    takers = first(makers.filter { $0.mapsToCounterpart(in: after) } + makers) { $0.sourceEntityName }
    // Of mappings that do not fit nothing is known.
    let unknown = custom?.diagnostics.hasErrors == true ? Set(written.compactMap(\.sourceEntityName)) : []
    lost = mapping.removals(from: before, to: after, written: names).filter { !unknown.contains($0.entity) }
    let kept = new.model.entities.compactMap { entity in
      mappings[entity.name]?.sourceEntityName.flatMap { before.entity(named: $0) }
        .map { (old: $0, new: entity) }
    }
    keptEntities = kept
    let hasSameComposites = old.model.composites == new.model.composites
    changedEntities = hasSameComposites ? kept.filter { $0.old != $0.new } : kept
  }

  package init(from old: ModelVersion, to new: ModelVersion) { self.init(from: old, to: new, mapping: nil) }

  func mapping(toEntity name: String) -> EntityMapping? { mappings[name] }

  /// What takes the objects of an entity of the earlier version along.
  func taker(ofEntity name: String) -> EntityMapping? { takers[name] }

  /// Attributes that both have, of changed entities that declare them.
  var keptAttributes: [(entity: String, old: AttributeDescription, new: AttributeDescription)] {
    changedEntities.flatMap { pair in
      let mapping = mapping(toEntity: pair.new.name)
      return after.members(in: pair.new.attributes).compactMap { attribute in
        mapping?.propertyMapping(named: attribute.name)?.value
          .sourceName.flatMap { before.attribute(named: $0, of: pair.old.name) }
          .map { (pair.new.name, $0, attribute) }
      }
    }
  }

  /// Relationships that both have, of changed entities that declare them.
  var keptRelationships: [(entity: String, old: RelationshipDescription, new: RelationshipDescription)] {
    changedEntities.flatMap { pair in
      let past = before.relationships(of: pair.old.name)
      return pair.new.relationships.compactMap { relationship in
        (past.first { $0.canonicalName == relationship.canonicalName }
          ?? past.first { $0.name == relationship.name })
          .map { (pair.new.name, $0, relationship) }
      }
    }
  }

  /// Names without the renaming identifier that they had, or with one that matches nothing: Core Data removes and adds them
  /// (MC3201).
  func checkLostIdentifiers() -> [Diagnostic] {
    // SwiftData's stages follow one another, each with the names of its own two schemas.
    new.notation == .swiftData ? [] : renamings
  }

  func subject(_ entity: String?, _ property: String? = nil, _ key: String? = nil) -> ModelSubject {
    ModelSubject(version: new.name, entity: entity, property: property, key: key)
  }

  /// Where the earlier version has something.
  func formerPlace(_ entity: String, _ property: String? = nil) -> SourceRange? {
    old.sourceMap?.nearestRange(to: ModelSubject(entity: entity, property: property))
  }

  /// What a step may do to data, judged by the two models alone. Each finding is at its place in the later version.
  package func check() -> [Diagnostic] {
    let rules: [() -> [Diagnostic]] = [
      checkRemovals, checkRetiredNames, checkRenames, checkLostIdentifiers, checkNewRequirements,
      checkAbstraction, checkDefaults, checkUniqueDefaults, checkDuplicates, checkOrders, checkFileValues,
      checkDeleteRules, checkTightenedRules, checkContentFormats, checkRenumbering, checkAdditiveChanges,
      checkLargeBinaries, checkNaming, checkSwiftDataRows, checkChangedPlaces, checkNarrowing,
    ]
    return rules.flatMap { $0() }.map { finding in
      new.sourceMap.map { finding.located(by: $0) } ?? finding
    }
  }
}
