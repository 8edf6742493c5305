import ManagedModel
import ModelMapping

/// A property, or an entity, that goes while another of the same kind comes: what a rename without an identifier looks
/// like (MC3204).
func checkRenames(_ step: VersionStep) -> [Diagnostic] {
  let gone = removals(of: step).filter { !$0.isRetired(by: step.new) }
  var found: [Diagnostic] = []
  for pair in step.changedEntities {
    let removed = gone.filter { $0.entity == pair.old.name }.compactMap(\.property)
    for attribute in step.after.members(in: pair.new.attributes)
    where step.before.attribute(named: attribute.name, of: pair.old.name) == nil
      && attribute.renamingIdentifier == nil
    {
      let alike = step.before.members(in: pair.old.attributes).filter {
        removed.contains($0.name) && $0.type == attribute.type
      }
      if let old = likeliest(attribute.name, among: alike.map(\.name)) {
        found.append(.looksRenamed(old, of: pair.old.name, attribute.name, pair.new.name, step))
      }
    }
    for relationship in pair.new.relationships
    where step.before.relationship(named: relationship.name, of: pair.old.name) == nil
      && relationship.renamingIdentifier == nil
    {
      let alike = pair.old.relationships.filter {
        removed.contains($0.name) && $0.destinationEntityName == relationship.destinationEntityName
          && $0.isToMany == relationship.isToMany
      }
      if let old = likeliest(relationship.name, among: alike.map(\.name)) {
        found.append(.looksRenamed(old, of: pair.old.name, relationship.name, pair.new.name, step))
      }
    }
  }
  for removal in gone where removal.property == nil {
    guard let old = step.before.entity(named: removal.entity) else { continue }
    let names = Set(old.attributes.map(\.name) + old.relationships.map(\.name))
    let twin = step.new.model.entities.first { entity in
      let own = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
      return entity.renamingIdentifier == nil && step.before.entity(named: entity.name) == nil
        && !own.isEmpty && own.intersection(names).count * 2 > names.count
    }
    if let twin { found.append(.looksRenamed(nil, of: old.name, nil, twin.name, step)) }
  }
  return found
}

/// The only one there is, else the one with the nearest name.
private func likeliest(_ name: String, among candidates: [String]) -> String? {
  candidates.count == 1 ? candidates[0] : nearestName(to: name, among: candidates)
}

extension Diagnostic {
  fileprivate static func looksRenamed(
    _ property: String?, of former: String, _ new: String?, _ entity: String, _ step: VersionStep
  ) -> Self {
    let (old, name) = (property ?? former, new ?? entity)
    return Self(
      .likelyRename, .warning, "'\(name)' looks like '\(old)' of '\(step.old.name)' under another name",
      subject: step.subject(entity, new),
      related: [ModelSubject(version: step.old.name, entity: former, property: property)],
      notes: [
        "without a renaming identifier '\(old)' is removed and '\(name)' begins empty"
      ],
      help: ["if it was renamed, " + step.new.notation.renamingAdvice(name, formerly: old)])
  }
}
