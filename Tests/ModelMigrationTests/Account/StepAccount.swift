import ManagedModel
import ModelMigration

/// The account of a random mapping of a random step: what the source had, and no expression states, is in the target or
/// among the losses, by name.
///
/// Objects are followed by a number that each has, properties by those that the generator gave them.
struct StepAccount {
  let old: EntityHierarchy
  let new: EntityHierarchy
  let mapping: CustomMappingModel
  let losses: [MigrationPlan.Loss]
  private let heirs: [Int64: [ManagedObject]]
  private let numbers: [ManagedObject.ID: Int64]
  private let newNumbers: [ManagedObject.ID: Int64]
  private(set) var problems: [String] = []

  static let number = "modelcNumber"

  /// The models with an attribute for the numbers, and the objects with theirs.
  static func numbered(_ models: [ManagedObjectModel], _ objects: [ManagedObject]) -> (
    [ManagedObjectModel], [ManagedObject]
  ) {
    let models = models.map { model in
      var model = model
      for index in model.entities.indices where model.entities[index].superentityName == nil {
        model.entities[index].attributes.append(
          AttributeDescription(name: number, type: .integer64, isOptional: true))
      }
      return model
    }
    let objects = objects.enumerated().map { index, object in
      var object = object
      object.values[number] = .integer(Int64(index + 1))
      return object
    }
    return (models, objects)
  }

  init(
    _ before: [ManagedObject], _ after: [ManagedObject], _ model: VersionedModel,
    _ mapping: CustomMappingModel, losses: [MigrationPlan.Loss]
  ) {
    (old, new) = (EntityHierarchy(model.versions[0].model), EntityHierarchy(model.last))
    (self.mapping, self.losses) = (mapping, losses)
    func byID(_ objects: [ManagedObject]) -> [ManagedObject.ID: Int64] {
      Dictionary(objects.map { ($0.id, Self.number(of: $0)) }, uniquingKeysWith: { first, _ in first })
    }
    (numbers, newNumbers) = (byID(before), byID(after))
    heirs = Dictionary(grouping: after, by: Self.number)
    for object in before {
      if let heirs = heirs[Self.number(of: object)] {
        checkValues(of: object, heirs)
        checkLinks(of: object, heirs)
      } else if !isCounted(object.id.entityName, nil), !isCounted(object.id.entityName, Self.number),
        !isFolded
      {
        // Of objects that a group makes one, the values that go are counted, such as this number.
        problems.append("\(object.id.text) was lost and not counted")
      }
    }
  }

  /// Whether expressions take the numbers of objects that others refer to.
  private var isFolded: Bool {
    mapping.entityMappings.flatMap(\.attributeMappings).contains {
      $0.expression?.contains(".\(Self.number)") == true
        && $0.expression?.hasPrefix("$source.\(Self.number)") == false
    }
  }

  private static func number(of object: ManagedObject) -> Int64 {
    if case .integer(let number) = object.values[number] { number } else { 0 }
  }

  private func isCounted(_ entity: String, _ property: String?) -> Bool {
    losses.contains { loss in
      if loss.property != property { return false }
      // What goes in a group is named as what it became.
      if loss.code.description == "MC3120" {
        return mappings(of: entity).contains { $0.destinationEntityName == loss.entity }
      }
      return old.isKind(entity, of: loss.entity) || old.isKind(loss.entity, of: entity)
    }
  }

  private func mappings(of entity: String) -> [CustomEntityMapping] {
    mapping.entityMappings.filter { old.isKind(entity, of: $0.sourceEntityName ?? "") }
  }

  /// Whether an expression says what becomes of a property of the source or fills one of the target.
  private func isStated(_ source: String, _ target: String?, of entity: String) -> Bool {
    mappings(of: entity).contains { mapping in
      let all = mapping.attributeMappings + mapping.relationshipMappings
      let filter = mapping.filter ?? ""
      // What an object becomes says which value it had.
      let isDecided =
        ["==", "!="].contains { filter.hasPrefix("\(source) \($0) ") } && !filter.hasSuffix("nil")
      return isDecided
        || all.contains { $0.name == target || $0.expression?.contains("$source.\(source)") == true }
    }
  }

  private mutating func checkValues(of object: ManagedObject, _ heirs: [ManagedObject]) {
    let entity = object.id.entityName
    for attribute in old.attributes(of: entity)
    where !attribute.isDerived && attribute.type != .composite && attribute.name != Self.number {
      guard let value = object.values[attribute.name] else { continue }
      let copies = (heirs + merged(entity)).compactMap { heir in
        // What an object becomes besides has its values by their names.
        let attributes = new.attributes(of: heir.id.entityName)
        return
          (attributes.first { $0.userInfo["id"] == attribute.userInfo["id"] }
          ?? attributes.first { $0.name == attribute.name }).map { (heir, $0) }
      }
      if isStated(attribute.name, copies.first?.1.name, of: entity) || isKept(attribute, of: entity) {
        continue
      }
      let isCarried = copies.contains { heir, copy in
        copy.type == attribute.type ? heir.values[copy.name] == value : heir.values[copy.name] != nil
      }
      if !isCarried, !isCounted(entity, attribute.name) {
        problems.append("\(object.id.text).\(attribute.name) was lost and not counted")
      }
    }
  }

  private mutating func checkLinks(of object: ManagedObject, _ heirs: [ManagedObject]) {
    let entity = object.id.entityName
    for relationship in old.relationships(of: entity) {
      let name = name(of: relationship, from: entity, in: heirs)
      if isStated(relationship.name, name, of: entity) { continue }
      let inverse = old.inverse(of: relationship)
      for end in object.ends(of: relationship.name) {
        guard let number = numbers[end], let others = self.heirs[number] else { continue }
        let back = inverse.flatMap { self.name(of: $0, from: end.entityName, in: others) }
        if let inverse, isStated(inverse.name, back, of: end.entityName) { continue }
        let isCarried =
          heirs.contains { leads(from: $0, by: name, to: number) }
          || others.contains { leads(from: $0, by: back, to: Self.number(of: object)) }
        if isCarried || isCounted(entity, relationship.name) { continue }
        if let inverse, isCounted(end.entityName, inverse.name) { continue }
        problems.append("\(object.id.text).\(relationship.name) → \(end.text) was lost and not counted")
      }
    }
  }

  /// What the objects of an entity are merged into: one has the values of several, or the same.
  private func merged(_ entity: String) -> [ManagedObject] {
    let targets = mappings(of: entity).filter { !$0.groupBy.isEmpty }.compactMap(\.destinationEntityName)
    return heirs.values.joined().filter { targets.contains($0.id.entityName) }
  }

  /// Its name in what objects became, or in what others of their entity did.
  private func name(
    of relationship: RelationshipDescription, from entity: String, in heirs: [ManagedObject]
  ) -> String? {
    let made = heirs.map(\.id.entityName) + mappings(of: entity).compactMap(\.destinationEntityName)
    return made.lazy.compactMap { made in
      new.relationships(of: made).first { $0.userInfo["id"] == relationship.userInfo["id"] }?.name
    }.first
  }

  /// Whether the object of its group that stays has the same value.
  private func isKept(_ attribute: AttributeDescription, of entity: String) -> Bool {
    mappings(of: entity).contains { mapping in
      mapping.groupBy == ["$source.\(attribute.name)"]
        && new.attributes(of: mapping.destinationEntityName ?? "").contains {
          $0.userInfo["id"] == attribute.userInfo["id"] && $0.type == attribute.type
        }
    }
  }

  private func leads(from object: ManagedObject, by name: String?, to number: Int64) -> Bool {
    name.map { object.ends(of: $0).contains { newNumbers[$0] == number } } ?? false
  }
}
