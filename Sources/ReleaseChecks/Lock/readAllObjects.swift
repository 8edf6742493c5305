package import ManagedModel
import PersistentStore

/// All objects of a store of a known version, entity by entity in numbering order, by primary key.
package func readAllObjects(ofStoreAt path: String, as version: ModelVersion) throws -> [ManagedObject] {
  try openStore(path, among: []).read { db in
    let (schema, _) = try db.readPhysicalSchema().bound(to: version.model)
    let reader = ObjectReader(db, schema: schema, model: version.model) {
      try readExternalData($0, ofStoreAt: path)
    }
    var objects: [ManagedObject] = []
    for name in reader.concreteEntityNames {
      try reader.forEachObject(ofEntity: name, includingSubentities: false) { objects.append($0) }
    }
    return objects
  }
}
