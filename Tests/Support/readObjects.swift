package import Foundation
package import GRDB
package import ManagedModel
package import PersistentStore

/// Reads all objects of an entity at once, in the order of their primary keys, their to-many relationships
/// included; see ``ObjectReader`` for stores of any size.
///
/// - Parameters:
///   - includingSubentities: whether objects of sub-entities come too.
///   - externalData: the content of a file of external data, by its name.
package func readObjects(
  ofEntity name: String, in db: Database, schema: StoreSchema, model: ManagedObjectModel,
  includingSubentities: Bool = true, externalData: @escaping (String) throws -> Data? = { _ in nil }
) throws -> [ManagedObject] {
  var objects: [ManagedObject] = []
  let reader = ObjectReader(db, schema: schema, model: model, externalData: externalData)
  try reader.forEachObject(ofEntity: name, includingSubentities: includingSubentities) { objects.append($0) }
  return objects
}
