import Foundation
package import ManagedModel

extension ManagedObject {
  /// One object of a store as the lines of a file of objects, below its entity: `p1:` and its properties.
  ///
  /// What is nil is left out, unless the attribute has a default.
  ///
  /// - Parameter marks: by property, what a cell holds that is not a value of it: written as comments.
  package func yaml(_ shape: ObjectShape, marks: [(property: String, text: String)] = []) -> String {
    var pairs: [YAMLPair] = []
    for leaf in shape.leaves {
      if let value = values[leaf.keyPath] {
        pairs.append(YAMLPair(leaf.keyPath, yamlValue(value)))
      } else if shape.statesNil(leaf) {
        pairs.append(YAMLPair(leaf.keyPath, .typed("null")))
      }
    }
    for relationship in shape.relationships {
      if relationship.isToMany {
        guard let members = toMany[relationship.name], !members.isEmpty else { continue }
        let elements = members.map { YAMLValue.text($0.reference) }
        pairs.append(YAMLPair(relationship.name, .sequence(elements)))
      } else if let destination = toOne[relationship.name] {
        pairs.append(YAMLPair(relationship.name, .text(destination.reference)))
      }
    }
    let name = "p\(id.primaryKey)"
    let text = renderYAML([YAMLPair(name, .mapping(pairs, .block))], indentation: 2)
    return text + marks.map { "    # unreadable: \($0.property): \($0.text)\n" }.joined()
  }
}

extension String {
  /// The line over the objects of an entity.
  package var entityYAML: String { yamlScalar(.text, inFlow: false) + ":\n" }
}

private func yamlValue(_ value: AttributeValue) -> YAMLValue {
  switch value {
  case .integer, .double, .decimal, .boolean, .date: .typed(value.objectText)
  // Base64 can spell `null` or a number.
  default: .text(value.objectText)
  }
}
