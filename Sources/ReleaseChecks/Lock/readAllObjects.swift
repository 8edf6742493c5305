package import ManagedModel
import ModelFormats
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

extension [ManagedObject] {
  /// Below the names of their entities, in their order.
  func yaml(_ hierarchy: EntityHierarchy) -> String {
    var (text, shape) = ("", ObjectShape("", hierarchy: hierarchy))
    for object in self {
      if shape.entityName != object.id.entityName {
        shape = ObjectShape(object.id.entityName, hierarchy: hierarchy)
        text += shape.entityName.entityYAML
      }
      text += object.yaml(shape)
    }
    return text
  }
}
