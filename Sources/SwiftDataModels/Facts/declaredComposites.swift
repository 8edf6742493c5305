package import ManagedModel

/// Every element of an optional property's composite is optional. The type as the source declares it, which says what a
/// value must have, stands beside it in the model.
extension CompositeDescription {
  static let optionalPrefix = "Optional"

  /// The name that the composite of an optional property would have by its type; nil of all others.
  static func declaredName(of attribute: AttributeDescription) -> String? {
    guard attribute.isOptional, let name = attribute.compositeName, name.hasPrefix(optionalPrefix) else {
      return nil
    }
    return String(name.dropFirst(optionalPrefix.count))
  }
}

extension String {
  /// The names in the class of values: `Array` and `Step` of `Array<Optional<Step>>`.
  var typeNames: [String] { typeParts.map(\.name) }

  /// The same, each with whether it may be nil, and whether it is a dictionary's key.
  var typeParts: [(name: String, isOptional: Bool, isKey: Bool)] {
    let names = split { "<>, ".contains($0) }.map(String.init)
    return zip([""] + names, names).filter { $1 != "Optional" }.map {
      ($1, isOptional: $0 == "Optional", isKey: $0 == "Dictionary")
    }
  }
}

extension AttributeDescription { var valueTypeNames: [String] { attributeValueClassName?.typeNames ?? [] } }

extension ManagedObjectModel {
  /// What values of attributes are made of, as far down as it goes: within a struct such values are JSON.
  package func composites(in attributes: [AttributeDescription]) -> [CompositeDescription] {
    let known = Dictionary(firstOf: composites.map { ($0.name, $0) })
    var found: [String: CompositeDescription] = [:]
    var open = attributes
    while let attribute = open.popLast() {
      for name in attribute.valueTypeNames + [attribute.compositeName].compactMap(\.self) {
        if let composite = known[name], found.updateValue(composite, forKey: name) == nil {
          open += composite.elements
        }
      }
    }
    return found.values.sorted { $0.name.precedesInCodePointOrder($1.name) }
  }

  /// The composite of an attribute as its type is declared.
  func declaredComposite(of attribute: AttributeDescription) -> CompositeDescription? {
    let own = composites.first { $0.name == attribute.compositeName }
    guard let name = CompositeDescription.declaredName(of: attribute),
      let declared = composites.first(where: { $0.name == name }),
      declared.elements.map(\.name) == own?.elements.map(\.name)
    else { return own }
    return declared
  }
}
