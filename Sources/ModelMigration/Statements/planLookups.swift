public import ManagedModel
import ModelMapping
import PersistentStore

extension StatementPlanner {
  /// Values that only other rows tell, once every table has its rows and numbers: new discriminators, the new side
  /// of a one-to-one, places in a to-many that has become ordered.
  mutating func lookUpValues() {
    for origin in origins where origin.kind != .new {
      guard let table = tablePlans[origin.table.name] else { continue }
      for recipe in table.recipes {
        switch recipe.column.role {
        case .discriminator(let reference) where recipe.isLookedUp:
          lookUpDiscriminator(recipe.column, reference, table)
        case .toOne(let reference): lookUpOneToOne(recipe.column, reference, table)
        case .order(let reference) where recipe.values.isEmpty:
          numberOrder(recipe.column, by: .toOne(reference), continues: reference, table)
        case .ownerOrder(let reference) where recipe.values.isEmpty:
          numberOrder(recipe.column, by: .owner(reference), continues: reference, table)
        default: break
        }
      }
    }
  }

  private mutating func lookUpDiscriminator(
    _ column: ColumnLayout, _ reference: PropertyReference, _ table: TablePlan
  ) {
    guard let foreignKey = table.destination.column(for: .toOne(reference)),
      let relationship = transition.destination.relationship(named: reference.property, of: reference.entity),
      let target = plan.schema.table(ofEntity: relationship.destinationEntityName)
    else { return }
    let value = SQLExpression.lookup(column: "Z_ENT", table: target.name, key: .column(foreignKey.name))
    add(
      .update(
        table: table.destination.name, assignments: [.init(column.name, value)],
        where: .isNotNull(.column(foreignKey.name))))
  }

  /// A to-one that is new while its inverse, a to-one as well, goes on: it points back.
  private mutating func lookUpOneToOne(
    _ column: ColumnLayout, _ reference: PropertyReference, _ table: TablePlan
  ) {
    guard table.carriers[column.name] == nil, transition.sourceRelationship(of: reference) == nil,
      let relationship = transition.destination.relationship(named: reference.property, of: reference.entity),
      let inverse = transition.destination.inverse(of: relationship), !inverse.isToMany,
      let declaring = transition.destination.declaringEntityName(
        of: inverse.name, seenFrom: relationship.destinationEntityName)
    else { return }
    let back = PropertyReference(entity: declaring, property: inverse.name)
    guard let past = transition.sourceRelationship(of: back),
      past != transition.sourceRelationship(of: reference),
      let target = plan.schema.table(ofEntity: declaring), let foreignKey = target.column(for: .toOne(back))
    else { return }
    let value = SQLExpression.referrer(
      table: target.name, foreignKey: foreignKey.name, outerTable: table.destination.name)
    add(.update(table: table.destination.name, assignments: [.init(column.name, value)], where: nil))
    if let discriminator = table.destination.column(for: .discriminator(reference)) {
      lookUpDiscriminator(discriminator, reference, table)
    }
  }

  private mutating func numberOrder(
    _ column: ColumnLayout, by ownerRole: ColumnRole, continues reference: PropertyReference,
    _ table: TablePlan
  ) {
    guard let owner = table.destination.column(for: ownerRole),
      table.carriers[owner.name] != nil || transition.sourceRelationship(of: reference) != nil
    else { return }
    add(.numberOrder(table: table.destination.name, owner: owner.name, key: "Z_PK", order: column.name))
  }
}

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
    let statements = derivedValueStatements(for: model, in: plan.schema)
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
    return !derivedValueStatements(for: single, in: plan.schema).isEmpty
  }

  private func isCarried(_ reference: PropertyReference) -> Bool {
    transition.destination.descendantNames(includingSelf: reference.entity).allSatisfy { name in
      guard transition.sourceName(ofEntity: name) != nil else { return true }
      return transition.mapping(toEntity: name)?.propertyMapping(named: reference.property)?.value.sourceName
        != nil
    }
  }

  private func hasRows(_ entity: String) -> Bool {
    transition.destination.descendantNames(includingSelf: entity).contains {
      transition.sourceName(ofEntity: $0) != nil
    }
  }
}

extension Diagnostic.Code {
  public static let derivationNotComputed = Self("MC3115")
}

extension Diagnostic {
  fileprivate static func derivationNotComputed(_ reference: PropertyReference, _ derivation: String) -> Self
  {
    Self(
      .derivationNotComputed, .warning,
      "'\(reference.entity).\(reference.property)' is derived as '\(derivation)', which SQL alone does not compute",
      subject: ModelSubject(entity: reference.entity, property: reference.property, key: "derivation"),
      notes: ["objects that exist keep an empty value until Core Data saves them the next time"])
  }
}
