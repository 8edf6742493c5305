package import ManagedModel

extension StoreSchema {
  /// The triggers with which Core Data keeps a count over a to-many up to date (store-format.md 7).
  ///
  /// Genuine stores show the text for the count of a one-to-many; a many-to-many has the same text over its join
  /// table. Other derivations have no trigger here, because no genuine text is known: their values are computed
  /// when rows are written.
  package func derivationTriggers(hierarchy: EntityHierarchy) -> [TriggerLayout] {
    derivedColumns(hierarchy: hierarchy).flatMap { column -> [TriggerLayout] in
      let entity = column.reference.entity
      guard let match = column.derivation.wholeMatch(of: #/(\w+)\.@count/#),
        let table = self.table(ofEntity: entity),
        let keys = ownerKeys(of: String(match.1), seenFrom: entity, hierarchy: hierarchy)
      else { return [] }
      return countTriggers(of: column, in: table, by: keys)
    }
  }
}

/// The triggers of a derived attribute that counts the objects of a to-many.
///
/// - Parameter keys: the table and column whose values are keys of the counting objects.
private func countTriggers(
  of attribute: DerivedColumn, in table: TableLayout, by keys: (table: String, column: String)
) -> [TriggerLayout] {
  let (entity, property) = (attribute.reference.entity, attribute.reference.property)
  let (counted, key) = (keys.table.quotedIdentifier, keys.column.quotedIdentifier)
  func trigger(
    _ suffix: String, on firing: String, event: String, condition: String?, value: String, row: String,
    function: String
  ) -> TriggerLayout {
    let name = "Z_DA_\(firing)_\(entity)_\(property)_\(suffix)"
    let condition = condition.map { " WHEN (\($0))" } ?? ""
    return TriggerLayout(
      name: name, tableName: firing,
      sql: "CREATE TRIGGER \(name.quotedIdentifier) AFTER \(event) ON \(firing.quotedIdentifier)"
        + " FOR EACH ROW\(condition) BEGIN UPDATE \(attribute.table) SET \(attribute.column) = \(value)"
        + " WHERE Z_PK = \(row); SELECT \(function)(\(table.name.sqlText), Z_ENT, Z_PK,"
        + " \(property.sqlText), \(attribute.column)) FROM \(attribute.table) WHERE Z_PK = \(row); END")
  }
  func step(_ suffix: String, _ event: String, row: String, value: String) -> TriggerLayout {
    trigger(
      suffix, on: keys.table, event: event, condition: "\(row).\(key) NOT NULL", value: value,
      row: "\(row).\(key)", function: "NSCoreDataDATriggerUpdatedAffectedObjectValue")
  }
  return [
    step("PARAMETER_INSERT", "INSERT", row: "NEW", value: "IFNULL(\(attribute.column), 0) + 1"),
    step("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", row: "NEW", value: "\(attribute.column) + 1"),
    step("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", row: "OLD", value: "\(attribute.column) - 1"),
    step("PARAMETER_DELETE", "DELETE", row: "OLD", value: "\(attribute.column) - 1"),
    // Not every row of the table may have the attribute.
    trigger(
      "SOURCE_INSERT", on: table.name, event: "INSERT",
      condition: entity == table.rootEntityName ? nil : "NEW.\(attribute.isOfEntity)",
      value: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(counted) WHERE \(key) = NEW.Z_PK)", row: "NEW.Z_PK",
      function: "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"),
  ]
}
