import ManagedModel
import PersistentStore

/// How one column of a migrated table gets its values.
struct ColumnRecipe {
  /// The column as the destination has it.
  var column: ColumnLayout
  /// What each entity's rows hold, by the destination entity's name, over the columns of the source's table.
  /// An entity that has no such property is absent. Empty if the rows alone do not tell: discriminators are then
  /// looked up and places numbered, once all tables stand.
  var values: [String: SQLExpression] = [:]

  /// - Parameters:
  ///   - origin: the source's table whose rows the column's table takes over.
  ///   - entities: destination entities that bring rows from there.
  init(_ column: ColumnLayout, from origin: TableLayout, entities: [String], _ transition: StoreTransition) {
    self.column = column
    for name in entities {
      guard let sourceName = transition.sourceName(ofEntity: name) else { continue }
      let row = MappedRow(table: origin, sourceEntity: sourceName, entity: name, transition: transition)
      switch row.value(of: column.role) {
      case .none: break
      case .value(let value): values[name] = value
      case .inOtherRows:
        values = [:]
        return
      }
    }
  }
}

/// What a row tells of a column.
private enum RowValue {
  /// The entity has no such property.
  case none
  case value(SQLExpression)
  /// It has, and only other rows tell the value.
  case inOtherRows
}

/// One entity's rows on their way from the source's table.
private struct MappedRow {
  let table: TableLayout
  let sourceEntity: String
  let entity: String
  let transition: StoreTransition

  func value(of role: ColumnRole) -> RowValue {
    if role.property != nil, !transition.destination.uses(role, entity: entity) { return .none }
    return switch role {
    case .primaryKey, .optimisticLock: table.column(for: role).map { .value(.column($0.name)) } ?? .none
    case .entityNumber, .unknown: .none
    case .attribute(let reference): .value(attribute(reference.property))
    case .toOne(let reference): .value(key(links(into: reference)))
    case .discriminator(let reference): discriminator(reference)
    case .order(let reference): order(reference)
    case .owner(let reference): .value(key(owners(by: reference)))
    case .ownerOrder(let reference):
      transition.keepsOrder(of: reference) ? place(owners(by: reference)) : .inOtherRows
    }
  }

  private func attribute(_ name: String) -> SQLExpression {
    guard let value = transition.property(name, of: entity)?.value else { return .null }
    return expression(value, for: transition.destination.attribute(named: name, of: entity))
  }

  private func expression(
    _ value: PropertyMappingValue, for attribute: AttributeDescription?
  ) -> SQLExpression {
    let external = attribute?.allowsExternalBinaryDataStorage ?? false
    switch value {
    case .source(let name):
      guard let reference = transition.source.reference(to: name, seenFrom: sourceEntity),
        let column = table.column(for: .attribute(reference))
      else { return .null }
      let past = transition.source.attribute(named: name, of: sourceEntity)
      let wasExternal = past?.allowsExternalBinaryDataStorage ?? false
      // A value moves into a file, or back, when the app saves it the next time.
      if wasExternal == external { return .column(column.name) }
      return external ? .marked(.column(column.name)) : .unmarked(.column(column.name))
    case .expression: return .null
    case .constant(let constant):
      return constant.map { .literal($0.sql(usesExternalStorage: external)) } ?? .null
    case .converted(let inner, let from, let to):
      let stored = expression(inner, for: attribute)
      return haveOneForm(from, to) ? stored : .converted(stored, from: from, to: to)
    case .defaulted(let inner, let fallback):
      return .coalesce(
        expression(inner, for: attribute), .literal(fallback.sql(usesExternalStorage: external)))
    }
  }

  private func links(into reference: PropertyReference) -> [Links] {
    transition.links(into: reference.property, of: entity)
  }

  /// From this row to the object that has it among those of a to-many without inverse.
  private func owners(by reference: PropertyReference) -> [Links] {
    guard transition.reachableEntities(of: reference).contains(sourceEntity) else { return [] }
    return transition.links(of: reference).map(\.reversed)
  }

  /// The key of the object at the other end; the first that is not null if there are several ways.
  private func key(_ links: [Links]) -> SQLExpression {
    let keys = links.map(key).filter { $0 != .null }
    return keys.dropFirst().reduce(keys.first ?? .null) { .coalesce($0, $1) }
  }

  private func key(_ links: Links) -> SQLExpression {
    if links.isInOwnRow { return links.table == table.name ? .column(links.to.column) : .null }
    // Of a join table's rows there may be several for one object: inference refuses that.
    if links.isJoin { return .null }
    return .referrer(table: links.table, foreignKey: links.from.column, outerTable: table.name)
  }

  private func discriminator(_ reference: PropertyReference) -> RowValue {
    let links = links(into: reference)
    guard let only = links.first else { return .value(.null) }
    guard links.count == 1, only.isInOwnRow, let column = only.to.discriminator else { return .inOtherRows }
    let members = transition.numbers(ofSource: only.to.entity) { $1 != nil }
    let numbers = transition.renumbering.filter { members.contains($0.key) }
    let isUnchanged = numbers.allSatisfy { $0.key == $0.value }
    return .value(isUnchanged ? .column(column) : .renumbered(.column(column), numbers))
  }

  private func order(_ reference: PropertyReference) -> RowValue {
    guard let list = transition.destination.storedInverse(of: reference), transition.keepsOrder(of: list)
    else { return .inOtherRows }
    return place(links(into: reference))
  }

  private func place(_ links: [Links]) -> RowValue {
    guard let only = links.first else { return .value(.null) }
    guard links.count == 1, only.isInOwnRow, let column = only.from.order else { return .inOtherRows }
    return .value(.column(column))
  }
}

/// Whether every value of the first type is stored as the same value of the second: a wider integer, an integer
/// for a Boolean, another precision of a floating-point number, which are one form in SQLite.
private func haveOneForm(_ from: AttributeType, _ to: AttributeType) -> Bool {
  let reals: Set<AttributeType> = [.double, .float]
  return (from.isInteger && to.isInteger && from.rawValue <= to.rawValue)
    || (reals.contains(from) && reals.contains(to)) || !from.isNumeric
}
