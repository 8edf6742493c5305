import ManagedModel
import Testing

/// One fact of a model: how it is changed, and whose hashes that must move.
struct HashFact: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Changes the fact at an element that the generator picks; nil if the model has no such element.
  ///
  /// Returns the names of the entities whose own content the change is in. They and all that descend from them get
  /// other hashes, nobody else does.
  let change: @Sendable (inout ManagedObjectModel, inout SplitMix) -> Set<String>?
  /// Gives a model the element beforehand, where genuine ones have none.
  var preparation: @Sendable (inout EntityDescription, inout [CompositeDescription]) -> Void = { _, _ in }

  init(
    _ name: String, _ change: @escaping @Sendable (inout ManagedObjectModel, inout SplitMix) -> Set<String>?
  ) {
    testDescription = name
    self.change = change
  }

  /// The fact, in models of which one entity was given what it is about.
  func given(
    _ preparation: @escaping @Sendable (inout EntityDescription, inout [CompositeDescription]) -> Void
  ) -> HashFact {
    var fact = self
    fact.preparation = preparation
    return fact
  }

  var givenDerivedAttribute: HashFact {
    given { entity, _ in
      entity.attributes.append(
        AttributeDescription(name: "zzDerived", type: .integer64, derivationExpression: "zz.@count"))
    }
  }

  /// The model that the change is made to.
  func prepared(_ genuine: ManagedObjectModel, _ random: inout SplitMix) -> ManagedObjectModel {
    var model = genuine
    if let index = model.entities.indices.randomElement(using: &random) {
      preparation(&model.entities[index], &model.composites)
    }
    return model
  }

  /// A fact of an entity.
  static func entity(
    _ name: String, where fits: @escaping @Sendable (EntityDescription) -> Bool = { _ in true },
    _ change: @escaping @Sendable (inout EntityDescription) -> Void
  ) -> HashFact {
    HashFact("entity: \(name)") { model, random in
      let fitting = model.entities.indices.filter { fits(model.entities[$0]) }
      guard let index = fitting.randomElement(using: &random) else { return nil }
      change(&model.entities[index])
      return [model.entities[index].name]
    }
  }

  /// A fact of an attribute.
  static func attribute(
    _ name: String, where fits: @escaping @Sendable (AttributeDescription) -> Bool = { $0.isOrdinary },
    _ change: @escaping @Sendable (inout AttributeDescription) -> Void
  ) -> HashFact {
    HashFact("attribute: \(name)") { model, random in
      let fitting = model.entities.indices.flatMap { entity in
        model.entities[entity].attributes.indices.map { (entity, $0) }
      }.filter { fits(model.entities[$0].attributes[$1]) }
      guard let (entity, index) = fitting.randomElement(using: &random) else { return nil }
      change(&model.entities[entity].attributes[index])
      return [model.entities[entity].name]
    }
  }

  /// A fact of a relationship.
  static func relationship(
    _ name: String, where fits: @escaping @Sendable (RelationshipDescription) -> Bool = { !$0.isTransient },
    _ change: @escaping @Sendable (inout RelationshipDescription) -> Void
  ) -> HashFact {
    HashFact("relationship: \(name)") { model, random in
      let fitting = model.entities.indices.flatMap { entity in
        model.entities[entity].relationships.indices.map { (entity, $0) }
      }.filter { fits(model.entities[$0].relationships[$1]) }
      guard let (entity, index) = fitting.randomElement(using: &random) else { return nil }
      change(&model.entities[entity].relationships[index])
      return [model.entities[entity].name]
    }
  }
}

extension AttributeDescription {
  /// Stored, and hashed by its own facts.
  var isOrdinary: Bool { !isTransient && !isDerived && type != .composite }
}

extension ManagedObjectModel {
  /// The entities and all that descend from them, straight from the parents' names.
  func withDescendants(_ names: Set<String>) -> Set<String> {
    var all = names
    var count = -1
    while count != all.count {
      count = all.count
      for entity in entities {
        if let parent = entity.superentityName, all.contains(parent) { all.insert(entity.name) }
      }
    }
    return all
  }

  /// A name that nothing in the model has.
  static let freshName = "zzFresh"
}
