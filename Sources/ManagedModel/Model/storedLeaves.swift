/// An attribute with a column of its own: a plain attribute, or an element of a composite.
package struct StoredLeaf: Hashable, Sendable {
  /// The attribute's name, followed for a composite by the names of the elements that lead to the value.
  package var path: [String]
  package var attribute: AttributeDescription
  /// Whether an object may have none: an element may be absent where its composite may.
  package var isOptional: Bool
  fileprivate var canonicalPath: [String]

  /// What all attributes of an entity are below.
  fileprivate static let root = StoredLeaf(
    path: [], attribute: AttributeDescription(name: "", type: .composite), isOptional: false,
    canonicalPath: [])

  fileprivate func leaf(_ attribute: AttributeDescription) -> StoredLeaf {
    var attribute = attribute
    // What an app makes as a whole.
    if case .evaluated(.unknown)? = self.attribute.defaultValue {
      attribute.defaultValue = .evaluated(.unknown)
    }
    return StoredLeaf(
      path: path + [attribute.name], attribute: attribute, isOptional: isOptional || attribute.isOptional,
      canonicalPath: canonicalPath + [attribute.canonicalName])
  }

  /// The path in the form of a key path: `position.latitude`.
  package var keyPath: String { path.joined(separator: ".") }

  /// The leaf as an attribute of the entity, under its key path; its canonical name is made of those on the way.
  package var member: AttributeDescription {
    guard path.count > 1 else { return attribute }
    var member = attribute
    let canonicalName = canonicalPath.joined(separator: ".")
    member.name = keyPath
    member.renamingIdentifier = canonicalName == member.name ? nil : canonicalName
    member.isOptional = isOptional
    return member
  }
}

extension [AttributeDescription] {
  /// The attributes that have columns, sorted by name, each composite flattened to its elements, which keep their order:
  /// that of the columns in SwiftData's stores.
  package func storedLeaves(composites: [CompositeDescription]) -> [StoredLeaf] {
    leaves(of: self, composites: composites, below: .root, enclosing: [])
  }
}

private func leaves(
  of attributes: [AttributeDescription], composites: [CompositeDescription], below parent: StoredLeaf,
  enclosing: Set<String>
) -> [StoredLeaf] {
  var stored = attributes.filter { !$0.isTransient }
  if parent.path.isEmpty { stored.sort { $0.name.precedesInCodePointOrder($1.name) } }
  return stored.flatMap { attribute -> [StoredLeaf] in
    let leaf = parent.leaf(attribute)
    guard attribute.type == .composite, let name = attribute.compositeName,
      let composite = composites.first(where: { $0.name == name })
    else { return [leaf] }
    // A composite that contains itself ends here; checkModel reports it.
    guard !enclosing.contains(name) else { return [] }
    return leaves(
      of: composite.elements, composites: composites, below: leaf, enclosing: enclosing.union([name]))
  }
}

extension EntityHierarchy {
  /// The member of a composite attribute that a key path leads to, or the composite within it.
  func member(_ keyPath: String, of attribute: AttributeDescription) -> AttributeDescription? {
    var found = StoredLeaf.root.leaf(attribute)
    for key in keys(of: keyPath).dropFirst() {
      guard found.attribute.type == .composite,
        let composite = model.composites.first(where: { $0.name == found.attribute.compositeName }),
        let element = composite.elements.first(where: { $0.name == key })
      else { return nil }
      found = found.leaf(element)
    }
    return found.member
  }

  /// The stored attributes, inherited ones first, with the members of a composite in its place, each under its key
  /// path: what mappings, conditions and losses are about.
  package func members(of name: String) -> [AttributeDescription] { members(in: attributes(of: name)) }

  /// The same for some of an entity's attributes, such as those that it declares itself.
  package func members(in attributes: [AttributeDescription]) -> [AttributeDescription] {
    attributes.filter { !$0.isTransient }.flatMap { attribute in
      attribute.type == .composite
        ? [attribute].storedLeaves(composites: model.composites).map(\.member) : [attribute]
    }
  }
}
