package import ManagedModel
package import PersistentStore

/// What of a custom step moves no object: mappings whose objects stay where they lie in a clone of the store, altered by
/// the statements of an inferred step. All other objects are recreated, beside them.
///
/// `CustomerToCustomer` keeps its rows and loses two columns; `CustomerToAddress`, of the same rows, makes new ones.
package struct RowKeepingMappings: Sendable {
  package struct Mapping: Sendable {
    /// Attributes whose values are computed once the statements are done.
    package var computed: Set<String> = []
    /// Relationships whose references the statements carry, at both ends.
    package var relationships: Set<String> = []
    /// To-ones whose keys the statements carry, to objects that are recreated with the same keys.
    package var references: Set<String> = []
    /// Whether the rows still have all columns that they had, under the same names.
    package var keepsColumns = false
    /// The entity number that the rows have until their values are computed; nil if it is the new one already.
    package var formerNumber: Int?
  }

  /// By their number in the mapping model.
  package var mappings: [Int: Mapping]
  /// Relationships of the destination whose references stay, by the entity that declares them.
  package var relationships: Set<PropertyReference>
  /// Those whose keys stand in rows before their objects are made.
  package var references: Set<PropertyReference>
  /// Mappings that SQL could carry out, were it not for cells that it would take for something else.
  package var byObjects: Set<Int>
  /// What alters the clone before objects are made.
  package var statements: [StoreStatement]
  /// Indexes and triggers that wait until all objects are there.
  package var ending: [StoreStatement]
  /// The schema when all is done.
  package var schema: StoreSchema
  /// Tables whose objects or references may break a rule that they did not break before.
  package var touchedTables: TouchedTables

  /// The schema without the indexes that are built at the end.
  var schemaOfWork: StoreSchema {
    let late = Set(ending.compactMap(\.createdIndexName))
    var schema = schema
    for index in schema.tables.indices { schema.tables[index].indexes.removeAll { late.contains($0.name) } }
    return schema
  }
}

extension StoreStatement {
  var createdIndexName: String? { if case .createIndex(let index) = self { index.name } else { nil } }
}
