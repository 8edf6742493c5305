package import ManagedModel

/// How the objects of a model lie in a store: tables, columns, join tables, indexes, entity numbers.
///
/// One type serves both cases: `layOutStore` derives a new store's schema from a model, `bindSchema` reads an
/// existing store's and binds its real names to the model. Whoever reads rows or alters a store asks this value
/// for names and never derives them again.
package struct StoreSchema: Hashable, Sendable {
  /// In numbering order. As of tables, which there are, and in which order, stays.
  package var entities: [EntityLayout]
  /// Tables of root entities, in the order of their entity's number. Each may change; which there are, and in which order,
  /// stays.
  package var tables: [TableLayout]
  /// In the order of creation: each after its owner's table. As of tables, which there are stays.
  package var joinTables: [JoinTableLayout]
  /// What keeps derived attributes up to date, in the order of creation.
  package var triggers: [TriggerLayout]
  private let entityPlaces: [String: Int]
  /// By the root entity.
  private let tablePlaces: [String: Int]
  /// By the relationships of both sides.
  private let joinPlaces: [PropertyReference: Int]

  package init(
    entities: [EntityLayout], tables: [TableLayout], joinTables: [JoinTableLayout],
    triggers: [TriggerLayout] = []
  ) {
    (self.entities, self.tables, self.joinTables, self.triggers) = (entities, tables, joinTables, triggers)
    entityPlaces = Dictionary(firstOf: entities.enumerated().map { ($1.name, $0) })
    tablePlaces = Dictionary(firstOf: tables.enumerated().map { ($1.rootEntityName, $0) })
    joinPlaces = Dictionary(
      firstOf: joinTables.enumerated().flatMap { place, join in join.sides.map { ($0.relationship, place) } })
  }

  package func entity(named name: String) -> EntityLayout? { entityPlaces[name].map { entities[$0] } }

  /// The table that holds the entity's rows: its root entity's.
  package func table(ofEntity name: String) -> TableLayout? {
    entity(named: name).flatMap { tablePlaces[$0.rootEntityName] }.map { tables[$0] }
  }

  package func entities(in table: TableLayout) -> [EntityLayout] {
    entities.filter { $0.rootEntityName == table.rootEntityName }
  }

  /// The join table of a many-to-many relationship, asked from either side.
  package func joinTable(of relationship: PropertyReference) -> JoinTableLayout? {
    joinPlaces[relationship].map { joinTables[$0] }
  }

  /// The same with the relationship's own side as the near one.
  package func joinTable(seenFrom relationship: PropertyReference) -> JoinTableLayout? {
    joinTable(of: relationship).map { $0.source == relationship ? $0 : $0.reversed }
  }

  /// Where the keys of the objects at the near end of a to-many stand: in a join table, or in the destination's.
  package func ownerKeys(
    of relationship: String, seenFrom entity: String, hierarchy: EntityHierarchy
  ) -> (table: String, column: String)? {
    guard let description = hierarchy.relationship(named: relationship, of: entity), description.isToMany,
      let reference = hierarchy.reference(to: relationship, seenFrom: entity)
    else { return nil }
    if let join = joinTable(seenFrom: reference) { return (join.name, join.near.column) }
    guard let table = table(ofEntity: description.destinationEntityName) else { return nil }
    let inverse = hierarchy.storedInverse(of: reference)
    return table.column(for: inverse.map { .toOne($0) } ?? .owner(reference)).map { (table.name, $0.name) }
  }

  /// The columns that hold keys, each with the entity that these are of: those of tables, then those of join tables.
  package func keyColumns(_ hierarchy: EntityHierarchy) -> [(table: String, column: String, entity: String)] {
    referenceColumns(hierarchy).map { ($0.table.name, $0.column.name, $0.entity) }
      + joinTables.flatMap { join in join.sides.map { (join.name, $0.column, $0.entity) } }
  }

  /// Those of tables of objects.
  package func referenceColumns(_ hierarchy: EntityHierarchy) -> [ReferenceColumn] {
    tables.flatMap { table in
      table.columns.compactMap { column -> ReferenceColumn? in
        guard let reference = column.role.property,
          let entity = hierarchy.entityReferred(toBy: column.role), let target = self.table(ofEntity: entity)
        else { return nil }
        return ReferenceColumn(
          table: table, column: column, reference: reference, entity: entity, target: target)
      }
    }
  }

  /// Of tables of objects, then of join tables.
  package var tableNames: [String] { tables.map(\.name) + joinTables.map(\.name) }

  package func numbers(of entities: [String]) -> [Int] { entities.compactMap { entity(named: $0)?.number } }

  var numbersByName: [String: Int] { Dictionary(firstOf: entities.map { ($0.name, $0.number) }) }

  package var namesByNumber: [Int64: String] {
    Dictionary(firstOf: entities.map { (Int64($0.number), $0.name) })
  }
}

/// A column of a table of objects that holds keys.
package struct ReferenceColumn {
  package var table: TableLayout
  package var column: ColumnLayout
  /// The to-one, or the to-many without inverse.
  package var reference: PropertyReference
  package var entity: String
  package var target: TableLayout

  /// Columns that are empty where it leads nowhere: its own, that of its place in an order and that of its entity number.
  package var emptied: [String] { table.columns.filter { $0.role.key == column.role }.map(\.name) }

  /// Assignments that make it lead nowhere.
  package var emptying: String { emptied.map { $0.quotedIdentifier + " = NULL" }.joined(separator: ", ") }
}

/// An entity's row in `Z_PRIMARYKEY`.
package struct EntityLayout: Hashable, Sendable {
  package var name: String
  /// `Z_ENT`, counted from 1.
  package var number: Int
  package var superentityName: String?
  package var rootEntityName: String
  /// The name that stands in `Z_PRIMARYKEY`, which after a rename may be an older one.
  package var recordedName: String
}

/// The table of a root entity and all its descendants.
package struct TableLayout: Hashable, Sendable {
  package var name: String
  package var rootEntityName: String
  /// In the order of the `CREATE TABLE` text, beginning with `Z_PK`, `Z_ENT`, `Z_OPT`.
  package var columns: [ColumnLayout] { didSet { places = Self.places(of: columns) } }
  /// Inline `CONSTRAINT … UNIQUE` clauses of frameworks up to 754: constraint name and columns.
  package var inlineConstraints: [InlineConstraint] = []
  package var indexes: [IndexLayout] = []
  /// Indexes of the model that no statement of ours makes.
  package var unmadeIndexes: [UnmadeIndex] = []
  /// The first column of each role: a table may have thousands.
  private var places: [ColumnRole: Int]

  package init(
    name: String, rootEntityName: String, columns: [ColumnLayout],
    inlineConstraints: [InlineConstraint] = [], indexes: [IndexLayout] = []
  ) {
    (self.name, self.rootEntityName, self.columns) = (name, rootEntityName, columns)
    (self.inlineConstraints, self.indexes, places) = (inlineConstraints, indexes, Self.places(of: columns))
  }

  private static func places(of columns: [ColumnLayout]) -> [ColumnRole: Int] {
    Dictionary(firstOf: columns.enumerated().map { ($1.role, $0) })
  }

  package func column(for role: ColumnRole) -> ColumnLayout? { places[role].map { columns[$0] } }
  package var unknownColumns: [ColumnLayout] { columns.filter { $0.role == .unknown } }
}

package struct InlineConstraint: Hashable, Sendable {
  package var name: String
  package var columnNames: [String]
}

package struct ColumnLayout: Hashable, Sendable {
  package var name: String
  /// The declared type: `INTEGER`, `VARCHAR`, `TIMESTAMP`, …
  package var declaredType: String
  package var role: ColumnRole
}

package enum ColumnRole: Hashable, Sendable {
  /// `Z_PK`
  case primaryKey
  /// `Z_ENT`: the number of the row's concrete entity.
  case entityNumber
  /// `Z_OPT`: 1 after the insert, one more with every saved update.
  case optimisticLock
  case attribute(PropertyReference)
  /// The key of a to-one's destination.
  case toOne(PropertyReference)
  /// `Z<n>_<NAME>`: the entity number of a to-one's destination, where that entity has sub-entities.
  case discriminator(PropertyReference)
  /// `Z_FOK_<NAME>`: the place in an ordered to-many, named after its to-one inverse, which the reference names.
  case order(PropertyReference)
  /// `Z<n><NAME>` in the destination's table: the owner in a to-many without inverse, which the reference names.
  case owner(PropertyReference)
  /// `Z_FOK_<n><NAME>`: the place in an ordered to-many without inverse.
  case ownerOrder(PropertyReference)
  /// Nothing that the model knows of.
  case unknown

  package var property: PropertyReference? {
    switch self {
    case .attribute(let reference), .toOne(let reference), .discriminator(let reference),
      .order(let reference), .owner(let reference), .ownerOrder(let reference):
      reference
    case .primaryKey, .entityNumber, .optimisticLock, .unknown: nil
    }
  }

  /// The role of the column that holds the key of another object: itself, or the one that a number or a place belongs to
  /// and is empty with.
  package var key: ColumnRole? {
    switch self {
    case .toOne(let reference), .discriminator(let reference), .order(let reference): .toOne(reference)
    case .owner(let reference), .ownerOrder(let reference): .owner(reference)
    default: nil
    }
  }

  package var holdsKeys: Bool { key == self }

  /// Of a place in an order, the role of the column that says in whose order it is.
  package var placedBy: ColumnRole? {
    switch self {
    case .order, .ownerOrder: key
    default: nil
    }
  }
}

extension EntityHierarchy {
  /// Whether rows of an entity have a property of theirs, or what owns them, in a column.
  package func uses(_ role: ColumnRole, entity: String) -> Bool {
    switch role {
    case .owner(let reference), .ownerOrder(let reference):
      relationship(reference).map { isKind(entity, of: $0.destinationEntityName) } ?? false
    default: role.property.map { isKind(entity, of: $0.entity) } ?? false
    }
  }

  package func entityReferred(toBy role: ColumnRole) -> String? {
    switch role {
    case .toOne(let reference): relationship(reference)?.destinationEntityName
    case .owner(let reference): reference.entity
    default: nil
    }
  }
}

/// The table of a many-to-many relationship and its inverse.
package struct JoinTableLayout: Hashable, Sendable {
  /// One of the two relationships, with the columns of the objects that have it.
  package struct Side: Hashable, Sendable {
    package var relationship: PropertyReference
    /// Holds their keys.
    package var column: String
    /// Holds their places in the order of the other side, where that is ordered.
    package var order: String?

    package var entity: String { relationship.entity }
  }

  package var name: String
  /// That of the relationship after which the table is named, unless it is seen from the other.
  package var near: Side
  package var far: Side
  package var indexes: [IndexLayout] = []

  package var source: PropertyReference { near.relationship }
  /// The inverse; the same as ``source`` where a relationship is its own inverse.
  package var destination: PropertyReference { far.relationship }
  package var sides: [Side] { [near, far] }
  /// Whether it holds both directions of a relationship that is its own inverse.
  package var isOwnInverse: Bool { source == destination }

  package var reversed: JoinTableLayout {
    JoinTableLayout(name: name, near: far, far: near, indexes: indexes)
  }

  /// The cells of a row, as its insertion wants them.
  ///
  /// - Parameters:
  ///   - order: the far object's place among the near one's.
  ///   - otherOrder: the near object's place among the far one's.
  package func cells(
    _ near: Int64, _ far: Int64, order: Int64, otherOrder: @autoclosure () -> Int64
  ) -> [Int64] {
    var cells = [near, far]
    if self.far.order != nil { cells.append(order) }
    if self.near.order != nil { cells.append(otherOrder()) }
    return cells
  }
}

/// An index: its name and the statement that creates it.
package struct IndexLayout: Hashable, Sendable {
  package var name: String
  package var sql: String
  /// The columns that it orders every row by; empty if it holds expressions, or only rows for which a condition holds.
  package var columnNames: [String]

  package var isUnique: Bool { sql.uppercased().hasPrefix("CREATE UNIQUE") }
}

/// A fetch index of a model that a store does not get from us, because it has no form in SQL that every SQLite carries
/// out, or because no genuine store shows what Core Data makes of it.
package struct UnmadeIndex: Hashable, Sendable {
  /// The name that a fetch index has in a store.
  package var name: String
  package var entity: String
  /// Its name in the model.
  package var index: String
  /// What prevents it, in words.
  package var reason: String
  /// Whether it is an R-tree, which would be a table of its own.
  package var isRTree = false

  /// What to do about it, in words.
  package var advice: String {
    isRTree
      ? "fetches with `indexed:by:` rely on it: let Core Data create it, in a store that it migrates or creates itself"
      : "without it fetches are slow, not wrong; let Core Data create it, or index a stored attribute"
  }
}
