import ManagedModel
import PersistentStore

extension Survey {
  /// How many objects the groups of a mapping become, and the values of those that do not stay.
  ///
  /// - Returns: nothing where the mapping groups nothing, or by keys that only objects can be asked for.
  func surveyGroups(
    _ mapping: EntityMapping, _ rows: ObjectRows
  ) throws -> (made: Int?, losses: [MigrationPlan.Loss]) {
    guard let rule = mapping.grouping, mapping.policyName == nil, let entity = mapping.sourceEntityName,
      let destination = mapping.destinationEntityName, let shape = rows.shape(named: entity)
    else { return (nil, []) }
    let keeping: RowGroups.Keeping =
      switch rule.keep {
      case .first: .first
      case .last: .last
      case .merge: .firstValue
      }
    let merged = try db.countMergedRows(
      RowGroups(
        entity: entity, keys: rule.keys, order: rule.order, keeping: keeping, filter: mapping.filter),
      columns: carriedColumns(mapping, shape), schema: rows.schema, model: rows.hierarchy.model)
    guard let merged, merged.groups < merged.objects else { return (nil, []) }
    let losses = merged.lost.sorted { $0.key < $1.key }.map { name, lost in
      MigrationPlan.Loss(
        code: .mergedAway, entity: destination, property: name, count: lost.count,
        isAcknowledged: rule.statesKeep || acceptedLosses.contains(.mergedAway, of: destination, name),
        examples: lost.examples)
    }
    return (merged.groups, losses)
  }

  /// Columns of what each object has one value of, by the property that takes it.
  private func carriedColumns(_ mapping: EntityMapping, _ shape: EntityShape) -> [String: String] {
    var columns: [String: String] = [:]
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      guard let name = property.value.sourceName else { continue }
      switch shape.properties[name] {
      case .attribute(let attribute): columns[property.name] = shape.columnNames[attribute.slot]
      case .toOne(let toOne): columns[property.name] = shape.columnNames[toOne.keySlot]
      default: break
      }
    }
    return columns
  }
}
