/// An attribute with a column of its own: a plain attribute, or an element of a composite.
package struct StoredLeaf: Hashable, Sendable {
  /// The attribute's name, followed for a composite by the names of the elements that lead to the value.
  package var path: [String]
  package var attribute: AttributeDescription

  /// The path in the form of a key path: `position.latitude`.
  package var keyPath: String { path.joined(separator: ".") }
}

/// The attributes that have columns, sorted by name; composites are flattened to their elements.
///
/// No genuine store at hand holds a composite: that its elements become columns `Z<ATTRIBUTE>_<ELEMENT>` is our
/// choice.
package func storedLeaves(
  of attributes: [AttributeDescription], composites: [CompositeDescription]
) -> [StoredLeaf] {
  leaves(of: attributes, composites: composites, prefix: [], enclosing: [])
}

private func leaves(
  of attributes: [AttributeDescription], composites: [CompositeDescription], prefix: [String],
  enclosing: Set<String>
) -> [StoredLeaf] {
  attributes.filter { !$0.isTransient }.sorted { $0.name.precedesInCodePointOrder($1.name) }.flatMap {
    attribute -> [StoredLeaf] in
    let path = prefix + [attribute.name]
    guard attribute.type == .composite, let name = attribute.compositeName,
      let composite = composites.first(where: { $0.name == name })
    else { return [StoredLeaf(path: path, attribute: attribute)] }
    // A composite that contains itself ends here; checkModel reports it.
    guard !enclosing.contains(name) else { return [] }
    return leaves(
      of: composite.elements, composites: composites, prefix: path, enclosing: enclosing.union([name]))
  }
}
