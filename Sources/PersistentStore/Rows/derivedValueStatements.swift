package import ManagedModel
import StoreFiles

/// Statements that compute derived attributes anew, one per attribute, for writers that run without triggers.
///
/// Counts and sums over a to-many and values of a to-one's destination are computed; text functions and `now()`
/// are left as they were written.
package func derivedValueStatements(for model: ManagedObjectModel, in schema: StoreSchema) -> [String] {
  derivedColumns(in: schema, hierarchy: EntityHierarchy(model)).map { column in
    "UPDATE \(column.table) SET \(column.column) = (\(column.value)) WHERE \(column.isOfEntity)"
  }
}

/// The column of a derived attribute that the store's own rows tell.
package struct DerivedColumn {
  var attribute: AttributeDescription
  package var reference: PropertyReference
  package var derivation: String
  /// Quoted, as the column.
  package var table: String
  package var column: String
  /// A scalar subquery over the row of the table.
  package var value: String
  /// That a row has the attribute.
  package var isOfEntity: String
}

package func derivedColumns(in schema: StoreSchema, hierarchy: EntityHierarchy) -> [DerivedColumn] {
  var columns: [DerivedColumn] = []
  for entity in schema.entities.compactMap({ hierarchy.entity(named: $0.name) }) {
    for attribute in entity.attributes.sorted(by: { $0.name.precedesInCodePointOrder($1.name) }) {
      let reference = PropertyReference(entity: entity.name, property: attribute.name)
      guard !attribute.isTransient, let derivation = attribute.derivationExpression,
        let table = schema.table(ofEntity: entity.name),
        let column = table.column(for: .attribute(reference)),
        let value = derivedValue(derivation, of: entity.name, in: schema, hierarchy: hierarchy)
      else { continue }
      let kinds = Set(hierarchy.descendantNames(includingSelf: entity.name))
      let numbers = schema.entities.filter { kinds.contains($0.name) }.map { String($0.number) }
      columns.append(
        DerivedColumn(
          attribute: attribute, reference: reference, derivation: derivation,
          table: quotedIdentifier(table.name), column: quotedIdentifier(column.name), value: value,
          isOfEntity: "Z_ENT IN (\(numbers.joined(separator: ", ")))"))
    }
  }
  return columns
}

/// A scalar subquery over the row of `table` that is being updated.
private func derivedValue(
  _ derivation: String, of entity: String, in schema: StoreSchema, hierarchy: EntityHierarchy
) -> String? {
  guard let own = schema.table(ofEntity: entity).map({ quotedIdentifier($0.name) }) else { return nil }
  if let match = derivation.wholeMatch(of: #/(\w+)\.@count/#),
    let keys = schema.ownerKeys(of: String(match.1), seenFrom: entity, hierarchy: hierarchy)
  {
    return "SELECT COUNT(*) FROM \(quotedIdentifier(keys.table)) AS d"
      + " WHERE d.\(quotedIdentifier(keys.column)) = \(own).Z_PK"
  }
  if let match = derivation.wholeMatch(of: #/(\w+)\.@sum\.(\w+)|(\w+)\.(\w+)\.@sum/#) {
    let relationship = String(match.1 ?? match.3 ?? "")
    let property = String(match.2 ?? match.4 ?? "")
    return sum(property, over: relationship, of: entity, own: own, in: schema, hierarchy: hierarchy)
  }
  if let match = derivation.wholeMatch(of: #/(\w+)\.(\w+)/#) {
    return toOneValue(
      String(match.2), of: String(match.1), entity: entity, own: own, in: schema, hierarchy: hierarchy)
  }
  return nil
}

private func sum(
  _ property: String, over relationship: String, of entity: String, own: String, in schema: StoreSchema,
  hierarchy: EntityHierarchy
) -> String? {
  guard let keys = schema.ownerKeys(of: relationship, seenFrom: entity, hierarchy: hierarchy),
    let destination = hierarchy.relationship(named: relationship, of: entity)?.destinationEntityName,
    let column = attributeColumn(property, of: destination, in: schema, hierarchy: hierarchy),
    let table = schema.table(ofEntity: destination)
  else { return nil }
  let value = "d.\(quotedIdentifier(column))"
  let key = quotedIdentifier(keys.column)
  guard keys.table != table.name else {
    return
      "SELECT IFNULL(SUM(\(value)), 0) FROM \(quotedIdentifier(table.name)) AS d WHERE d.\(key) = \(own).Z_PK"
  }
  guard let join = schema.joinTables.first(where: { $0.name == keys.table }) else { return nil }
  let far = keys.column == join.sourceColumn ? join.destinationColumn : join.sourceColumn
  return "SELECT IFNULL(SUM(\(value)), 0) FROM \(quotedIdentifier(join.name)) AS j"
    + " JOIN \(quotedIdentifier(table.name)) AS d ON d.Z_PK = j.\(quotedIdentifier(far))"
    + " WHERE j.\(key) = \(own).Z_PK"
}

private func toOneValue(
  _ property: String, of relationship: String, entity: String, own: String, in schema: StoreSchema,
  hierarchy: EntityHierarchy
) -> String? {
  guard let description = hierarchy.relationship(named: relationship, of: entity), !description.isToMany,
    let declaring = hierarchy.declaringEntityName(of: relationship, seenFrom: entity),
    let key = schema.table(ofEntity: entity)?.column(
      for: .toOne(PropertyReference(entity: declaring, property: relationship))),
    let column = attributeColumn(
      property, of: description.destinationEntityName, in: schema, hierarchy: hierarchy),
    let table = schema.table(ofEntity: description.destinationEntityName)
  else { return nil }
  return "SELECT d.\(quotedIdentifier(column)) FROM \(quotedIdentifier(table.name)) AS d"
    + " WHERE d.Z_PK = \(own).\(quotedIdentifier(key.name))"
}

private func attributeColumn(
  _ property: String, of entity: String, in schema: StoreSchema, hierarchy: EntityHierarchy
) -> String? {
  hierarchy.declaringEntityName(of: property, seenFrom: entity).flatMap {
    schema.table(ofEntity: entity)?.column(for: .attribute(PropertyReference(entity: $0, property: property)))
  }?.name
}
