import GRDB
import ManagedModel
import PersistentStore
import TestSupport

/// Inserts objects into a store and raises `Z_MAX` of their root entities.
///
/// Triggers of derived attributes do not run; their values are computed in one go afterwards.
func insert(
  _ objects: some Sequence<ManagedObject>, into db: Database, schema: StoreSchema, model: ManagedObjectModel
) throws {
  let writer = ObjectWriter(db, schema: schema, model: model)
  try withTriggersDisabled(on: db) {
    for object in objects { try writer.write(object) }
    let maxima = try writer.finish()
    try raiseMaxima(maxima, in: db, schema: schema)
    for statement in schema.derivedValueStatements(for: model) { try db.execute(sql: statement) }
  }
}

/// `Z_MAX` stands on the root entity's row only.
private func raiseMaxima(_ maxima: [String: Int64], in db: Database, schema: StoreSchema) throws {
  for (root, maximum) in maxima {
    guard let number = schema.entity(named: root)?.number else { continue }
    try db.execute(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(IFNULL(Z_MAX, 0), ?) WHERE Z_ENT = ?",
      arguments: [maximum, number])
  }
}
