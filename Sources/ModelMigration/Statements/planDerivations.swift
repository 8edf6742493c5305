package import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Derived attributes that are new, or derived in another way, are computed for every row.
  mutating func deriveValues() {
    var model = transition.destination.model
    var wanted: [PropertyReference: String] = [:]
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        let description = model.entities[entity].attributes[attribute]
        let reference = PropertyReference(entity: model.entities[entity].name, property: description.name)
        guard let derivation = description.derivationExpression else { continue }
        if isCarried(reference) || !hasRows(reference.entity) {
          model.entities[entity].attributes[attribute].derivationExpression = nil
        } else {
          wanted[reference] = derivation
        }
      }
    }
    guard !wanted.isEmpty else { return }
    let statements = plan.schema.derivedValueStatements(for: model)
    for sql in statements { add(.deriveValues(sql: sql)) }
    if statements.count < wanted.count {
      for (reference, derivation) in wanted.sorted(by: { $0.key.property < $1.key.property })
      where !isComputable(reference, in: model) {
        plan.diagnostics.append(.derivationNotComputed(reference, derivation))
      }
    }
  }

  /// Whether the statements cover the attribute when it is the only derived one.
  private func isComputable(_ reference: PropertyReference, in model: ManagedObjectModel) -> Bool {
    var single = model
    for entity in single.entities.indices {
      for attribute in single.entities[entity].attributes.indices
      where single.entities[entity].name != reference.entity
        || single.entities[entity].attributes[attribute].name != reference.property
      {
        single.entities[entity].attributes[attribute].derivationExpression = nil
      }
    }
    return !plan.schema.derivedValueStatements(for: single).isEmpty
  }

  /// Whether the stored values go on and still hold: what they are computed from has not changed.
  private func isCarried(_ reference: PropertyReference) -> Bool {
    let names = transition.destination.descendantNames(includingSelf: reference.entity)
      .filter { transition.sourceName(ofEntity: $0) != nil }
    return names.allSatisfy { name in
      guard
        transition.mapping(toEntity: name)?.propertyMapping(named: reference.property)?.value.sourceName
          != nil,
        let derivation = transition.destination.attribute(named: reference.property, of: name)?
          .derivationExpression
      else { return false }
      guard let path = DerivationForm(derivation)?.keys, let first = path.first else { return true }
      guard let relationship = transition.destination.relationship(named: first, of: name) else {
        return path.count == 1 && keepsValue(first, of: name)
      }
      return path.count < 3 && keepsObjects(relationship, of: name)
        && path.dropFirst().allSatisfy { keepsValues($0, of: relationship) }
    }
  }

  /// Whether objects keep what the attribute held, under the same name.
  private func keepsValue(_ attribute: String, of entity: String) -> Bool {
    transition.mapping(toEntity: entity)?.attributeMappings.first { $0.name == attribute }?.value
      == .source(attribute)
  }

  /// Whether the relationship leads to the same objects as before.
  private func keepsObjects(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    guard
      let property = transition.mapping(toEntity: entity)?.propertyMapping(named: relationship.name),
      property.value.sourceName != nil
    else { return false }
    return transition.links(into: relationship.name, of: entity).allSatisfy {
      transition.unreachableNumbers(of: $0.to.entity, except: property.reachableEntities).isEmpty
    }
  }

  /// Whether the objects keep the attribute, if the word names one, unchanged.
  private func keepsValues(_ word: String, of relationship: RelationshipDescription) -> Bool {
    transition.destination.descendantNames(includingSelf: relationship.destinationEntityName).allSatisfy {
      name in
      guard let mapping = transition.mapping(toEntity: name), mapping.sourceEntityName != nil,
        let property = mapping.attributeMappings.first(where: { $0.name == word })
      else { return true }
      if case .source = property.value { return true }
      return false
    }
  }

  private func hasRows(_ entity: String) -> Bool {
    transition.destination.descendantNames(includingSelf: entity).contains {
      transition.sourceName(ofEntity: $0) != nil
    }
  }
}

extension Diagnostic.Code {
  package static let derivationNotComputed = Self("MC3115")
}

extension Diagnostic {
  fileprivate static func derivationNotComputed(_ reference: PropertyReference, _ derivation: String) -> Self
  {
    Self(
      .derivationNotComputed, .warning,
      "'\(reference.entity).\(reference.property)' is derived as '\(derivation)', which modelc does not compute",
      subject: ModelSubject(entity: reference.entity, property: reference.property, key: "derivation"),
      notes: ["objects that exist have no value for it until Core Data saves them the next time"])
  }
}
