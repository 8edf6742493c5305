import ManagedModel

extension ManagedObjectModel {
  /// What the model, its entities and their properties say that no macro takes.
  func inexpressibleParts() -> [InexpressibleFact] {
    inexpressibleOfModel(self)
      + entities.flatMap { entity in
        inexpressibleOfEntity(entity)
          + entity.attributes.flatMap { inexpressibleOfAttribute($0, of: entity.name) }
          + entity.relationships.flatMap { inexpressibleOfRelationship($0, of: entity.name) }
      }
  }

  mutating func change(_ name: String, _ change: (inout EntityDescription) -> Void) {
    entities.editEach { if $0.name == name { change(&$0) } }
  }

  /// Changes an attribute or a relationship.
  mutating func change<Property: PropertyDescription>(
    _ name: String, of owner: String, in list: WritableKeyPath<EntityDescription, [Property]>,
    _ change: (inout Property) -> Void
  ) { self.change(owner) { $0[keyPath: list].editEach { if $0.name == name { change(&$0) } } } }
}

/// The facts of a model, an entity or a property, and how the part is reached in a model.
private struct PartFacts<Part> {
  let part: Part
  let subject: ModelSubject
  private(set) var facts: [InexpressibleFact] = []
  let reach: (inout ManagedObjectModel, (inout Part) -> Void) -> Void

  /// Where the value is not the plain one, which is then written in its place.
  mutating func add<Value: Equatable>(
    _ path: WritableKeyPath<Part, Value>, _ plain: Value, _ key: String?, _ what: String,
    _ instead: String? = nil, isUnknown: Bool = false
  ) {
    if part[keyPath: path] == plain { return }
    let (reach, place) = (reach, ModelSubject(entity: subject.entity, property: subject.property, key: key))
    facts.append(
      InexpressibleFact(subject: place, what: what, instead: instead, isUnknown: isUnknown) {
        reach(&$0) { $0[keyPath: path] = plain }
      })
  }
}

private func inexpressibleOfModel(_ model: ManagedObjectModel) -> [InexpressibleFact] {
  var found = PartFacts(part: model, subject: ModelSubject()) { $1(&$0) }
  found.add(
    \.configurations, [], "configurations", "the configurations \(model.configurations.map(\.name).listed)",
    "each `ModelConfiguration` lists its types")
  found.add(
    \.fetchRequestTemplates, [], "fetchRequests",
    "the fetch requests \(model.fetchRequestTemplates.map(\.name).listed)",
    "an app writes each as a `FetchDescriptor`")
  found.add(\.localizationDictionary, [:], "localization", "the model's localization")
  return found.facts
}

private func inexpressibleOfEntity(_ entity: EntityDescription) -> [InexpressibleFact] {
  let name = entity.name
  var found = PartFacts(part: entity, subject: ModelSubject(entity: name)) { $0.change(name, $1) }
  found.add(\.isAbstract, false, "abstract", "that '\(name)' is abstract")
  if let former = entity.renamingIdentifier, former != name {
    found.add(
      \.renamingIdentifier, nil, "renamingIdentifier", "that '\(name)' was '\(former)'",
      "a step from '\(former)' removes its objects; a custom stage can keep them")
  }
  found.add(\.versionHashModifier, nil, "versionHashModifier", "the hash modifier of '\(name)'")
  // `NSManagedObject` is none of an entity's own.
  if let type = entity.managedObjectClassName, type != "NSManagedObject",
    type.split(separator: ".").last.map(String.init) != name
  {
    found.add(
      \.managedObjectClassName, nil, "class", "that the class of '\(name)' is '\(type)'",
      "the class has the name of the entity")
  }
  found.add(
    \.coreSpotlightDisplayName, nil, "spotlightDisplayName", "the display name of '\(name)' in Spotlight")
  found.add(\.userInfo, [:], "userInfo", "the user info of '\(name)'")
  return found.facts
    + entity.fetchedProperties.map { property in
      InexpressibleFact(
        subject: ModelSubject(entity: name, property: property.name),
        what: "the fetched property '\(name).\(property.name)'", instead: "an app fetches such objects itself"
      ) { $0.change(name) { $0.fetchedProperties.removeAll { $0.name == property.name } } }
    }
}

private func inexpressibleOfAttribute(_ attribute: AttributeDescription, of owner: String)
  -> [InexpressibleFact]
{
  let name = attribute.name
  let part = "'\(owner).\(name)'"
  guard attribute.type.isExpressible else {
    return [
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name),
        what: "\(part), which is of type \(attribute.type.name)", instead: "it is left out"
      ) { $0.change(owner) { $0.attributes.removeAll { $0.name == name } } }
    ]
  }
  var found = PartFacts(part: attribute, subject: ModelSubject(entity: owner, property: name)) {
    $0.change(name, of: owner, in: \.attributes, $1)
  }
  found.add(
    \.derivationExpression, nil, "derivation",
    "that \(part) is derived from '\(attribute.derivationExpression ?? "")'", "it is a stored property")
  if attribute.type == .transformable, attribute.valueTransformerName == nil,
    collectionType(attribute) == nil
  {
    found.add(
      \.valueTransformerName, defaultTransformer, "transformer", "that \(part) has the default transformer",
      "'\(defaultTransformer)' is used instead")
  }
  if !attribute.hasExpressibleDefault() {
    found.add(
      \.defaultValue, nil, "default", "the default of \(part)",
      isUnknown: attribute.defaultValue == .evaluated(.unknown))
  }
  if attribute.enumTypeName == nil || attribute.validation.listedValues == nil {
    found.add(
      \.validation, AttributeValidation(), nil, "what values of \(part) are valid",
      "an app checks them itself")
  }
  found.add(\.isStoredInExternalRecord, false, nil, "that \(part) is stored in an external record")
  found.add(\.userInfo, [:], "userInfo", "the user info of \(part)")
  return found.facts
}

private func inexpressibleOfRelationship(
  _ relationship: RelationshipDescription, of owner: String
) -> [InexpressibleFact] {
  let name = relationship.name
  let part = "'\(owner).\(name)'"
  if relationship.isTransient {
    return [
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name), what: "the transient relationship \(part)",
        instead: "it is left out"
      ) { $0.change(owner) { $0.relationships.removeAll { $0.name == name } } }
    ]
  }
  var found = PartFacts(part: relationship, subject: ModelSubject(entity: owner, property: name)) {
    $0.change(name, of: owner, in: \.relationships, $1)
  }
  found.add(\.isOrdered, false, "ordered", "that \(part) is ordered", "its objects have no order")
  found.add(\.isIndexedBySpotlight, false, "spotlight", "that Spotlight indexes \(part)")
  found.add(\.isStoredInExternalRecord, false, nil, "that \(part) is stored in an external record")
  found.add(\.userInfo, [:], "userInfo", "the user info of \(part)")
  return found.facts
}
