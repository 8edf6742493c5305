package import ManagedModel
import ModelMapping

/// What the later version has no place for, and does not name under `retired:` (MC7008).
func checkRemovals(_ step: VersionStep) -> [Diagnostic] {
  removals(of: step).filter { !$0.isRetired(by: step.new) }.map { .removedUnasked($0, step) }
}

/// An entity, attribute or relationship that goes.
struct Removal: Hashable {
  var entity: String
  var property: String?

  var name: String { property.map { "\(entity).\($0)" } ?? entity }

  func isRetired(by version: ModelVersion) -> Bool {
    isListed(entity, property, in: Set(version.retired))
  }
}

/// What a store of the earlier version may hold and one of the later cannot.
func removals(of step: VersionStep) -> [Removal] {
  var found: [Removal] = []
  for entity in step.old.model.entities {
    // Whoever wrote a mapping of its objects has looked at them.
    if step.written.contains(where: { $0.sourceEntityName == entity.name }) { continue }
    guard let mapping = step.taker(ofEntity: entity.name) else {
      if !entity.isAbstract { found.append(Removal(entity: entity.name, property: nil)) }
      continue
    }
    for attribute in step.changedMembers(of: entity) where !attribute.isDerived {
      // One that changed its type is told by inference.
      let isThere = mapping.destinationEntityName.map { name in
        step.after.members(of: name).contains { $0.canonicalName == attribute.canonicalName }
      }
      if isThere != true, !mapping.carries(sourceProperty: attribute.name) {
        found.append(Removal(entity: entity.name, property: attribute.name))
      }
    }
    for relationship in entity.relationships where !relationship.isTransient {
      let source = SourceRelationship(entity: entity.name, name: relationship.name)
      // One that is told from its other side is no loss.
      let other = step.before.inverse(of: relationship).map {
        SourceRelationship(entity: relationship.destinationEntityName, name: $0.name)
      }
      let isLed = step.taker(ofEntity: relationship.destinationEntityName) != nil
      if isLed, !step.carries(source), !(other.map(step.carries) ?? false) {
        found.append(Removal(entity: entity.name, property: relationship.name))
      }
    }
  }
  return found
}

extension Diagnostic.Code {
  package static let removedWithoutWord = Self("MC7008")
}

extension Diagnostic {
  fileprivate static func removedUnasked(_ removal: Removal, _ step: VersionStep) -> Self {
    let destination = step.mapping.mappings(fromEntity: removal.entity).first?.destinationEntityName
    let what = removal.property == nil ? "objects" : "values"
    return Self(
      .removedWithoutWord, .error,
      "'\(step.new.name)' has no place for '\(removal.name)' of '\(step.old.name)', and does not say so",
      subject: step.subject(destination),
      related: [
        ModelSubject(version: step.old.name, entity: removal.entity, property: removal.property)
      ],
      notes: [
        Note(
          "the \(what) of users are lost with it", place: step.formerPlace(removal.entity, removal.property))
      ],
      help: [
        "if that is meant, \(step.new.notation.retiringAdvice(removal.name, in: step.new.name))",
        "if it was renamed, "
          + step.new.notation.renamingAdvice("the new name", formerly: removal.property ?? removal.entity),
      ])
  }
}
