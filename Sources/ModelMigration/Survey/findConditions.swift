import ManagedModel

extension MappingModel {
  /// What a step requires of rows, for plans without a store. Each is a warning, with the code that the plan of a store
  /// gives to rows that break it.
  func conditions(from source: ModelVersion, to destination: ModelVersion)
    -> [Diagnostic]
  {
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(destination.model))
    var found: [Diagnostic] = []
    for mapping in entityMappings {
      guard let name = mapping.destinationEntityName, let sourceName = mapping.sourceEntityName else {
        continue
      }
      if after.entity(named: name)?.isAbstract == true, before.entity(named: sourceName)?.isAbstract == false
      {
        found.append(
          .abstractEntityWithRows, .warning,
          "'\(name)' is abstract in '\(destination.name)': objects of this entity itself stop the migration",
          subject: ModelSubject(version: destination.name, entity: name, key: "abstract"), cocoaCode: 134110)
      }
      for requirement in mapping.requirements(from: before, to: after) where requirement.past != .computed {
        let entity = after.declaringEntityName(of: requirement.property.name, seenFrom: name) ?? name
        found.append(.wants(requirement, entity, destination.name))
      }
      for attribute in after.members(of: name) {
        let past = mapping.propertyMapping(named: attribute.name)?.value.sourceName
        guard let old = past.flatMap({ before.attribute(named: $0, of: sourceName) }) else { continue }
        let entity = after.declaringEntityName(of: attribute.name, seenFrom: name) ?? name
        if old.allowsExternalBinaryDataStorage, !attribute.allowsExternalBinaryDataStorage {
          found.append(
            Diagnostic(
              .storageFormChanged, .warning,
              "'\(entity).\(attribute.name)' loses external storage in '\(destination.name)': objects whose value is in "
                + "a file stop the migration",
              subject: ModelSubject(version: destination.name, entity: entity, property: attribute.name),
              help: ["leave external storage as it is, or map the attribute: then the files are read"]))
        }
        guard old.type.narrows(to: attribute.type) else { continue }
        found.append(
          .numericNarrowing, .warning,
          "'\(entity).\(attribute.name)' is \(attribute.type.name) in '\(destination.name)' and was \(old.type.name): "
            + "numbers that do not fit stop the migration",
          subject: ModelSubject(
            version: destination.name, entity: entity, property: attribute.name, key: "type"),
          help: ["keep \(old.type.name)"])
      }
      for constraint in mapping.newConstraints(from: before, to: after) {
        found.append(.wantsDistinct(constraint, name, destination.name))
      }
      for relationship in mapping.contestedReferences(from: before, to: after) {
        let entity = after.declaringEntityName(of: relationship.name, seenFrom: name) ?? name
        found.append(.wantsOneReferrer(relationship, entity, destination.name))
      }
    }
    return found.ordered
  }

  /// What stores may hold that the target has no place for.
  func possibleLosses(path: [ModelVersion]) -> [Diagnostic] {
    // Without a step there is no mapping either, and nothing goes.
    guard path.count > 1, let source = path.first, let target = path.last else { return [] }
    let account = LossAccount(accepted: [], passed: path, from: source)
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(target.model))
    return removals(from: before, to: after)
      .filter { !account.isAccepted(.droppedData, of: $0.entity, $0.property) }
      .map { lost -> Diagnostic in
        let past = lost.property.flatMap { before.relationship(named: $0, of: lost.entity)?.canonicalName }
        // Whether the target has the relationship, and it no longer leads to all that it led to.
        let goesOn = mappings(fromEntity: lost.entity).contains { mapping in
          after.relationships(of: mapping.destinationEntityName ?? "").contains {
            !$0.isTransient && $0.canonicalName == past
          }
        }
        let (what, fix) =
          goesOn
          ? ("links of '\(lost.name)' have", "let it lead to all objects that it led to")
          : ("'\(lost.name)' has", "it needs a renaming identifier")
        return Diagnostic(
          .droppedData, .warning, "\(what) no place in '\(target.name)': data in stores would be lost",
          subject: ModelSubject(version: target.name, entity: lost.entity, property: lost.property),
          help: [
            "if that is intended, \(target.notation.retiringAdvice(lost.name, in: target.name)); if not, \(fix)"
          ])
      }.ordered
  }
}

extension Diagnostic {
  fileprivate static func wants(_ requirement: Requirement, _ entity: String, _ version: String) -> Self {
    let (name, isNew) = (requirement.property.name, requirement.past == .absent)
    let place = "'\(entity).\(name)' is \(isNew ? "new" : "required") in '\(version)'"
    let subject = ModelSubject(version: version, entity: entity, property: name)
    return switch requirement.property {
    case .attribute:
      Self(
        .missingAttributeValues, .warning,
        place
          + (isNew
            ? ", required and without a default: any existing object stops the migration"
            : ": objects without a value stop the migration"),
        subject: subject, help: ["give '\(name)' a default, or make it optional"], cocoaCode: 134110)
    case .relationship:
      Self(
        .missingRelationshipValues, .information,
        place
          + (isNew
            ? " and required: it is empty for every existing object"
            : ": a store may have objects without it"),
        subject: subject,
        notes: [
          isNew
            ? "Core Data does not migrate a store with such objects (134110); modelc does"
            : "Core Data checks this only when an object is saved"
        ])
    }
  }
}
