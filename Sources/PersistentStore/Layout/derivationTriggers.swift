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
      return CountedRelationship(
        attribute: column, table: table.name, countedTable: keys.table, countedColumn: keys.column,
        condition: entity == table.rootEntityName ? nil : "NEW.\(column.isOfEntity)"
      ).triggers
    }
  }
}

/// A derived attribute that counts the objects of a to-many.
private struct CountedRelationship {
  var attribute: DerivedColumn
  var table: String
  /// The table and column whose values are keys of the counting objects.
  var countedTable: String
  var countedColumn: String
  /// That a new row has the attribute; nil if all of the table's have it.
  var condition: String?

  var triggers: [TriggerLayout] {
    let (counted, key) = (countedTable.quotedIdentifier, countedColumn.quotedIdentifier)
    return [
      step("PARAMETER_INSERT", "INSERT", row: "NEW", value: "IFNULL(\(attribute.column), 0) + 1"),
      step("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", row: "NEW", value: "\(attribute.column) + 1"),
      step("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", row: "OLD", value: "\(attribute.column) - 1"),
      step("PARAMETER_DELETE", "DELETE", row: "OLD", value: "\(attribute.column) - 1"),
      trigger(
        "SOURCE_INSERT", on: table, event: "INSERT", condition: condition,
        value: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(counted) WHERE \(key) = NEW.Z_PK)", row: "NEW.Z_PK",
        function: "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"),
    ]
  }

  private func step(_ suffix: String, _ event: String, row: String, value: String) -> TriggerLayout {
    let key = "\(row).\(countedColumn.quotedIdentifier)"
    return trigger(
      suffix, on: countedTable, event: event, condition: "\(key) NOT NULL", value: value, row: key,
      function: "NSCoreDataDATriggerUpdatedAffectedObjectValue")
  }

  private func trigger(
    _ suffix: String, on firing: String, event: String, condition: String?, value: String, row: String,
    function: String
  ) -> TriggerLayout {
    let name = "Z_DA_\(firing)_\(attribute.reference.entity)_\(attribute.reference.property)_\(suffix)"
    let condition = condition.map { " WHEN (\($0))" } ?? ""
    return TriggerLayout(
      name: name, tableName: firing,
      sql: "CREATE TRIGGER \(name.quotedIdentifier) AFTER \(event) ON \(firing.quotedIdentifier)"
        + " FOR EACH ROW\(condition) BEGIN UPDATE \(attribute.table) SET \(attribute.column) = \(value)"
        + " WHERE Z_PK = \(row); SELECT \(function)(\(table.sqlText), Z_ENT, Z_PK,"
        + " \(attribute.reference.property.sqlText), \(attribute.column)) FROM \(attribute.table)"
        + " WHERE Z_PK = \(row); END")
  }
}
