import ManagedModel
import ModelMapping
import PersistentStore

/// How one column of a migrated table comes by its values.
struct ColumnRecipe {
  /// The column as the destination has it.
  var column: ColumnLayout
  /// What each entity's rows hold, by the destination entity's name, over the columns of the source's table.
  /// An entity that has no such property is absent.
  var values: [String: SQLExpression]
  /// Nothing in the row itself tells the value; it is looked up once all tables stand.
  var isLookedUp = false
}

/// Recipes for every column of a destination's table but its entity number.
///
/// - Parameters:
///   - table: the destination's table.
///   - origin: the source's table whose rows it takes over.
///   - entities: destination entities that bring rows from there.
func columnRecipes(
  for table: TableLayout, from origin: TableLayout, entities: [String], transition: StoreTransition
) -> [ColumnRecipe] {
  table.columns.compactMap { column in
    if column.role == .entityNumber { return nil }
    var recipe = ColumnRecipe(column: column, values: [:])
    for name in entities {
      guard let mapping = transition.mapping(toEntity: name), let sourceName = mapping.sourceEntityName else {
        continue
      }
      let row = MappedRow(
        table: origin, sourceEntity: sourceName, entity: name, mapping: mapping, transition: transition)
      recipe.values[name] = row.value(of: column.role)
    }
    recipe.isLookedUp = recipe.values.isEmpty && needsLookup(column.role, transition: transition)
    return recipe
  }
}

/// A discriminator that the source did not have is read from the rows that the relationship leads to.
private func needsLookup(_ role: ColumnRole, transition: StoreTransition) -> Bool {
  guard case .discriminator(let reference) = role else { return false }
  return transition.sourceRelationship(of: reference) != nil
}

/// One entity's rows on their way from the source's table.
private struct MappedRow {
  let table: TableLayout
  let sourceEntity: String
  let entity: String
  let mapping: EntityMapping
  let transition: StoreTransition

  /// Nil where the entity has no such property.
  func value(of role: ColumnRole) -> SQLExpression? {
    switch role {
    case .primaryKey, .optimisticLock: table.column(for: role).map { .column($0.name) }
    case .entityNumber, .unknown: nil
    case .attribute(let reference): isHeld(reference) ? attribute(reference.property) : nil
    case .toOne(let reference): isHeld(reference) ? toOne(reference) : nil
    case .discriminator(let reference): isHeld(reference) ? discriminator(reference) : nil
    case .order(let reference): isHeld(reference) ? order(reference) : nil
    case .owner(let reference): isLedTo(by: reference) ? owner(reference) : nil
    case .ownerOrder(let reference): isLedTo(by: reference) ? ownerOrder(reference) : nil
    }
  }

  private func isHeld(_ reference: PropertyReference) -> Bool {
    transition.destination.isKind(entity, of: reference.entity)
  }

  /// Whether the entity is among those that an inverse-less to-many, declared elsewhere, leads to.
  private func isLedTo(by reference: PropertyReference) -> Bool {
    guard
      let relationship = transition.destination.relationship(named: reference.property, of: reference.entity)
    else { return false }
    return transition.destination.isKind(entity, of: relationship.destinationEntityName)
  }

  private func attribute(_ path: String) -> SQLExpression {
    // An element of a composite is known as `composite.element`.
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first, let value = mapping.propertyMapping(named: name)?.value else {
      return .null
    }
    let attribute = transition.destination.attribute(named: name, of: entity)
    return expression(value, element: parts.count > 1 ? "." + parts[1] : "", for: attribute)
  }

  private func expression(
    _ value: PropertyMappingValue, element: String, for attribute: AttributeDescription?
  ) -> SQLExpression {
    let external = attribute?.allowsExternalBinaryDataStorage ?? false
    switch value {
    case .source(let name):
      guard var reference = transition.sourceReference(name, seenFrom: sourceEntity) else { return .null }
      reference.property += element
      return table.column(for: .attribute(reference)).map { .column($0.name) } ?? .null
    case .constant(let constant): return .literal(SQLLiteral(constant, usesExternalStorage: external))
    case .converted(let inner, let from, let to):
      return .converted(expression(inner, element: element, for: attribute), from: from, to: to)
    case .defaulted(let inner, let fallback):
      return .coalesce(
        expression(inner, element: element, for: attribute),
        .literal(SQLLiteral(fallback, usesExternalStorage: external)))
    }
  }

  /// The source relationship that continues as this one, as the entity that declares it knows it.
  private func origin(of reference: PropertyReference) -> PropertyReference? {
    guard let name = mapping.propertyMapping(named: reference.property)?.value.sourceName else { return nil }
    return transition.sourceReference(name, seenFrom: sourceEntity)
  }

  private func toOne(_ reference: PropertyReference) -> SQLExpression {
    if let origin = origin(of: reference) {
      return table.column(for: .toOne(origin)).map { .column($0.name) } ?? .null
    }
    // A to-many that had no inverse kept its owner in this table; now that it has one, that is the inverse.
    guard
      let relationship = transition.destination.relationship(named: reference.property, of: reference.entity),
      let inverse = relationship.inverseName,
      let past = transition.sourceRelationship(
        of: PropertyReference(entity: relationship.destinationEntityName, property: inverse)),
      let column = table.column(for: .owner(past))
    else { return .null }
    return .column(column.name)
  }

  private func discriminator(_ reference: PropertyReference) -> SQLExpression? {
    guard let origin = origin(of: reference) else { return .null }
    guard let column = table.column(for: .discriminator(origin)) else { return nil }
    let renumbering = transition.renumbering
    let isUnchanged = renumbering.allSatisfy { $0.key == $0.value }
    return isUnchanged ? .column(column.name) : .renumbered(.column(column.name), renumbering)
  }

  private func order(_ reference: PropertyReference) -> SQLExpression? {
    origin(of: reference).flatMap { table.column(for: .order($0)) }.map { .column($0.name) }
  }

  private func owner(_ reference: PropertyReference) -> SQLExpression {
    guard let past = transition.sourceRelationship(of: reference) else { return .null }
    if let column = table.column(for: .owner(past)) { return .column(column.name) }
    // The to-many had an inverse, which held the owner.
    guard let relationship = transition.source.relationship(named: past.property, of: past.entity),
      let inverse = relationship.inverseName,
      let declared = transition.sourceReference(inverse, seenFrom: relationship.destinationEntityName),
      let column = table.column(for: .toOne(declared))
    else { return .null }
    return .column(column.name)
  }

  private func ownerOrder(_ reference: PropertyReference) -> SQLExpression? {
    transition.sourceRelationship(of: reference).flatMap { table.column(for: .ownerOrder($0)) }
      .map { .column($0.name) }
  }
}
