import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts what columns that no model knows hold of objects that go on elsewhere, or with another key: nothing takes that along.
  ///
  /// - Parameters:
  ///   - keyed: numbers of the mappings whose objects keep their keys.
  ///   - schema: the tables that the step makes.
  mutating func countUnknownCells(keyed: Set<Int>, to schema: StoreSchema) throws {
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
