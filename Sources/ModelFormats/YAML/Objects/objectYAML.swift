import Foundation
package import ManagedModel

/// One object of a store as the lines of a file of objects, below its entity: `p1:` and its properties.
///
/// What is nil is left out, unless the attribute has a default.
///
/// - Parameter marks: by property, what a cell holds that is not a value of it: written as comments.
package func objectYAML(
  _ object: ManagedObject, _ shape: ObjectShape, marks: [(property: String, text: String)] = []
) -> String {
  var pairs: [YAMLPair] = []
  for leaf in shape.leaves {
    if let value = object.values[leaf.keyPath] {
      pairs.append(YAMLPair(leaf.keyPath, yamlValue(value)))
    } else if shape.statesNil(leaf) {
      pairs.append(YAMLPair(leaf.keyPath, .typed("null")))
    }
  }
  for relationship in shape.relationships {
    if relationship.isToMany {
      guard let members = object.toMany[relationship.name], !members.isEmpty else { continue }
      let elements = members.map { YAMLValue.text(objectReference($0)) }
      pairs.append(YAMLPair(relationship.name, .sequence(elements)))
    } else if let destination = object.toOne[relationship.name] {
      pairs.append(YAMLPair(relationship.name, .text(objectReference(destination))))
    }
  }
  let name = "p\(object.id.primaryKey)"
  let text = renderYAML([YAMLPair(name, .mapping(pairs, .block))], indentation: 2)
  return text + marks.map { "    # unreadable: \($0.property): \($0.text)\n" }.joined()
}

/// The line over the objects of an entity.
package func entityYAML(_ entityName: String) -> String {
  renderScalar(entityName, .text, inFlow: false) + ":\n"
}

private func yamlValue(_ value: AttributeValue) -> YAMLValue {
  switch value {
  case .integer, .double, .decimal, .boolean, .date: .typed(objectText(value))
  // Base64 can spell `null` or a number.
  default: .text(objectText(value))
  }
}
