import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

/// The forms in which a store's objects are written.
enum ObjectForm: String, CaseIterable {
  case yaml, jsonl
}

/// Writes all objects of a store, entity by entity in the order of their numbers, by primary key, piece by piece:
/// memory does not grow with the store.
///
/// - Parameters:
///   - models: the project's, for stores that carry no model of their own.
///   - write: takes the text as it comes.
/// - Returns: how many objects there were.
func exportObjects(
  ofStoreAt path: String, as form: ObjectForm, among models: [VersionedModel],
  write: (String) throws -> Void
) throws -> Int {
  let connection = try StoreConnection(path: path)
  defer { try? connection.close() }
  return try connection.read { db in
    let source = try readStoreSource(db, path: path, among: models)
    let reader = ObjectReader(db, schema: source.schema, model: source.version.model) {
      try readExternalData($0, ofStoreAt: path)
    }
    var count = 0
    for name in reader.concreteEntityNames {
      let shape = ObjectShape(name, hierarchy: EntityHierarchy(source.version.model))
      var hasTitle = false
      try reader.forEachObject(ofEntity: name, includingSubentities: false) { object in
        switch form {
        case .yaml:
          if !hasTitle { try write(entityYAML(name)) }
          hasTitle = true
          try write(objectYAML(object, shape))
        case .jsonl: try write(object.json(shape).compact + "\n")
        }
        count += 1
      }
    }
    return count
  }
}
