/// How the objects of a model lie in a store: tables, columns, join tables, indexes, entity numbers.
///
/// One type serves both cases: `layOutStore` derives a new store's schema from a model, `bindSchema` reads an
/// existing store's and binds its real names to the model. Whoever reads rows or alters a store asks this value
/// for names and never derives them again.
public struct StoreSchema: Hashable, Sendable {
  /// In numbering order.
  public var entities: [EntityLayout]
  /// Tables of root entities, in the order of their entity's number.
  public var tables: [TableLayout]
  /// In the order of creation: each after its owner's table.
  public var joinTables: [JoinTableLayout]
  /// What keeps derived attributes up to date, in the order of creation.
  public var triggers: [TriggerLayout]

  public init(
    entities: [EntityLayout], tables: [TableLayout], joinTables: [JoinTableLayout],
    triggers: [TriggerLayout] = []
  ) {
    self.entities = entities
    self.tables = tables
    self.joinTables = joinTables
    self.triggers = triggers
  }

  public func entity(named name: String) -> EntityLayout? { entities.first { $0.name == name } }

  /// The table that holds the entity's rows: its root entity's.
  public func table(ofEntity name: String) -> TableLayout? {
    guard let entity = entity(named: name) else { return nil }
    return tables.first { $0.rootEntityName == entity.rootEntityName }
  }

  /// The join table of a many-to-many relationship, asked from either side.
  public func joinTable(of relationship: PropertyReference) -> JoinTableLayout? {
    joinTables.first { $0.source == relationship || $0.destination == relationship }
  }
}

/// A property by the entity that declares it: inherited properties are known by their ancestor.
public struct PropertyReference: Hashable, Sendable {
  public var entity: String
  public var property: String

  public init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }
}

/// An entity's row in `Z_PRIMARYKEY`.
public struct EntityLayout: Hashable, Sendable {
  public var name: String
  /// `Z_ENT`, counted from 1.
  public var number: Int
  public var superentityName: String?
  public var rootEntityName: String
  /// The name that stands in `Z_PRIMARYKEY`, which after a rename may be an older one.
  public var recordedName: String

  public init(
    name: String, number: Int, superentityName: String?, rootEntityName: String, recordedName: String? = nil
  ) {
    self.name = name
    self.number = number
    self.superentityName = superentityName
    self.rootEntityName = rootEntityName
    self.recordedName = recordedName ?? name
  }
}

/// The table of a root entity and all its descendants.
public struct TableLayout: Hashable, Sendable {
  public var name: String
  public var rootEntityName: String
  /// In the order of the `CREATE TABLE` text, beginning with `Z_PK`, `Z_ENT`, `Z_OPT`.
  public var columns: [ColumnLayout]
  /// Inline `CONSTRAINT … UNIQUE` clauses of frameworks up to 754: constraint name and columns.
  public var inlineConstraints: [InlineConstraint]
  public var indexes: [IndexLayout]
  /// Indexes of the model that no statement of ours makes.
  public var unmadeIndexes: [UnmadeIndex]

  public init(
    name: String, rootEntityName: String, columns: [ColumnLayout], inlineConstraints: [InlineConstraint] = [],
    indexes: [IndexLayout] = [], unmadeIndexes: [UnmadeIndex] = []
  ) {
    self.name = name
    self.rootEntityName = rootEntityName
    self.columns = columns
    self.inlineConstraints = inlineConstraints
    self.indexes = indexes
    self.unmadeIndexes = unmadeIndexes
  }

  public func column(for role: ColumnRole) -> ColumnLayout? { columns.first { $0.role == role } }
}

public struct InlineConstraint: Hashable, Sendable {
  public var name: String
  public var columnNames: [String]

  public init(name: String, columnNames: [String]) {
    self.name = name
    self.columnNames = columnNames
  }
}

/// One column and what it holds.
public struct ColumnLayout: Hashable, Sendable {
  public var name: String
  /// The declared type: `INTEGER`, `VARCHAR`, `TIMESTAMP`, …
  public var declaredType: String
  public var role: ColumnRole

  public init(name: String, declaredType: String, role: ColumnRole) {
    self.name = name
    self.declaredType = declaredType
    self.role = role
  }
}

public enum ColumnRole: Hashable, Sendable {
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
}

/// The table of a many-to-many relationship and its inverse.
public struct JoinTableLayout: Hashable, Sendable {
  public var name: String
  /// The relationship after which the table is named.
  public var source: PropertyReference
  /// Its inverse; the same as ``source`` where a relationship is its own inverse.
  public var destination: PropertyReference
  /// Holds keys of ``source``'s entity.
  public var sourceColumn: String
  /// Holds keys of ``destination``'s entity, that is, the objects that `source` leads to.
  public var destinationColumn: String
  /// The place of a source object in the ordered `destination` relationship, where that is ordered.
  public var sourceOrderColumn: String?
  /// The place of a destination object in the ordered `source` relationship, where that is ordered.
  public var destinationOrderColumn: String?
  public var indexes: [IndexLayout]

  public init(
    name: String, source: PropertyReference, destination: PropertyReference, sourceColumn: String,
    destinationColumn: String, sourceOrderColumn: String? = nil, destinationOrderColumn: String? = nil,
    indexes: [IndexLayout] = []
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.sourceColumn = sourceColumn
    self.destinationColumn = destinationColumn
    self.sourceOrderColumn = sourceOrderColumn
    self.destinationOrderColumn = destinationOrderColumn
    self.indexes = indexes
  }
}

/// An index: its name and the statement that creates it.
public struct IndexLayout: Hashable, Sendable {
  public var name: String
  public var sql: String
  /// The columns that it orders every row by; empty where it holds expressions, or only rows for which a condition holds.
  public var columnNames: [String]

  public init(name: String, sql: String, columnNames: [String]) {
    self.name = name
    self.sql = sql
    self.columnNames = columnNames
  }
}

/// A fetch index of a model that a store does not get from us, because it has no form in SQL that every SQLite carries
/// out, or because no genuine store shows what Core Data makes of it.
public struct UnmadeIndex: Hashable, Sendable {
  /// The name that a fetch index has in a store.
  public var name: String
  public var entity: String
  /// Its name in the model.
  public var index: String
  /// What stands against it, in words.
  public var reason: String
  /// Whether it is an R-tree, which would be a table of its own.
  public var isRTree: Bool

  public init(name: String, entity: String, index: String, reason: String, isRTree: Bool = false) {
    self.name = name
    self.entity = entity
    self.index = index
    self.reason = reason
    self.isRTree = isRTree
  }
}

/// A trigger: its name, the table that fires it and the statement that creates it.
public struct TriggerLayout: Hashable, Sendable {
  public var name: String
  public var tableName: String
  public var sql: String

  public init(name: String, tableName: String, sql: String) {
    self.name = name
    self.tableName = tableName
    self.sql = sql
  }
}
