import ManagedModel
import PersistentStore

/// The tables of a store, and of one that is attached to it as `source`, both of one version, and the account of their
/// objects: `temp.modelc_same` says which object each one of the source becomes.
struct MergedSchema {
  let old: StoreSchema
  let new: StoreSchema
  let hierarchy: EntityHierarchy

  /// The table of a root entity in both stores.
  struct Table {
    let name: String
    /// The names in quotes.
    let new: String
    let old: String
    /// The root entity's number in the store, by which the account knows the table.
    let root: Int
    let columns: [Column]
    let entities: [Entity]

    func column(_ role: ColumnRole) -> Column? { columns.first { $0.role == role } }
  }

  /// A column of both stores, its names in quotes.
  typealias Column = (name: String, former: String, role: ColumnRole)

  /// An entity with its numbers in the two stores.
  struct Entity {
    let name: String
    let number: Int
    let formerNumber: Int
  }

  var tables: [Table] {
    new.tables.compactMap { table in
      guard let former = old.tables.first(where: { $0.rootEntityName == table.rootEntityName }),
        let root = new.entity(named: table.rootEntityName)?.number
      else { return nil }
      return Table(
        name: table.name, new: table.name.quotedIdentifier, old: former.name.quotedIdentifier, root: root,
        columns: table.columns.compactMap { column in
          former.column(for: column.role).map {
            (column.name.quotedIdentifier, $0.name.quotedIdentifier, column.role)
          }
        },
        entities: new.entities.filter { $0.rootEntityName == table.rootEntityName }.compactMap { entity in
          old.entity(named: entity.name).map {
            Entity(name: entity.name, number: entity.number, formerNumber: $0.number)
          }
        })
    }
  }

  /// The column of an attribute, an element of a composite, or a to-one relationship.
  func column(named name: String, of entity: String, in table: Table) -> Column? {
    guard let reference = hierarchy.reference(to: name, seenFrom: entity) else { return nil }
    return table.column(.attribute(reference)) ?? table.column(.toOne(reference))
  }

  /// The table that a column's keys lead to.
  func target(of role: ColumnRole) -> (new: String, old: String, root: Int)? {
    guard let name = hierarchy.entityReferred(toBy: role), let table = new.table(ofEntity: name),
      let former = old.table(ofEntity: name), let root = new.entity(named: table.rootEntityName)?.number
    else { return nil }
    return (table.name.quotedIdentifier, former.name.quotedIdentifier, root)
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
  func mapped(_ key: String, root: Int) -> String {
    "(SELECT new FROM temp.modelc_same WHERE root = \(root) AND old = \(key))"
  }

  /// An entity's number in the source, as it is in the store.
  func mappedNumber(_ number: String) -> String {
    let pairs = new.entities.compactMap { entity in
      old.entity(named: entity.name).map { ($0.number, entity.number) }
    }
    if pairs.allSatisfy({ $0 == $1 }) { return number }
    return "CASE \(number) \(pairs.map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")) END"
  }
}
