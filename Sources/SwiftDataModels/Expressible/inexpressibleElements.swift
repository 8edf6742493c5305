import ManagedModel

extension ManagedObjectModel {
  /// What elements of composites say beside name, type, optionality and default: members of a struct have no more.
  func inexpressibleElements() -> [InexpressibleFact] {
    composites.filter { coding(of: $0).form == .members }.flatMap { composite in
      composite.elements.compactMap { inexpressible($0, of: composite, takenMembers) }
    }
      + entities.flatMap { entity in
        entity.attributes.compactMap { requiredElements(of: $0, in: entity.name, self) }
      }
  }
}

private func inexpressible(
  _ element: AttributeDescription, of composite: CompositeDescription, _ taken: Set<String>
) -> InexpressibleFact? {
  let isNested = element.type == .composite
  let plain = AttributeDescription(
    name: element.name.plainSwiftName(taken: taken), type: isNested ? .binary : element.type,
    isOptional: element.isOptional,
    defaultValue: element.hasExpressibleDefault() ? element.defaultValue : nil,
    usesScalarValueType: element.usesScalarValueType,
    attributeValueClassName: isNested
      ? element.compositeName : element.type == .binary ? element.attributeValueClassName : nil)
  let isExpressible = element.type.isExpressible && element.type != .transformable && !element.isTransient
  guard !isExpressible || plain != element else { return nil }
  let part = "'\(composite.name).\(element.name)'"
  return InexpressibleFact(
    subject: ModelSubject(key: "composites").part(composite.name).part(element.name),
    what: isNested
      ? "that the members of \(part) have columns"
      : isExpressible ? "all settings of \(part)" : "\(part) as a member of a struct",
    instead: isNested
      ? "a struct within a struct is kept as JSON"
      : isExpressible ? "a member of a struct has a name, a type and a default" : "it is left out"
  ) {
    $0.composites.editEach { other in
      let index = other.elements.firstIndex { $0.name == element.name }
      guard other.name == composite.name, let index else { return }
      other.elements.replaceSubrange(index...index, with: isExpressible ? [plain] : [])
    }
  }
}

/// Where a property is optional, SwiftData makes each element of its composite optional.
private func requiredElements(
  of attribute: AttributeDescription, in entity: String, _ model: ManagedObjectModel
) -> InexpressibleFact? {
  guard attribute.isOptional, let name = attribute.compositeName,
    let composite = model.composites.first(where: { $0.name == name }),
    composite.elements.contains(where: { !$0.isOptional })
  else { return nil }
  return InexpressibleFact(
    subject: ModelSubject(entity: entity, property: attribute.name),
    what: "that parts of '\(entity).\(attribute.name)' must have values where others have",
    instead: "if a property is optional, all members of its struct are"
  ) { model in
    let other = "Optional\(name)"
    if !model.composites.contains(where: { $0.name == other }),
      var composite = model.composites.first(where: { $0.name == name })
    {
      composite.name = other
      for index in composite.elements.indices { composite.elements[index].isOptional = true }
      model.composites.append(composite)
    }
    model.change(attribute.name, of: entity, in: \.attributes) { $0.compositeName = other }
  }
}
