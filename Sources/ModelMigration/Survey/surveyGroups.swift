import ManagedModel
import PersistentStore

extension Survey {
  /// Counts the values of objects that do not stay of their groups.
  ///
  /// - Returns: how many objects the groups of a mapping become; nil where it groups nothing, or by keys that only objects
  ///   can be asked for.
  func surveyGroups(
    _ mapping: EntityMapping, _ rows: ObjectRows, _ account: inout LossAccount
  ) throws -> Int? {
    guard let rule = mapping.grouping, mapping.policyName == nil,
      let destination = mapping.destinationEntityName
    else { return nil }
    let merged = try db.countMergedRows(
      mapping, values: carriedValues(mapping), schema: rows.schema, model: rows.hierarchy.model)
    guard let merged, merged.groups < merged.objects else { return nil }
    for (name, lost) in merged.lost.sorted(by: { $0.key < $1.key }) {
      account.add(
        .mergedAway, of: destination, name, lost.count, isMeant: rule.statesKeep, examples: lost.examples)
    }
    return merged.groups
  }

  /// What each object has a value of, by the property that takes it; what is computed of the whole group is of no object.
  private func carriedValues(_ mapping: EntityMapping) -> [String: Expression] {
    var values: [String: Expression] = [:]
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      if let name = property.value.sourceName {
        values[property.name] = .keyPath(keys(of: name), of: .variable("source"))
      } else if case .expression(let expression) = property.value,
        expression.referencedKeyPaths.allSatisfy({ $0.root != .variable("sources") })
      {
        values[property.name] = expression
      }
    }
    return values
  }
}
