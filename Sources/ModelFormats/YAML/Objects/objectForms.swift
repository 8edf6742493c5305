import Foundation
package import ManagedModel

/// `p12` as 12; nil for any other text.
func primaryKey(_ text: some StringProtocol) -> Int64? {
  guard text.first == "p", let key = Int64(text.dropFirst()), key > 0, text.dropFirst().first != "+" else {
    return nil
  }
  return key
}

extension AttributeValue {
  /// The text of a value in files of objects; infinities as YAML has them, dates as ISO 8601 where that loses no digit.
  package var objectText: String {
    if case .double(let number) = self, number.isInfinite { return number < 0 ? "-.inf" : ".inf" }
    guard case .date(let number) = self else { return text }
    if number.isInfinite { return number < 0 ? "-.inf" : ".inf" }
    return number.isoDate.flatMap { $0.objectValue(of: .date) == self ? $0 : nil } ?? text
  }
}

extension String {
  /// What `objectText` writes, read back; nil if the text is not a value of the type.
  func objectValue(of type: AttributeType) -> AttributeValue? {
    switch (type, self) {
    case (.double, ".inf"), (.float, ".inf"): .double(.infinity)
    case (.double, "-.inf"), (.float, "-.inf"): .double(-.infinity)
    case (.date, ".inf"): .date(.infinity)
    case (.date, "-.inf"): .date(-.infinity)
    // A store may hold what no URL is.
    case (.uri, _): .uri(self)
    case (.undefined, _): Data(base64Encoded: self).map { .binary($0) }
    default: AttributeValue(parsing: self, as: type)?.held(by: type)
    }
  }

  /// The line over the objects of an entity.
  package var entityYAML: String { yamlScalar(.text, inFlow: false) + ":\n" }
}

/// The stored attributes and relationships of a concrete entity, in the order in which files show them: inherited
/// ones first, as the model lists them.
package struct ObjectShape: Sendable {
  package let entityName: String
  package var leaves: [StoredLeaf] = []
  package var relationships: [RelationshipDescription] = []

  package init(_ entityName: String, hierarchy: EntityHierarchy) {
    self.entityName = entityName
    for entity in hierarchy.lineage(of: entityName) {
      let stored = entity.attributes.storedLeaves(composites: hierarchy.model.composites)
      let places = Dictionary(firstOf: entity.attributes.enumerated().map { ($1.name, $0) })
      leaves += stored.sorted { (places[$0.path[0]] ?? 0) < (places[$1.path[0]] ?? 0) }
      relationships += entity.relationships.filter { !$0.isTransient }
    }
  }

  /// Leaves whose nil a file states: without a word they would have their default.
  package func statesNil(_ leaf: StoredLeaf) -> Bool { leaf.attribute.typedDefaultValue != nil }
}

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
        let elements = members.map { YAMLValue.text($0.description) }
        pairs.append(YAMLPair(relationship.name, .sequence(elements)))
      } else if let destination = toOne[relationship.name] {
        pairs.append(YAMLPair(relationship.name, .text(destination.description)))
      }
    }
    let name = "p\(id.primaryKey)"
    let text = renderYAML([YAMLPair(name, .mapping(pairs, .block))], indentation: 2)
    return text + marks.map { "    # unreadable: \($0.property): \($0.text)\n" }.joined()
  }
}

private func yamlValue(_ value: AttributeValue) -> YAMLValue {
  switch value {
  case .integer, .double, .decimal, .boolean, .date: .typed(value.objectText)
  // Base64 can spell `null` or a number.
  default: .text(value.objectText)
  }
}
