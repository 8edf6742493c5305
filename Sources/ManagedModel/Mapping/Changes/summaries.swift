/// What is added or removed, in a few words: `string, optional`.

func summary(of attribute: AttributeDescription) -> String {
  var words = [
    attribute.type == .composite ? "composite \(attribute.compositeName ?? "unknown")" : attribute.type.name
  ]
  words.append(attribute.isOptional ? "optional" : "required")
  if attribute.isTransient { words.append("transient") }
  if let derivation = attribute.derivationExpression { words.append("derived from \(shown(derivation))") }
  if let text = attribute.defaultValue?.text { words.append("default \(shown(text))") }
  return words.joined(separator: ", ")
}

func summary(of relationship: RelationshipDescription) -> String {
  var words = [(relationship.isToMany ? "to-many " : "to-one ") + relationship.destinationEntityName]
  if !relationship.isOptional { words.append("required") }
  if relationship.isTransient { words.append("transient") }
  if relationship.isOrdered { words.append("ordered") }
  words.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
  if relationship.deleteRule != .nullify { words.append(relationship.deleteRule.name) }
  return words.joined(separator: ", ")
}

func summary(of request: FetchRequestDescription) -> String {
  "fetches \(request.entityName)" + (request.predicate.map { " where \(shown($0))" } ?? "")
}

/// An entity's own properties by name, and what makes it more than a list of them.
func summary(of entity: EntityDescription) -> String {
  var words: [String] = []
  if entity.isAbstract { words.append("abstract") }
  if let parent = entity.superentityName { words.append("child of \(parent)") }
  let names = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).sortedByCodePoint
  if !names.isEmpty { words.append("with \(names.joined(atMost: 12, ", and "))") }
  return words.isEmpty ? "without properties" : words.joined(separator: ", ")
}
