package import ManagedModel

extension StoreSchema {
  /// The triggers with which Core Data keeps a count over a to-many up to date (store-format.md 7).
  ///
  /// Genuine stores show the text for the count of a one-to-many; a many-to-many has the same text over its join
  /// table. Other derivations have no trigger here, because no genuine text is known: their values are computed
  /// when rows are written.
  package func derivationTriggers(hierarchy: EntityHierarchy) -> [TriggerLayout] {
    var counted: [CountedRelationship] = []
    for entity in entities.compactMap({ hierarchy.entity(named: $0.name) }) {
      for attribute in entity.attributes.sorted(by: { $0.name.precedesInCodePointOrder($1.name) }) {
        let reference = PropertyReference(entity: entity.name, property: attribute.name)
        guard !attribute.isTransient, let derivation = attribute.derivationExpression,
          let match = derivation.wholeMatch(of: #/(\w+)\.@count/#),
          let table = self.table(ofEntity: entity.name),
          let column = table.column(for: .attribute(reference)),
          let keys = ownerKeys(of: String(match.1), seenFrom: entity.name, hierarchy: hierarchy)
        else { continue }
        let kinds = Set(hierarchy.descendantNames(includingSelf: entity.name))
        let numbers = entities.filter { kinds.contains($0.name) }.map(\.number)
        counted.append(
          CountedRelationship(
            attribute: reference, table: table.name, column: column.name, countedTable: keys.table,
            countedColumn: keys.column, entityNumbers: entity.name == table.rootEntityName ? nil : numbers))
      }
    }
    return counted.flatMap(\.triggers)
  }
}

/// A derived attribute that counts the objects of a to-many.
struct CountedRelationship {
  var attribute: PropertyReference
  /// The table and column of the derived attribute.
  var table: String
  var column: String
  /// The table and column whose values are keys of the counting objects.
  var countedTable: String
  var countedColumn: String
  /// The numbers of the entities that have the attribute; nil if all of the table's have it.
  var entityNumbers: [Int]?

  var triggers: [TriggerLayout] {
    let (counted, key) = (countedTable.quotedIdentifier, countedColumn.quotedIdentifier)
    return [
      step("PARAMETER_INSERT", "INSERT", row: "NEW", value: "IFNULL(\(quotedColumn), 0) + 1"),
      step("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", row: "NEW", value: "\(quotedColumn) + 1"),
      step("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", row: "OLD", value: "\(quotedColumn) - 1"),
      step("PARAMETER_DELETE", "DELETE", row: "OLD", value: "\(quotedColumn) - 1"),
      trigger(
        "SOURCE_INSERT", on: table, event: "INSERT",
        condition: entityNumbers.map { "NEW.Z_ENT IN (\($0.map(String.init).joined(separator: ", ")))" },
        value: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(counted) WHERE \(key) = NEW.Z_PK)", row: "NEW.Z_PK",
        function: "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"),
    ]
  }

  private var quotedColumn: String { column.quotedIdentifier }

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
    let name = "Z_DA_\(firing)_\(attribute.entity)_\(attribute.property)_\(suffix)"
    let owner = table.quotedIdentifier
    let condition = condition.map { " WHEN (\($0))" } ?? ""
    return TriggerLayout(
      name: name, tableName: firing,
      sql: "CREATE TRIGGER \(name.quotedIdentifier) AFTER \(event) ON \(firing.quotedIdentifier)"
        + " FOR EACH ROW\(condition) BEGIN UPDATE \(owner) SET \(quotedColumn) = \(value)"
        + " WHERE Z_PK = \(row); SELECT \(function)(\(table.sqlText), Z_ENT, Z_PK,"
        + " \(attribute.property.sqlText), \(quotedColumn)) FROM \(owner) WHERE Z_PK = \(row); END")
  }
}
