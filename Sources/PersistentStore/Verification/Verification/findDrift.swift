import ManagedModel

extension PhysicalSchema {
  /// Indexes, constraints and triggers that differ from what Core Data gives a store of this model and framework.
  ///
  /// Names do not count, because in-place migrations leave indexes under stale names (store-format.md 10.3). The columns of
  /// an index and the actions of a trigger count.
  func findDrift(in store: VerifiedStore, frameworkVersion: Int?) -> [Diagnostic] {
    let features = FrameworkFeatures(version: frameworkVersion ?? FrameworkFeatures.newestKnownVersion)
    var expected = store.schema
    expected.addIndexes(hierarchy: store.hierarchy, features: features)
    var findings: [Diagnostic] = []
    for (real, table) in zip(store.schema.tables, expected.tables) {
      let owners = table.columns.filter { if case .owner = $0.role { true } else { false } }.map(\.name)
      let unmade = table.unmadeIndexes.filter { index in
        index.isRTree
          ? rTree(of: index) == nil
          : !real.indexes.contains { $0.name.caseInsensitivelyEquals(index.name) }
      }
      findings += unmade.map { index in
        Diagnostic(
          .schemaDiffers, .warning,
          "table '\(real.name)' has no index for '\(index.index)' of '\(index.entity)'",
          subject: ModelSubject(entity: index.entity, key: "fetchIndexes.\(index.index)"),
          notes: [Diagnostic.Note(index.reason)], help: [index.advice])
      }
      let explained = Set(table.unmadeIndexes.map { $0.name.uppercased() })
      findings += compare(
        table.indexShapes, with: real.indexShapes, explained: explained, table: real.name,
        entity: table.rootEntityName,
        // That Core Data indexes the owners of a to-many without inverse is our guess.
        isOptional: { shape in owners.contains { [$0.uppercased()] == shape.columns } })
    }
    for (real, table) in zip(store.schema.joinTables, expected.joinTables) {
      findings += compare(
        table.indexes.map(IndexShape.init), with: real.indexes.map(IndexShape.init), explained: [],
        table: real.name, entity: table.source.entity,
        // A store that a framework up to 639 made stays without one when a newer one opens it.
        isOptional: { _ in true })
    }
    return findings + findTriggerDrift(self, in: store, features: features)
  }

  /// The indexes and triggers that a store lacks, as a framework with the features would write them; without those of a
  /// clause of the table, which no statement adds.
  package func missingObjects(in store: VerifiedStore, features: FrameworkFeatures) -> (
    indexes: [IndexLayout], triggers: [TriggerLayout]
  ) {
    var expected = store.schema
    expected.addIndexes(hierarchy: store.hierarchy, features: features)
    let tables =
      zip(store.schema.tables, expected.tables).map { ($0.indexShapes, $1.indexes) }
      + zip(store.schema.joinTables, expected.joinTables)
      .map { ($0.indexes.map(IndexShape.init), $1.indexes) }
    let taken = Set(self.indexes.map { $0.name.uppercased() })
    let indexes = tables.flatMap { real, wanted in
      wanted.filter { index in
        !taken.contains(index.name.uppercased()) && !real.contains { $0.serves(for: IndexShape(index)) }
      }
    }
    let names = Set(self.triggers.map { $0.name.uppercased() })
    return (indexes, store.triggers(features).filter { !names.contains($0.name.uppercased()) })
  }
}

extension VerifiedStore {
  /// The triggers of its derived attributes as a framework with the features writes them.
  fileprivate func triggers(_ features: FrameworkFeatures) -> [TriggerLayout] {
    guard features.hasFetchIndexes else { return [] }
    // How a count over a join table is kept no genuine store shows.
    let joins = Set(schema.joinTables.map(\.name))
    return schema.derivationTriggers(hierarchy: hierarchy).filter { !joins.contains($0.tableName) }
  }
}

/// What an index does, whatever its name.
private struct IndexShape: Hashable {
  /// Empty if it holds something else than columns of every row.
  var columns: [String]
  var isUnique: Bool
  var name: String

  init(_ index: IndexLayout) {
    (isUnique, name) = (index.isUnique, index.name)
    columns = index.columnNames.map { $0.uppercased() }
  }

  init(_ constraint: InlineConstraint) {
    (isUnique, name) = (true, constraint.name)
    columns = constraint.columnNames.map { $0.uppercased() }
  }

  /// Whether this index serves where the other is wanted. The order of a constraint's columns is all the same.
  ///
  /// Of an index that computes something no genuine text is known: its name has to tell.
  func serves(for other: IndexShape) -> Bool {
    if other.columns.isEmpty { return isUnique == other.isUnique && name.caseInsensitivelyEquals(other.name) }
    if other.isUnique { return isUnique && Set(columns) == Set(other.columns) }
    return columns == other.columns
  }
}

extension TableLayout {
  fileprivate var indexShapes: [IndexShape] {
    indexes.map(IndexShape.init) + inlineConstraints.map(IndexShape.init)
  }
}

private func compare(
  _ wanted: [IndexShape], with real: [IndexShape], explained: Set<String>, table: String, entity: String,
  isOptional: (IndexShape) -> Bool
) -> [Diagnostic] {
  let missing = wanted.filter { shape in
    !isOptional(shape) && !real.contains { $0.serves(for: shape) }
  }
  let extra = real.filter { shape in
    !explained.contains(shape.name.uppercased())
      && !wanted.contains {
        shape.serves(for: $0) || $0.columns == shape.columns && !shape.columns.isEmpty
          || $0.name.caseInsensitivelyEquals(shape.name)
      }
  }
  let subject = ModelSubject(entity: entity)
  let unknown = extra.map { shape in
    Diagnostic(
      .unknownSchemaObjects, .warning,
      "table '\(table)' has \(shape.isUnique ? "a unique index" : "an index") that the model does not know: '\(shape.name)'",
      subject: subject,
      notes: shape.isUnique ? ["a save fails if it finds duplicates, though the model allows them"] : [])
  }
  let unserved = missing.map { shape -> Diagnostic in
    let (name, list) = (shape.name, shape.columns.map { "'\($0)'" }.joined(separator: ", "))
    return shape.isUnique
      ? Diagnostic(
        .schemaDiffers, .error, "no unique index covers \(list) of '\(table)'", subject: subject,
        notes: [Diagnostic.Note("Core Data's index would be '\(name)'; without it duplicates can be saved")],
        help: ["open the store once with the app that wrote it"])
      : shape.columns.isEmpty
        ? Diagnostic(
          .schemaDiffers, .warning, "table '\(table)' has no index '\(name)'", subject: subject,
          notes: ["the model has a partial or expression index; without it fetches are slow, not wrong"],
          help: ["`modelc migrate --apply-indexes STORE` adds it"])
        : Diagnostic(
          .schemaDiffers, .warning, "table '\(table)' has no index over \(list)", subject: subject,
          notes: [
            Diagnostic.Note("Core Data's index would be '\(name)'; without it fetches are slow, not wrong")
          ])
  }
  return unserved + unknown
}

private func findTriggerDrift(
  _ physical: PhysicalSchema, in store: VerifiedStore, features: FrameworkFeatures
) -> [Diagnostic] {
  let own = physical.triggers.filter { $0.name.hasPrefix("Z_DA_") }
  return store.triggers(features).compactMap { trigger in
    guard let real = own.first(where: { $0.name.caseInsensitivelyEquals(trigger.name) }) else {
      return Diagnostic(
        .schemaDiffers, .error, "table '\(trigger.tableName)' has no trigger '\(trigger.name)'",
        notes: ["the derived attribute that it updates is no longer kept up to date"],
        help: ["open the store once with the app that wrote it"])
    }
    if real.sql.normalizedSQL.caseInsensitivelyEquals(trigger.sql.normalizedSQL) { return nil }
    return Diagnostic(
      .schemaDiffers, .warning,
      "trigger '\(trigger.name)' of table '\(trigger.tableName)' differs from the triggers that Core Data is known to write",
      subject: ModelSubject(key: "derivation"),
      notes: ["another Core Data version may write this; else derived values may be wrong. It was not run"],
      help: ["read it before the store is written to: `sqlite3 STORE .schema`"])
  }
}
