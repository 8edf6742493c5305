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
}

private func inexpressibleOfModel(_ model: ManagedObjectModel) -> [InexpressibleFact] {
  var facts: [InexpressibleFact] = []
  func add(
    _ key: String, _ what: String, _ instead: String? = nil,
    _ change: @escaping (inout ManagedObjectModel) -> Void
  ) {
    facts.append(
      InexpressibleFact(subject: ModelSubject(key: key), what: what, instead: instead, change: change))
  }
  if !model.configurations.isEmpty {
    let what = "the configurations \(model.configurations.map(\.name).listed)"
    add("configurations", what, "each `ModelConfiguration` lists its types") { $0.configurations = [] }
  }
  if !model.fetchRequestTemplates.isEmpty {
    let what = "the fetch requests \(model.fetchRequestTemplates.map(\.name).listed)"
    add("fetchRequests", what, "an app writes each as a `FetchDescriptor`") { $0.fetchRequestTemplates = [] }
  }
  if !model.localizationDictionary.isEmpty {
    add("localization", "the model's localization") { $0.localizationDictionary = [:] }
  }
  return facts
}

private func inexpressibleOfEntity(_ entity: EntityDescription) -> [InexpressibleFact] {
  let name = entity.name
  var facts: [InexpressibleFact] = []
  func add(
    _ key: String, _ what: String, _ instead: String? = nil,
    _ change: @escaping (inout EntityDescription) -> Void
  ) {
    facts.append(
      InexpressibleFact(subject: ModelSubject(entity: name, key: key), what: what, instead: instead) {
        $0.change(name, change)
      })
  }
  if entity.isAbstract { add("abstract", "that '\(name)' is abstract") { $0.isAbstract = false } }
  if let former = entity.renamingIdentifier, former != name {
    add(
      "renamingIdentifier", "that '\(name)' was '\(former)'",
      "a step from '\(former)' removes its objects; a custom stage can keep them"
    ) { $0.renamingIdentifier = nil }
  }
  if entity.versionHashModifier != nil {
    add("versionHashModifier", "the hash modifier of '\(name)'") { $0.versionHashModifier = nil }
  }
  if let type = entity.managedObjectClassName, !isNamed(type, as: name) {
    add("class", "that the class of '\(name)' is '\(type)'", "the class has the name of the entity") {
      $0.managedObjectClassName = nil
    }
  }
  if entity.coreSpotlightDisplayName != nil {
    add("spotlightDisplayName", "the display name of '\(name)' in Spotlight") {
      $0.coreSpotlightDisplayName = nil
    }
  }
  if !entity.userInfo.isEmpty { add("userInfo", "the user info of '\(name)'") { $0.userInfo = [:] } }
  for property in entity.fetchedProperties {
    facts.append(
      InexpressibleFact(
        subject: ModelSubject(entity: name, property: property.name),
        what: "the fetched property '\(name).\(property.name)'", instead: "an app fetches such objects itself"
      ) { $0.change(name) { $0.fetchedProperties.removeAll { $0.name == property.name } } })
  }
  return facts
}

/// Whether a class has the name, its module apart; `NSManagedObject` is none of an entity's own.
private func isNamed(_ type: String, as name: String) -> Bool {
  type == "NSManagedObject" || type.split(separator: ".").last.map(String.init) == name
}

private func inexpressibleOfAttribute(_ attribute: AttributeDescription, of owner: String)
  -> [InexpressibleFact]
{
  let name = attribute.name
  let part = "'\(owner).\(name)'"
  var facts: [InexpressibleFact] = []
  func add(
    _ key: String?, _ what: String, _ instead: String? = nil,
    _ change: @escaping (inout AttributeDescription) -> Void
  ) {
    facts.append(
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name, key: key), what: what, instead: instead
      ) { $0.changeAttribute(name, of: owner, change) })
  }
  guard attribute.type.isExpressible else {
    return [
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name),
        what: "\(part), which is of type \(attribute.type.name)", instead: "it is left out"
      ) { $0.change(owner) { $0.attributes.removeAll { $0.name == name } } }
    ]
  }
  if let derivation = attribute.derivationExpression {
    add("derivation", "that \(part) is derived from '\(derivation)'", "it is a stored property") {
      $0.derivationExpression = nil
    }
  }
  if attribute.type == .transformable, attribute.valueTransformerName == nil,
    collectionType(attribute) == nil
  {
    let transformer = defaultTransformer
    add("transformer", "that \(part) has the default transformer", "'\(transformer)' stands for it") {
      $0.valueTransformerName = transformer
    }
  }
  if attribute.defaultValue != nil, !attribute.hasExpressibleDefault() {
    add("default", "the default of \(part)") { $0.defaultValue = nil }
    facts[facts.count - 1].isUnknown = attribute.defaultValue == .evaluated(.unknown)
  }
  if !attribute.validation.isEmpty,
    attribute.enumTypeName == nil || attribute.validation.listedValues == nil
  {
    add(nil, "what values of \(part) are valid", "an app checks them itself") {
      $0.validation = AttributeValidation()
    }
  }
  if attribute.isStoredInExternalRecord {
    add(nil, "that \(part) is stored in an external record") { $0.isStoredInExternalRecord = false }
  }
  if !attribute.userInfo.isEmpty { add("userInfo", "the user info of \(part)") { $0.userInfo = [:] } }
  return facts
}

private func inexpressibleOfRelationship(
  _ relationship: RelationshipDescription, of owner: String
) -> [InexpressibleFact] {
  let name = relationship.name
  let part = "'\(owner).\(name)'"
  var facts: [InexpressibleFact] = []
  func add(
    _ key: String?, _ what: String, _ instead: String? = nil,
    _ change: @escaping (inout RelationshipDescription) -> Void
  ) {
    facts.append(
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name, key: key), what: what, instead: instead
      ) { $0.changeRelationship(name, of: owner, change) })
  }
  if relationship.isTransient {
    return [
      InexpressibleFact(
        subject: ModelSubject(entity: owner, property: name), what: "the transient relationship \(part)",
        instead: "it is left out"
      ) { $0.change(owner) { $0.relationships.removeAll { $0.name == name } } }
    ]
  }
  if relationship.isOrdered {
    add("ordered", "that \(part) is ordered", "its objects come in no order") { $0.isOrdered = false }
  }
  if relationship.isIndexedBySpotlight {
    add("spotlight", "that Spotlight indexes \(part)") { $0.isIndexedBySpotlight = false }
  }
  if relationship.isStoredInExternalRecord {
    add(nil, "that \(part) is stored in an external record") { $0.isStoredInExternalRecord = false }
  }
  if !relationship.userInfo.isEmpty { add("userInfo", "the user info of \(part)") { $0.userInfo = [:] } }
  return facts
}

extension ManagedObjectModel {
  mutating func changeAttribute(
    _ name: String, of owner: String, _ change: (inout AttributeDescription) -> Void
  ) {
    self.change(owner) { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == name {
        change(&entity.attributes[index])
      }
    }
  }

  mutating func changeRelationship(
    _ name: String, of owner: String, _ change: (inout RelationshipDescription) -> Void
  ) {
    self.change(owner) { entity in
      for index in entity.relationships.indices where entity.relationships[index].name == name {
        change(&entity.relationships[index])
      }
    }
  }
}
