import ManagedModel
import PersistentStore

/// Two stores that become one: `temp.modelc_same` says which object each one of the source becomes, by the number of its
/// table's root entity.
extension PairedSchema {
  /// The column of an attribute, an element of a composite, or a to-one relationship.
  func column(named name: String, of entity: String, in table: Table) -> Column? {
    guard let reference = hierarchy.reference(to: name, seenFrom: entity) else { return nil }
    return table.column(.attribute(reference)) ?? table.column(.toOne(reference))
  }

  /// A cell as it compares: where its value may lie in a file, the value itself.
  ///
  /// - Parameter side: 0 for the source, 1 for the store.
  func cell(_ column: String, side: Int, of role: ColumnRole) -> String {
    guard case .attribute(let reference) = role,
      hierarchy.attribute(reference)?.allowsExternalBinaryDataStorage == true
    else { return column }
    return "modelc_large(\(side), \(column))"
  }

  /// The to-one relationship that leads back, where both ends are one object; each has a column then.
  func toOneInverse(of role: ColumnRole) -> PropertyReference? {
    guard case .toOne(let reference) = role, let inverse = hierarchy.inverse(of: reference),
      hierarchy.relationship(inverse)?.isToMany == false
    else { return nil }
    return inverse
  }

  /// The object that a key of the source becomes; NULL where the source has none of that key.
  func mapped(_ key: String, in table: Table) -> String {
    "(SELECT new FROM temp.modelc_same WHERE root = \(table.root) AND old = \(key))"
  }
}
