import Expressions
import ManagedModel
import ModelMapping
package import PersistentStore
package import StoreFiles

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

    package init() {}
  }

  /// By their number in the mapping model.
  package var mappings: [Int: Mapping]
  /// Relationships of the destination whose references stay, by the entity that declares them.
  package var relationships: Set<PropertyReference>
  /// What alters the clone before objects are made.
  package var statements: [StoreStatement]
  /// Indexes and triggers that wait until all objects are there.
  package var ending: [StoreStatement]
  /// The schema when all is done.
  package var schema: StoreSchema
  /// Tables whose objects or references may break a rule that they did not break before.
  package var touchedTables: Set<String>

  package init(
    mappings: [Int: Mapping], relationships: Set<PropertyReference>, statements: [StoreStatement],
    ending: [StoreStatement], schema: StoreSchema, touchedTables: Set<String>
  ) {
    self.mappings = mappings
    self.relationships = relationships
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
  /// Mappings that could leave their objects where they lie, by number: each object becomes one with its key, with values
  /// that SQL tells.
  ///
  /// None where a policy, or an expression, may look for objects of the destination: it would find those that are yet to
  /// come.
  ///
  /// - Parameters:
  ///   - rows: of the store.
  ///   - layout: of the destination's tables.
  package func carriableMappings(
    from rows: ObjectRows, _ physical: PhysicalSchema, to layout: StoreSchema
  ) throws -> [Int] {
    if goesByObjects { return [] }
    let source = ManagedObjectContext(rows)
    let destination = ManagedObjectContext(
      ObjectRows(rows.db, schema: layout, model: destination.model.restricted(toConfiguration: configuration))
    )
    let work = try makeWork(self, source: source, destination: destination, physical: physical)
    planTransfers(work, source: source, destination: destination)
    guard work.allSatisfy({ !$0.mayLookAround }) else { return [] }
    var taken: Set<String> = []
    // Of several mappings of the same objects, one can keep them: the one that keeps their name.
    let ordered =
      work.filter { $0.mapping.sourceEntityName == $0.mapping.destinationEntityName }
      + work.filter { $0.mapping.sourceEntityName != $0.mapping.destinationEntityName }
    return try ordered.filter { work in
      guard let from = work.source, let to = work.destination, work.isKeyed, work.mapping.filter == nil,
        work.mapping.onDrop == .nullify, mappingModel.mappings(toEntity: to.name).count == 1,
        layout.table(ofEntity: to.name)?.inlineConstraints.isEmpty == true,
        try rows.strayCount(inTableOf: from.name) == 0
      else { return false }
      // An abstract entity has no objects; its properties say what those of its heirs are.
      guard try to.isAbstract ? rows.count(ofEntity: from.name) == 0 : work.transfer != nil else {
        return false
      }
      return taken.insert(from.name).inserted
    }.map(\.number).sorted()
  }
}

extension MappingWork {
  /// Whether it may ask for objects that other mappings made, beside those that a relationship is set to.
  fileprivate var mayLookAround: Bool {
    if policyName != nil { return true }
    let values = attributes.contains { attribute in
      if case .value(.expression(let expression), _, _) = attribute {
        expression.asksForObjects
      } else {
        false
      }
    }
    return values
      || relationships.contains { relationship in
        guard case .expression(let expression) = relationship.value else { return false }
        return expression.lookup.map { $0.argument.asksForObjects } ?? expression.asksForObjects
      }
      || mapping.grouping.map { ($0.keys + [$0.order].compactMap(\.self)).contains(where: \.asksForObjects) }
        ?? false
  }
}

// MARK: - Carrying out

extension Passes {
  /// Computes what the statements left open for the objects of a mapping that stay.
  ///
  /// - Returns: false where these go, to be made one by one: a cell that SQL would misread.
  func carried(_ work: MappingWork) throws -> Bool {
    guard let carried = work.carried, let shape = work.destination else { return false }
    guard !shape.isAbstract else { return true }
    guard let transfer = work.transfer, try transfer.readsProperValues(db) else {
      try manager.destinationContext.rows.deleteAll(shape)
      work.carried = nil
      work.resolved = []
      return false
    }
    let slots = carried.computed.compactMap { shape.attribute($0)?.slot } + work.fills.map(\.toOne.keySlot)
    try failing(work) {
      try transfer.update(Set(slots).sorted(), in: db, now: manager.evaluation.now)
    }
    work.takenCount = try manager.destinationContext.rows.count(ofEntity: shape.name)
    manager.associations.addKeyed(work.takenCount, mapping: work.number)
    return true
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
