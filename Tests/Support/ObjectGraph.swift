package import ManagedModel

/// Objects in memory that expressions read as they would read live ones.
package final class ObjectGraph {
  fileprivate let objects: [ManagedObject.ID: ManagedObject]
  fileprivate let hierarchy: EntityHierarchy

  /// - Parameter objects: with every relationship stated from both sides, as a store gives them.
  package init(_ objects: [ManagedObject], model: ManagedObjectModel) {
    self.objects = Dictionary(objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    hierarchy = EntityHierarchy(model)
  }

  package func value(_ id: ManagedObject.ID) -> ExpressionValue {
    objects[id] == nil ? .null : .object(GraphObject(graph: self, id: id))
  }

  package func value(_ entityName: String, _ key: Int64) -> ExpressionValue {
    value(ManagedObject.ID(entityName: entityName, primaryKey: key))
  }
}

package struct GraphObject: EvaluatedObject {
  let graph: ObjectGraph
  package let id: ManagedObject.ID

  package var expressionIdentity: AnyHashable { id }

  package func expressionValue(forKey key: String) throws -> ExpressionValue {
    let object = graph.objects[id]
    if let attribute = graph.hierarchy.attribute(named: key, of: id.entityName) {
      guard attribute.type == .composite else { return ExpressionValue(object?.values[key]) }
      let leaves = [attribute].storedLeaves(composites: graph.hierarchy.model.composites)
      return .dictionary(
        Dictionary(
          leaves.map {
            ($0.path.dropFirst().joined(separator: "."), ExpressionValue(object?.values[$0.keyPath]))
          },
          uniquingKeysWith: { first, _ in first }))
    }
    guard let relationship = graph.hierarchy.relationship(named: key, of: id.entityName) else {
      throw EvaluationError.unknownKey(key, of: "an object of '\(id.entityName)'")
    }
    if relationship.isToMany {
      let elements = (object?.toMany[key] ?? []).map { graph.value($0) }
      return .collection(ValueCollection(elements, as: relationship.isOrdered ? .orderedSet : .set))
    }
    return object?.toOne[key].map { graph.value($0) } ?? .null
  }
}
