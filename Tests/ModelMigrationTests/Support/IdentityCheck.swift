import ManagedModel
import ModelMigration

/// Follows entities and attributes by the numbers that the generator gave them, without a mapping model: what had a
/// value and still exists has it, what is gone is among the losses.
struct IdentityCheck {
  let models: [ManagedObjectModel]
  let before: [ManagedObject]
  let after: [ManagedObject]
  let plan: MigrationPlan

  func problems() -> [String] {
    let hierarchies = models.map { EntityHierarchy($0) }
    let results = Dictionary(after.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var problems: [String] = []
    var lostObjects = 0
    var lostValues = 0
    for object in before {
      guard let names = names(ofEntity: object.id.entityName) else {
        lostObjects += 1
        continue
      }
      let id = ManagedObject.ID(entityName: names.last ?? "", primaryKey: object.id.primaryKey)
      guard let result = results[id] else {
        problems.append("\(object.id.text) should be \(id.text)")
        continue
      }
      for attribute in values(of: object.id.entityName, hierarchies[0]) {
        let way = zip(hierarchies, names).map { hierarchy, name in
          values(of: name, hierarchy).first { $0.userInfo == attribute.userInfo }
        }
        guard let last = way.last.flatMap(\.self), way.allSatisfy({ $0 != nil }) else {
          if object.values[attribute.name] != nil { lostValues += 1 }
          continue
        }
        let expected = carried(object.values[attribute.name], along: way.compactMap(\.self))
        if result.values[last.name] != expected {
          problems.append(
            "\(object.id.text).\(attribute.name) became \(result.values[last.name]?.text ?? "nil"),"
              + " not \(expected?.text ?? "nil")")
        }
      }
    }
    problems += compare("objects", lostObjects, plan.losses.filter { $0.property == nil })
    let attributes = Set(
      models[0].entities.flatMap { entity in
        values(of: entity.name, hierarchies[0]).map { "\(entity.name).\($0.name)" }
      })
    problems += compare(
      "values", lostValues,
      plan.losses.filter { loss in
        loss.code == .droppedData && loss.property.map { attributes.contains("\(loss.entity).\($0)") } == true
      })
    return problems
  }

  /// What an object of the entity has a value for: an attribute with its number, a member of a composite with both.
  private func values(of entity: String, _ hierarchy: EntityHierarchy) -> [AttributeDescription] {
    hierarchy.attributes(of: entity).filter { !$0.isDerived }.flatMap { attribute -> [AttributeDescription] in
      guard attribute.type == .composite else { return [attribute] }
      let composite = hierarchy.model.composites.first { $0.name == attribute.compositeName }
      return (composite?.elements ?? []).map { element in
        var member = element
        member.name = "\(attribute.name).\(element.name)"
        member.isOptional = attribute.isOptional || element.isOptional
        member.userInfo = ["id": "\(attribute.userInfo["id"] ?? "")/\(element.userInfo["id"] ?? "")"]
        return member
      }
    }
  }

  private func compare(_ noun: String, _ expected: Int, _ losses: [MigrationPlan.Loss]) -> [String] {
    let counted = losses.map(\.count).reduce(0, +)
    return counted == expected || plan.path.count < 2
      ? [] : ["\(counted) \(noun) lost by the plan, \(expected) in truth"]
  }

  /// The entity's name in each version; nil if one has lost it.
  private func names(ofEntity name: String) -> [String]? {
    let number = models[0].entities.first { $0.name == name }?.userInfo["id"]
    let names = models.compactMap { model in model.entities.first { $0.userInfo["id"] == number }?.name }
    return names.count == models.count ? names : nil
  }

  private func carried(_ value: AttributeValue?, along way: [AttributeDescription]) -> AttributeValue? {
    var value = value
    for (old, new) in zip(way, way.dropFirst()) {
      if old.type != new.type { value = value.map { convert($0, to: new.type) } }
      if old.isOptional, !new.isOptional { value = value ?? new.typedDefaultValue }
    }
    return value
  }
}
