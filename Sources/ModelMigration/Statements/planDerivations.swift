package import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Derived attributes that are new, or derived in another way, are computed for every row.
  mutating func deriveValues() {
    func isWanted(_ reference: PropertyReference) -> Bool {
      !isCarried(reference)
        && transition.destination.descendantNames(includingSelf: reference.entity)
          .contains { transition.sourceName(ofEntity: $0) != nil }
    }
    let hierarchy = transition.destination
    let columns = plan.schema.derivedColumns(hierarchy: hierarchy).filter { isWanted($0.reference) }
    for column in columns { add(.deriveValues(sql: column.statement)) }
    let computed = Set(columns.map(\.reference))
    let others = hierarchy.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        attribute.derivationExpression.map {
          (reference: PropertyReference(entity: entity.name, property: attribute.name), derivation: $0)
        }
      }
    }.filter { !computed.contains($0.reference) && isWanted($0.reference) }
    plan.diagnostics += others.sorted { $0.reference.property < $1.reference.property }.map {
      reference, derivation in
      Diagnostic(
        .derivationNotComputed, .warning,
        "'\(reference.path)' is derived as '\(derivation)', which modelc does not compute",
        subject: ModelSubject(entity: reference.entity, property: reference.property, key: "derivation"),
        notes: ["existing objects have no value for it until Core Data next saves them"])
    }
  }

  /// Whether the stored values go on and still hold: what they are computed from has not changed.
  private func isCarried(_ reference: PropertyReference) -> Bool {
    let names = transition.destination.descendantNames(includingSelf: reference.entity)
      .filter { transition.sourceName(ofEntity: $0) != nil }
    return names.allSatisfy { name in
      guard
        transition.property(reference.property, of: name)?.value.sourceName != nil,
        let derivation = transition.destination.attribute(named: reference.property, of: name)?
          .derivationExpression
      else { return false }
      guard let path = DerivationForm(derivation)?.keys, let first = path.first else { return true }
      guard let relationship = transition.destination.relationship(named: first, of: name) else {
        // Whether objects keep what the attribute held, under the same name.
        let attributes = transition.mapping(toEntity: name)?.attributeMappings
        return path.count == 1 && attributes?.first { $0.name == first }?.value == .source(first)
      }
      return path.count < 3 && keepsObjects(relationship, of: name)
        && path.dropFirst().allSatisfy { keepsValues($0, of: relationship) }
    }
  }

  /// Whether the relationship leads to the same objects as before.
  private func keepsObjects(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    guard let property = transition.property(relationship.name, of: entity), property.value.sourceName != nil
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
      return if case .source = property.value { true } else { false }
    }
  }
}

extension Diagnostic.Code { package static let derivationNotComputed = Self("MC3115") }
