import ManagedModel

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

extension ManagedObjectModel {
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
