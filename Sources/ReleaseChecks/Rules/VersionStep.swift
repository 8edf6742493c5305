package import ManagedModel
package import ModelMapping

/// Two versions, one after the other, as the rules on changes look at them.
package struct VersionStep: Sendable {
  package let old: ModelVersion
  package let new: ModelVersion
  package let changes: [ModelChange]
  let mapping: MappingModel
  /// The mappings that a person wrote: what they leave behind is meant, and what they need is told by them.
  let written: [EntityMapping]
  let before: EntityHierarchy
  let after: EntityHierarchy

  /// - Parameter custom: the mapping models of the step, where there are any.
  init(from old: ModelVersion, to new: ModelVersion, mapping custom: MappingChecks.Step?) {
    self.old = old
    self.new = new
    changes = compareModels(from: old.model, to: new.model)
    mapping = custom?.mappingModel ?? inferMappingModel(from: old, to: new).mappingModel
    let names = custom?.written ?? []
    written = mapping.entityMappings.filter { names.contains($0.name) }
    before = EntityHierarchy(old.model)
    after = EntityHierarchy(new.model)
  }

  package init(from old: ModelVersion, to new: ModelVersion) { self.init(from: old, to: new, mapping: nil) }

  /// Entities that both have, with their earlier names.
  var keptEntities: [(old: EntityDescription, new: EntityDescription)] {
    new.model.entities.compactMap { entity in
      mapping.mappings(toEntity: entity.name).first?.sourceEntityName
        .flatMap { before.entity(named: $0) }.map { ($0, entity) }
    }
  }

  /// Attributes that both have, of the entities that declare them.
  var keptAttributes: [(entity: String, old: AttributeDescription, new: AttributeDescription)] {
    keptEntities.flatMap { pair in
      after.members(in: pair.new.attributes).compactMap { attribute in
        mapping.mappings(toEntity: pair.new.name).first?.propertyMapping(named: attribute.name)?.value
          .sourceName.flatMap { before.attribute(named: $0, of: pair.old.name) }
          .map { (pair.new.name, $0, attribute) }
      }
    }
  }

  /// Relationships that both have, of the entities that declare them.
  var keptRelationships: [(entity: String, old: RelationshipDescription, new: RelationshipDescription)] {
    keptEntities.flatMap { pair in
      pair.new.relationships.compactMap { relationship in
        before.relationships(of: pair.old.name)
          .first { $0.canonicalName == relationship.canonicalName || $0.name == relationship.name }
          .map { (pair.new.name, $0, relationship) }
      }
    }
  }

  func subject(_ entity: String?, _ property: String? = nil, _ key: String? = nil) -> ModelSubject {
    ModelSubject(version: new.name, entity: entity, property: property, key: key)
  }

  /// Where the earlier version has something.
  func formerPlace(_ entity: String, _ property: String? = nil) -> SourceRange? {
    old.sourceMap?.nearestRange(to: ModelSubject(entity: entity, property: property))
  }
}

/// What the step from one version to the next may do to data, told from the two models alone, each finding at its
/// place in the later one.
package func checkStep(_ step: VersionStep) -> [Diagnostic] {
  let rules: [(VersionStep) -> [Diagnostic]] = [
    checkRemovals, checkRetiredNames, checkRenames, checkNewRequirements, checkDefaults, checkUniqueDefaults,
    checkDeleteRules, checkTightenedRules, checkContentFormats, checkRenumbering, checkAdditiveChanges,
    checkLargeBinaries, checkNaming,
  ]
  return rules.flatMap { $0(step) }.map { finding in
    step.new.sourceMap.map { finding.located(by: $0) } ?? finding
  }
}
