/// A rule of the hash layout that no genuine file at hand confirms.
package enum UnverifiedHashRule: String, Hashable, Sendable, CaseIterable {
  /// A composite lies within a composite.
  case composite
  /// A relationship is its own inverse.
  case selfInverse
  /// A derivation that is neither a plain key path nor a `@count`.
  case derivation
}

extension ManagedObjectModel {
  /// The entities whose hash rests on a rule that is not confirmed, descendants included.
  package var unverifiedHashRules: [String: Set<UnverifiedHashRule>] {
    let hierarchy = EntityHierarchy(self)
    var found: [String: Set<UnverifiedHashRule>] = [:]
    for entity in entities {
      var rules: Set<UnverifiedHashRule> = []
      for attribute in hierarchy.attributes(of: entity.name) where !attribute.isTransient {
        if let derivation = attribute.derivationExpression {
          if derivation.wholeMatch(of: #/\w+(\.\w+)*(\.@count)?/#) == nil { rules.insert(.derivation) }
        } else if attribute.type == .composite,
          let composite = composites.first(where: { $0.name == attribute.compositeName }),
          composite.elements.contains(where: { $0.type == .composite })
        {
          rules.insert(.composite)
        }
      }
      for relationship in hierarchy.relationships(of: entity.name)
      where !relationship.isTransient && hierarchy.isOwnInverse(relationship) { rules.insert(.selfInverse) }
      if !rules.isEmpty { found[entity.name] = rules }
    }
    return found
  }
}
