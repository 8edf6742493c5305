import ManagedModel

/// The facts that move hashes: the column "in" of `version-hash.md`.
let factsIn: [HashFact] = entityFactsIn + attributeFactsIn + relationshipFactsIn + compositeFactsIn

private let entityFactsIn: [HashFact] = [
  HashFact("entity: name", renameEntity),
  .entity("abstract") { $0.isAbstract.toggle() },
  .entity("modifier set or changed") { $0.versionHashModifier = ($0.versionHashModifier ?? "") + "x" },
  .entity("modifier removed", where: { $0.versionHashModifier?.isEmpty == false }) {
    $0.versionHashModifier = nil
  }.given { entity, _ in entity.versionHashModifier = "zz" },
  .entity("parent removed", where: { $0.superentityName != nil }) { $0.superentityName = nil },
  HashFact("entity: parent set or changed", changeParent),
  .entity("constraint added") { $0.uniquenessConstraints.append([ManagedObjectModel.freshName]) },
  .entity("constraint removed", where: { !$0.uniquenessConstraints.isEmpty }) {
    $0.uniquenessConstraints.removeLast()
  },
  .entity("constraint changed", where: { !$0.uniquenessConstraints.isEmpty }) {
    $0.uniquenessConstraints[0].append(ManagedObjectModel.freshName)
  },
  .entity(
    "order within a constraint", where: { $0.uniquenessConstraints.contains { Set($0).count > 1 } }
  ) {
    $0.uniquenessConstraints = $0.uniquenessConstraints.map { $0.reversed() }
  },
  .entity("persistent attribute added") {
    $0.attributes.append(AttributeDescription(name: ManagedObjectModel.freshName, type: .string))
  },
  .entity("persistent attribute removed", where: { $0.attributes.contains(where: \.isOrdinary) }) { entity in
    if let index = entity.attributes.firstIndex(where: \.isOrdinary) { entity.attributes.remove(at: index) }
  },
  .entity("persistent relationship added") {
    $0.relationships.append(
      RelationshipDescription(name: ManagedObjectModel.freshName, destinationEntityName: $0.name))
  },
  .entity("persistent relationship removed", where: { $0.relationships.contains { !$0.isTransient } }) {
    entity in
    if let index = entity.relationships.firstIndex(where: { !$0.isTransient }) {
      entity.relationships.remove(at: index)
    }
  },
]

/// With everything that refers to the entity; who holds a relationship to it has another hash then.
@Sendable private func renameEntity(_ model: inout ManagedObjectModel, _ random: inout SplitMix) -> Set<
  String
>? {
  guard let old = model.entities.randomElement(using: &random)?.name else { return nil }
  let new = ManagedObjectModel.freshName
  var changed: Set<String> = [new]
  for index in model.entities.indices {
    if model.entities[index].name == old { model.entities[index].name = new }
    if model.entities[index].superentityName == old { model.entities[index].superentityName = new }
  }
  for index in model.entities.indices {
    for place in model.entities[index].relationships.indices
    where model.entities[index].relationships[place].destinationEntityName == old {
      model.entities[index].relationships[place].destinationEntityName = new
      if !model.entities[index].relationships[place].isTransient {
        changed.insert(model.entities[index].name)
      }
    }
  }
  return changed
}

@Sendable private func changeParent(_ model: inout ManagedObjectModel, _ random: inout SplitMix) -> Set<
  String
>? {
  for index in model.entities.indices.shuffled(using: &random) {
    let entity = model.entities[index]
    let below = model.withDescendants([entity.name])
    let others = model.entities.map(\.name).filter { !below.contains($0) && $0 != entity.superentityName }
    guard let parent = others.randomElement(using: &random) else { continue }
    model.entities[index].superentityName = parent
    return [entity.name]
  }
  return nil
}

private let attributeFactsIn: [HashFact] = [
  .attribute("name") { $0.name = ManagedObjectModel.freshName },
  .attribute("optional") { $0.isOptional.toggle() },
  .attribute("modifier set or changed") { $0.versionHashModifier = ($0.versionHashModifier ?? "") + "x" },
  .attribute("transient on") { $0.isTransient = true },
  .attribute("transient off", where: { $0.isTransient && !$0.isDerived }) { $0.isTransient = false },
  .attribute("type") { $0.type = $0.type == .string ? .integer64 : .string },
  .attribute("external storage") { $0.allowsExternalBinaryDataStorage.toggle() },
  .attribute("preserve after deletion") {
    $0.preservesValueInHistoryOnDeletion.toggle()
  },
  .attribute("derived from now on") { $0.derivationExpression = "zz" },
  .attribute("derivation", where: \.isDerived) {
    $0.derivationExpression = "zz.\($0.derivationExpression ?? "")"
  }.givenDerivedAttribute,
]

private let relationshipFactsIn: [HashFact] = [
  .relationship("name") { $0.name = ManagedObjectModel.freshName },
  .relationship("optional") { $0.isOptional.toggle() },
  .relationship("modifier set or changed") { $0.versionHashModifier = ($0.versionHashModifier ?? "") + "x" },
  .relationship("transient on") { $0.isTransient = true },
  .relationship("destination") { $0.destinationEntityName += "x" },
  .relationship("inverse changed", where: { $0.inverseName != nil && !$0.isTransient }) {
    $0.inverseName = ManagedObjectModel.freshName
  },
  .relationship(
    "inverse removed", where: { $0.inverseName != nil && $0.inverseName != $0.name && !$0.isTransient }
  ) {
    $0.inverseName = nil
  },
  .relationship("inverse set", where: { $0.inverseName == nil && !$0.isTransient }) {
    $0.inverseName = ManagedObjectModel.freshName
  },
  .relationship("min") { $0.minCount += 1 },
  .relationship("max") { $0.maxCount += 3 },
  .relationship("to-one and to-many") { $0.maxCount = $0.isToMany ? 1 : 0 },
  .relationship("ordered") { $0.isOrdered.toggle() },
]

private let compositeFactsIn: [HashFact] = [
  .composite("element's name") { $0.elements[0].name = ManagedObjectModel.freshName },
  .composite("element's type") { $0.elements[0].type = .integer64 },
  .composite("element's optional") { $0.elements[0].isOptional.toggle() },
  .composite("element's modifier") { $0.elements[0].versionHashModifier = "x" },
  .composite("element added") {
    $0.elements.append(AttributeDescription(name: ManagedObjectModel.freshName, type: .date))
  },
  .composite("element removed") { $0.elements.removeLast() },
  .composite("element transient") { $0.elements[0].isTransient = true },
]

extension HashFact {
  /// A fact of a composite that one entity uses; genuine models have almost none, so every model is given one.
  static func composite(
    _ name: String, attribute: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in },
    _ change: @escaping @Sendable (inout CompositeDescription) -> Void
  ) -> HashFact {
    HashFact("composite: \(name)") { model, _ in
      guard
        let entity = model.entities.firstIndex(where: { $0.attributes.contains { $0.name == compositeUse } }),
        let use = model.entities[entity].attributes.firstIndex(where: { $0.name == compositeUse }),
        let index = model.composites.firstIndex(where: { $0.name == compositeUse })
      else { return nil }
      change(&model.composites[index])
      model.entities[entity].attributes[use].compositeName = model.composites[index].name
      attribute(&model.entities[entity].attributes[use])
      return [model.entities[entity].name]
    }.given { entity, composites in
      let elements = [
        AttributeDescription(name: "latitude", type: .double),
        AttributeDescription(name: "longitude", type: .double),
      ]
      composites.append(CompositeDescription(name: compositeUse, elements: elements))
      entity.attributes.append(
        AttributeDescription(name: compositeUse, type: .composite, compositeName: compositeUse))
    }
  }
}

/// The name of the composite that the models are given, and of the attribute that uses it.
let compositeUse = "zzComposite"
