package import ManagedModel
import Testing

/// A model in short notes, so that a test shows on a few lines what it is about.
///
///     Hut < Place, was Cabin               an entity, its parent, its renaming identifier
///       beds: integer16 = 3                an attribute; `?` behind the type makes it optional
///       title: string?, was name
///       spot: Point?                       a composite, where the type is none
///       owner -> Person.huts               a to-one with its inverse, optional; `!` behind it requires it
///       visits => Visit.hut, ordered       a to-many
///     composite Point
///       x: double
///
/// What else is said stands behind commas: `abstract`, `transient`, `unique a b`, `modifier x`, `derived x.@count`,
/// `min 1`, `max 5`, and the delete rules by their names.
package func modelOf(_ notes: String, retired: [String] = []) -> ManagedObjectModel {
  var model = ManagedObjectModel(retired: retired)
  var isInComposite = false
  for line in notes.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
    let parts = line.split(separator: ",").map { $0.split(separator: " ").map(String.init) }
    let (head, facts) = (parts[0], parts.dropFirst())
    if line.first != " " {
      isInComposite = head[0] == "composite"
      if isInComposite {
        model.composites.append(CompositeDescription(name: head[1], elements: []))
      } else {
        model.entities.append(entity(head, facts))
      }
    } else if isInComposite {
      model.composites[model.composites.count - 1].elements.append(attribute(head, facts))
    } else if head[0].hasSuffix(":") {
      model.entities[model.entities.count - 1].attributes.append(attribute(head, facts))
    } else {
      model.entities[model.entities.count - 1].relationships.append(relationship(head, facts))
    }
  }
  return model
}

/// One version of such a model.
package func versionOf(
  _ name: String, _ notes: String, retired: [String] = [], origin: ModelOrigin = .language
) -> ModelVersion {
  ModelVersion(name: name, model: modelOf(notes, retired: retired), origin: origin)
}

/// Versions V1, V2, … of a model.
package func versionsOf(_ notes: [String], origin: ModelOrigin = .language) -> [ModelVersion] {
  notes.enumerated().map { versionOf("V\($0.offset + 1)", $0.element, origin: origin) }
}

private func entity(_ head: [String], _ facts: ArraySlice<[String]>) -> EntityDescription {
  var entity = EntityDescription(name: head[0], superentityName: head.count > 2 ? head[2] : nil)
  for fact in facts {
    switch fact[0] {
    case "abstract": entity.isAbstract = true
    case "was": entity.renamingIdentifier = fact[1]
    case "modifier": entity.versionHashModifier = fact[1]
    case "unique": entity.uniquenessConstraints.append(Array(fact.dropFirst()))
    default: Issue.record("no fact of an entity: \(fact)")
    }
  }
  return entity
}

private func attribute(_ head: [String], _ facts: ArraySlice<[String]>) -> AttributeDescription {
  let isOptional = head[1].hasSuffix("?")
  let kind = isOptional ? String(head[1].dropLast()) : head[1]
  var attribute = AttributeDescription(
    name: String(head[0].dropLast()), type: AttributeType(name: kind) ?? .composite, isOptional: isOptional)
  if attribute.type == .composite { attribute.compositeName = kind }
  if head.count > 3 { attribute.defaultValue = .text(head[3...].joined(separator: " ")) }
  for fact in facts {
    switch fact[0] {
    case "transient": attribute.isTransient = true
    case "external": attribute.allowsExternalBinaryDataStorage = true
    case "was": attribute.renamingIdentifier = fact[1]
    case "modifier": attribute.versionHashModifier = fact[1]
    case "derived": attribute.derivationExpression = fact[1]
    case "min": attribute.validation.minimum = fact[1]
    case "max": attribute.validation.maximum = fact[1]
    default: Issue.record("no fact of an attribute: \(fact)")
    }
  }
  return attribute
}

private func relationship(_ head: [String], _ facts: ArraySlice<[String]>) -> RelationshipDescription {
  let ends = head[2].split(separator: ".").map { String($0.filter { $0 != "!" }) }
  var relationship = RelationshipDescription(
    name: head[0], destinationEntityName: ends[0], inverseName: ends.count > 1 ? ends[1] : nil,
    isOptional: !head[2].hasSuffix("!"), maxCount: head[1] == "=>" ? 0 : 1)
  for fact in facts {
    switch fact[0] {
    case "transient": relationship.isTransient = true
    case "ordered": relationship.isOrdered = true
    case "was": relationship.renamingIdentifier = fact[1]
    case "modifier": relationship.versionHashModifier = fact[1]
    case "min": relationship.minCount = Int(fact[1]) ?? 0
    case "max": relationship.maxCount = Int(fact[1]) ?? 0
    case "cascade": relationship.deleteRule = .cascade
    case "deny": relationship.deleteRule = .deny
    case "noAction": relationship.deleteRule = .noAction
    default: Issue.record("no fact of a relationship: \(fact)")
    }
  }
  return relationship
}
