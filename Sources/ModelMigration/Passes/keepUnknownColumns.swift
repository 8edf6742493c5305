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
