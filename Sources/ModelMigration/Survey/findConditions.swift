import ManagedModel
import ModelMapping

/// What a step requires of rows, for plans without a store. Each is a warning, with the code that the plan of a store
/// gives to rows that break it.
func findConditions(_ step: MappingModel, from source: ModelVersion, to destination: ModelVersion)
  -> [Diagnostic]
{
  let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(destination.model))
  var found: [Diagnostic] = []
  for mapping in step.entityMappings {
    guard let name = mapping.destinationEntityName, let sourceName = mapping.sourceEntityName else {
      continue
    }
    if after.entity(named: name)?.isAbstract == true, before.entity(named: sourceName)?.isAbstract == false {
      found.append(.wantsNoObjects(name, destination.name))
    }
    for requirement in mapping.requirements(from: before, to: after) where requirement.past != .computed {
      let entity = after.declaringEntityName(of: requirement.property.name, seenFrom: name) ?? name
      found.append(.wants(requirement, entity, destination.name))
    }
    let former = before.lineage(of: sourceName).flatMap(\.uniquenessConstraints)
    for constraint in after.entity(named: name)?.uniquenessConstraints ?? [] {
      let past = constraint.map { mapping.propertyMapping(named: $0)?.value.sourceName }
      if past.contains(nil) || former.contains(where: { Set($0) == Set(past.compactMap(\.self)) }) {
        continue
      }
      found.append(.wantsDistinct(constraint, name, destination.name))
    }
  }
  return found.ordered
}

/// What stores may hold that the target has no place for.
func findPossibleLosses(_ mapping: MappingModel, path: [ModelVersion]) -> [Diagnostic] {
  guard let source = path.first, let target = path.last else { return [] }
  let hierarchy = EntityHierarchy(source.model)
  let retired = Set(path.dropFirst().flatMap(\.retired))
  var found: [Diagnostic] = []
  func add(_ entity: String, _ property: String?) {
    let name = property.map { "\(entity).\($0)" } ?? entity
    if isListed(entity, property, in: retired) { return }
    found.append(
      .mayLose(name, ModelSubject(version: target.name, entity: entity, property: property), target.notation))
  }
  for entityMapping in mapping.entityMappings {
    guard let name = entityMapping.sourceEntityName else { continue }
    guard entityMapping.destinationEntityName != nil else {
      if hierarchy.entity(named: name)?.isAbstract == false { add(name, nil) }
      continue
    }
    for attribute in hierarchy.members(of: name) where !attribute.isDerived {
      if entityMapping.carries(sourceProperty: attribute.name) { continue }
      add(hierarchy.declaringEntityName(of: attribute.name, seenFrom: name) ?? name, attribute.name)
    }
    for relationship in hierarchy.relationships(of: name) where !relationship.isTransient {
      let own = SourceRelationship(entity: name, name: relationship.name)
      let inverse = hierarchy.inverse(of: relationship).map {
        SourceRelationship(entity: relationship.destinationEntityName, name: $0.name)
      }
      if mapping.carries(own) || inverse.map(mapping.carries) == true { continue }
      add(hierarchy.declaringEntityName(of: relationship.name, seenFrom: name) ?? name, relationship.name)
    }
  }
  return found.ordered
}

extension Diagnostic {
  fileprivate static func wants(_ requirement: Requirement, _ entity: String, _ version: String) -> Self {
    let isNew = requirement.past == .absent
    return switch requirement.property {
    case .attribute(let attribute): wantsValue(attribute.name, entity, version, isNew: isNew)
    case .relationship(let relationship): wantsObject(relationship.name, entity, version, isNew: isNew)
    }
  }

  private static func wantsValue(_ name: String, _ entity: String, _ version: String, isNew: Bool) -> Self {
    Self(
      .missingAttributeValues, .warning,
      isNew
        ? "'\(entity).\(name)' is new in '\(version)', required and without a default: any object of a store stands against it"
        : "'\(entity).\(name)' is required in '\(version)': objects without a value stand against it",
      subject: ModelSubject(version: version, entity: entity, property: name),
      help: ["give '\(name)' a default, or make it optional"], cocoaCode: 134110)
  }

  private static func wantsObject(_ name: String, _ entity: String, _ version: String, isNew: Bool) -> Self {
    Self(
      .missingRelationshipValues, .information,
      isNew
        ? "'\(entity).\(name)' is new in '\(version)' and required: it is empty for any object of a store"
        : "'\(entity).\(name)' is required in '\(version)': a store may have objects that lead nowhere",
      subject: ModelSubject(version: version, entity: entity, property: name),
      notes: ["Core Data asks for it when an object is saved, not before"])
  }

  fileprivate static func wantsNoObjects(_ entity: String, _ version: String) -> Self {
    Self(
      .abstractEntityWithRows, .warning,
      "'\(entity)' is abstract in '\(version)': objects of this very entity stand against it",
      subject: ModelSubject(version: version, entity: entity, key: "abstract"), cocoaCode: 134110)
  }

  fileprivate static func wantsDistinct(_ constraint: [String], _ entity: String, _ version: String) -> Self {
    let names = constraint.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .duplicateValues, .warning,
      "'\(entity)' is unique by \(names) in '\(version)': duplicates stand against it",
      subject: ModelSubject(version: version, entity: entity, key: "uniquenessConstraints"), cocoaCode: 134111
    )
  }

  fileprivate static func mayLose(_ name: String, _ subject: ModelSubject, _ notation: ModelNotation) -> Self
  {
    Self(
      .droppedData, .warning,
      "'\(name)' has no place in '\(subject.version ?? "")': what a store holds of it would be lost",
      subject: subject,
      help: [
        "if that is meant, \(notation.retiringAdvice(name, in: subject.version ?? "")); if not, it wants a renaming identifier"
      ])
  }
}
