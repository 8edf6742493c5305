import ManagedModel
package import PersistentStore

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
    if custom.usesObjectCopy { return found }
    let source = ManagedObjectContext(rows)
    let destination = ManagedObjectContext(
      ObjectRows(rows.db, schema: layout, model: destination.model.restricted(toConfiguration: configuration))
    )
    let work = try makeWork(source: source, destination: destination, physical: physical)
    TransferPlanner(work: work, source: source, destination: destination).plan()
    for work in work {
      guard let transfer = work.transfer else { continue }
      if try transfer.readsProperValues(of: rows.db) {
        found.sound.insert(work.number)
      } else {
        found.byObjects.insert(work.number)
      }
    }
    var taken: Set<String> = []
    // Of several mappings of the same objects, one can keep them: the one that keeps their name.
    func keepsName(_ work: MappingWork) -> Bool {
      work.mapping.sourceEntityName == work.mapping.destinationEntityName
    }
    for work in work.filter(keepsName) + work.filter({ !keepsName($0) }) {
      guard let from = work.source, let to = work.destination, work.isKeyed,
        work.mapping.onDrop == .nullify, mappingModel.mappings(toEntity: to.name).count == 1,
        layout.table(ofEntity: to.name)?.inlineConstraints.isEmpty == true,
        try rows.orphanRowCount(inTableOf: from.name) == 0
      else { continue }
      // An abstract entity has no objects; its properties say what those of its heirs are.
      let isMentioned =
        try to.isAbstract
        ? rows.count(ofEntity: from.name) == 0
        : found.sound.contains(work.number)
      if to.isAbstract, !isMentioned { continue }
      guard taken.insert(from.name).inserted else { continue }
      if isMentioned, work.mapping.filter == nil, work.policyName == nil {
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
  /// Mappings that SQL can carry out: every cell that they read is a value of its attribute's type.
  package var sound: Set<Int> = []
  /// Mappings that SQL could carry out, were it not for cells that it would take for something else.
  package var byObjects: Set<Int> = []
}
