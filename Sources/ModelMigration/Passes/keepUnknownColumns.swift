import ManagedModel
import PersistentStore

extension Passes {
  /// Gives objects that are made anew, in their table and with their key, what columns hold that no model knows.
  func keepUnknownColumns(of work: MappingWork) throws {
    guard work.carried == nil, manager.associations.isKeyed(work.number), let pairs = work.pairs,
      let former = manager.sourceContext.rows.schema.table(ofEntity: pairs.source.name),
      let table = schema.table(ofEntity: pairs.destination.name)
    else { return }
    // They stay in their order, some under another name.
    let (old, new) = (former.unknownColumns, table.unknownColumns)
    if new.isEmpty || old.count != new.count { return }
    func list(_ columns: [ColumnLayout]) -> String {
      columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    }
    try manager.destinationContext.flush()
    let name = table.name.quotedIdentifier
    try db.executeStatement(
      """
      UPDATE main.\(name) SET (\(list(new))) = (SELECT \(list(old)) FROM source.\(former.name.quotedIdentifier) AS o \
      WHERE o.Z_PK = \(name).Z_PK) WHERE Z_PK IN (SELECT d.Z_PK \(pairs.rows))
      """)
  }
}

extension Survey {
  /// Counts what such columns hold of objects that go on elsewhere, or with another key: nothing takes that along.
  ///
  /// - Parameters:
  ///   - keyed: numbers of the mappings whose objects keep their keys.
  ///   - schema: the tables that the step makes.
  func countUnknownCells(
    _ mappingModel: MappingModel, keyed: Set<Int>, _ rows: ObjectRows, to schema: StoreSchema,
    _ account: inout LossAccount
  ) throws {
    for entity in rows.schema.entities {
      let takers = mappingModel.entityMappings.enumerated().filter {
        $0.element.sourceEntityName == entity.name && $0.element.destinationEntityName != nil
      }
      guard !takers.isEmpty, let table = rows.schema.table(ofEntity: entity.name) else { continue }
      let isKept = takers.contains { number, mapping in
        let target = mapping.destinationEntityName.flatMap { schema.table(ofEntity: $0) }
        return keyed.contains(number) && target?.unknownColumns.isEmpty == false
      }
      if isKept { continue }
      let unread = Set(table.columnsNotRead.map(\.name))
      for column in table.unknownColumns where !unread.contains(column.name) {
        let count = try countRows(
          db, table: table.name,
          where: .all([.entity(in: [entity.number]), .isNotNull(.column(column.name))]))
        account.add(.droppedData, of: entity.name, column.name, count)
      }
    }
  }
}

extension TableLayout {
  /// Columns that no model knows.
  fileprivate var unknownColumns: [ColumnLayout] { columns.filter { $0.role == .unknown } }
}
