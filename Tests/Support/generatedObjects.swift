import Foundation
package import ManagedModel

/// A few objects of every concrete entity: required values set, references along every relationship, optional values
/// missing in every third object.
package func generatedObjects(of model: ManagedObjectModel, count: Int) -> [ManagedObject] {
  let hierarchy = EntityHierarchy(model)
  let concrete = hierarchy.namesInNumberingOrder.filter { hierarchy.entity(named: $0)?.isAbstract == false }
  var nextKey: [String: Int64] = [:]
  var ids: [String: [ManagedObject.ID]] = [:]
  for name in concrete {
    let root = hierarchy.rootName(of: name)
    ids[name] = (0..<count).map { _ in
      nextKey[root, default: 0] += 1
      return ManagedObject.ID(entityName: name, primaryKey: nextKey[root, default: 1])
    }
  }
  return concrete.flatMap { name in
    (ids[name] ?? []).enumerated().map { index, id in
      var object = ManagedObject(name, id.primaryKey)
      for leaf in hierarchy.attributes(of: name).storedLeaves(composites: model.composites) {
        let attribute = leaf.attribute
        if attribute.isDerived || (attribute.isOptional && index % 3 == 2) { continue }
        object.values[leaf.keyPath] = value(of: attribute.type, seed: Int(id.primaryKey))
      }
      for relationship in hierarchy.relationships(of: name) where !relationship.isToMany {
        guard !relationship.isTransient, !relationship.isOptional || index % 3 != 2 else { continue }
        object.toOne[relationship.name] = destination(of: relationship, index: index, ids, hierarchy)
      }
      return object
    }
  }
}

/// One destination per index, so that no one-to-one gets two.
private func destination(
  of relationship: RelationshipDescription, index: Int, _ ids: [String: [ManagedObject.ID]],
  _ hierarchy: EntityHierarchy
) -> ManagedObject.ID? {
  let inverse = hierarchy.inverse(of: relationship)
  // From a one-to-one only one side speaks; one that is its own inverse would have to be symmetric.
  if let inverse, !inverse.isToMany {
    let key = (relationship.name, relationship.destinationEntityName)
    if (inverse.name, inverse.destinationEntityName) <= key { return nil }
  }
  let kinds = hierarchy.descendantNames(includingSelf: relationship.destinationEntityName)
  let candidates = kinds.flatMap { ids[$0] ?? [] }
  return candidates.indices.contains(index) ? candidates[index] : nil
}

private func value(of type: AttributeType, seed: Int) -> AttributeValue? {
  switch type {
  case .integer16, .integer32, .integer64: .integer(Int64(seed))
  case .decimal: .decimal(Decimal(seed) / 4)
  case .double, .float: .double(Double(seed) / 4)
  case .string: .string("text \(seed) é👩‍👩‍👧")
  case .boolean: .boolean(seed % 2 == 0)
  case .date: .date(700_000_000 + Double(seed))
  case .binary, .transformable: .binary(Data([1, 2, UInt8(truncatingIfNeeded: seed)]))
  case .uuid:
    .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: seed))))
  case .uri: .uri("https://example.org/\(seed)")
  case .undefined, .objectID, .composite: nil
  }
}
