import Expressions
import ManagedModel
import ModelMapping
package import PersistentStore
package import StoreFiles
package import StoreVerification

/// What of a custom step moves no object: mappings whose objects stay where they lie in a clone of the store, altered by
/// the statements of an inferred step. All other objects are made anew, beside them.
///
/// `CustomerToCustomer` keeps its rows and loses two columns; `CustomerToAddress`, of the same rows, makes new ones.
package struct CarriedMappings: Sendable {
  /// One of them.
  package struct Mapping: Sendable {
    /// Attributes whose values are computed once the statements are done.
    package var computed: Set<String> = []
    /// Relationships whose references the statements carry, at both ends.
    package var relationships: Set<String> = []
    /// To-ones whose keys the statements carry, to objects that are made anew with the same keys.
    package var references: Set<String> = []
    /// Whether the rows still have all columns that they had, under the same names.
    package var keepsColumns = false
    /// The entity number that the rows have until their values are computed; nil where it is the new one already.
    package var formerNumber: Int?

    package init() {}
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

  package init(
    mappings: [Int: Mapping], relationships: Set<PropertyReference>, references: Set<PropertyReference>,
    byObjects: Set<Int>, statements: [StoreStatement], ending: [StoreStatement], schema: StoreSchema,
    touchedTables: TouchedTables
  ) {
    self.mappings = mappings
    self.relationships = relationships
    self.references = references
    self.byObjects = byObjects
    self.statements = statements
    self.ending = ending
    self.schema = schema
    self.touchedTables = touchedTables
  }

  /// The schema without the indexes that are built at the end.
  var schemaOfWork: StoreSchema {
    let late = Set(
      ending.compactMap { statement in
        if case .createIndex(let index) = statement { index.name } else { nil }
      })
    var schema = schema
    for index in schema.tables.indices {
      schema.tables[index].indexes.removeAll { late.contains($0.name) }
    }
    return schema
  }
}

extension CustomStep {
  /// Mappings that make one object with the same key of each object that they take: which of them could leave their
  /// objects where they lie, because SQL tells their values, and which make them anew. And of all mappings, those that SQL
  /// could carry out were it not for cells of the store.
  ///
  /// - Parameters:
  ///   - rows: of the store.
  ///   - layout: of the destination's tables.
  package func keyedMappings(
    from rows: ObjectRows, _ physical: PhysicalSchema, to layout: StoreSchema
  ) throws -> KeyedMappingNumbers {
    var found = KeyedMappingNumbers()
    if goesByObjects { return found }
    let source = ManagedObjectContext(rows)
    let destination = ManagedObjectContext(
      ObjectRows(rows.db, schema: layout, model: destination.model.restricted(toConfiguration: configuration))
    )
    let work = try makeWork(self, source: source, destination: destination, physical: physical)
    planTransfers(work, source: source, destination: destination)
    for work in work {
      guard let transfer = work.transfer else { continue }
      if try !transfer.readsProperValues(of: rows.db) { found.byObjects.insert(work.number) }
    }
    found.asked = Set(work.filter { $0.transfer != nil }.map(\.number))
    var taken: Set<String> = []
    // Of several mappings of the same objects, one can keep them: the one that keeps their name.
    func keepsName(_ work: MappingWork) -> Bool {
      work.mapping.sourceEntityName == work.mapping.destinationEntityName
    }
    for work in work.filter(keepsName) + work.filter({ !keepsName($0) }) {
      guard let from = work.source, let to = work.destination, work.isKeyed,
        work.mapping.onDrop == .nullify, mappingModel.mappings(toEntity: to.name).count == 1,
        layout.table(ofEntity: to.name)?.inlineConstraints.isEmpty == true,
        try rows.strayCount(inTableOf: from.name) == 0
      else { continue }
      // An abstract entity has no objects; its properties say what those of its heirs are.
      let isTold =
        try to.isAbstract
        ? rows.count(ofEntity: from.name) == 0
        : work.transfer != nil && !found.byObjects.contains(work.number)
      if to.isAbstract, !isTold { continue }
      guard taken.insert(from.name).inserted else { continue }
      if isTold, work.mapping.filter == nil, work.policyName == nil {
        found.staying.insert(work.number)
      } else {
        found.made.insert(work.number)
      }
    }
    return found
  }
}

/// What ``CustomStep/keyedMappings(from:_:to:)`` finds, by the mappings' numbers.
package struct KeyedMappingNumbers {
  package var staying: Set<Int> = []
  package var made: Set<Int> = []
  package var byObjects: Set<Int> = []
  /// Mappings whose cells were looked at.
  package var asked: Set<Int> = []
}

// MARK: - Carrying out

extension Passes {
  /// Computes what the statements left open for the objects of a mapping that stay.
  ///
  /// - Returns: false where none stay.
  func carried(_ work: MappingWork) throws -> Bool {
    guard let carried = work.carried, let shape = work.destination else { return false }
    guard !shape.isAbstract, let transfer = work.transfer else { return true }
    let slots =
      carried.computed.compactMap { shape.attribute($0)?.slot }
      + work.fills.filter { !$0.stands }.map(\.toOne.keySlot)
    try failing(work) {
      try transfer.update(
        Set(slots).sorted(), of: carried.formerNumber, in: db, ownRows: carried.keepsColumns,
        now: manager.evaluation.now)
    }
    work.takenCount = try work.source.map { try manager.sourceContext.rows.count(ofEntity: $0.name) } ?? 0
    manager.associations.addKeyed(work.takenCount, mapping: work.number)
    return true
  }

  /// Lets the objects that stay be found from now on: it is their mapping's turn.
  func show(_ work: MappingWork) {
    guard work.carried != nil, let shape = work.destination else { return }
    manager.destinationContext.rows.hiddenKeys[shape.number] = nil
    manager.associations.hidden.remove(work.number)
  }

  /// Objects that stay are there before it is their mapping's turn: until then nobody finds them.
  func hideCarried() throws {
    for work in work where work.carried != nil {
      guard let shape = work.destination, !shape.isAbstract else { continue }
      // New objects of the entity have keys above these.
      manager.destinationContext.rows.hiddenKeys[shape.number] =
        manager.destinationContext.reservedKeys[shape.rootEntityName]?.value
      manager.associations.hidden.insert(work.number)
    }
    manager.destinationContext.early = carried.relationships.union(carried.references)
    for work in work {
      for fill in work.fills {
        manager.destinationContext.early.insert(fill.toOne.reference)
        if let inverse = manager.destinationContext.inverse(of: fill.toOne) {
          manager.destinationContext.early.insert(inverse)
        }
      }
    }
  }

  /// Gives up that references stay, because somebody looks at them before they are due.
  func openRelationships() throws {
    settled = []
    touchedTables = nil
    let rows = manager.destinationContext.rows
    for work in work {
      guard let names = work.carried?.relationships, !names.isEmpty, let shape = work.destination else {
        continue
      }
      for name in names { try rows.clear(name, of: shape) }
      work.carried?.relationships = []
    }
  }

  /// Gives up that objects stay whose mapping's turn is yet to come, because somebody states what becomes of them.
  func makeAnew() throws {
    let rows = manager.destinationContext.rows
    try takeBackReferences()
    for work in work where manager.associations.hidden.contains(work.number) {
      guard let shape = work.destination else { continue }
      show(work)
      try rows.deleteAll(shape)
      work.carried = nil
    }
  }

  /// Ends a clone: indexes, derived values, triggers, Core Data's own tables, metadata.
  func complete(_ carried: CarriedMappings) throws {
    func run(where isIncluded: (StoreStatement) -> Bool) throws {
      for statement in carried.ending where isIncluded(statement) { _ = try execute(statement, in: db) }
    }
    func isTrigger(_ statement: StoreStatement) -> Bool {
      if case .createTrigger = statement { true } else { false }
    }
    try run { !isTrigger($0) }
    for sql in derivedValueStatements(for: model, in: schema) {
      _ = try execute(.deriveValues(sql: sql), in: db)
    }
    try run(where: isTrigger)
    try writePrimaryKeys(of: schema, formerMaxima: manager.destinationContext.reservedKeys, in: db)
    try writeModelCache(of: model, to: db)
    try restartHistory(of: physical, model: model, frameworkVersion: metadata.frameworkVersion ?? 0, in: db)
    try writeStoreMetadata(
      metadata.updated(for: step.destination, configuration: step.configuration), to: db)
  }
}
