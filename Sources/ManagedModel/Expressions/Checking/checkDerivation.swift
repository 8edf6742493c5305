/// Checks the derivation of a derived attribute: a SQL store takes a few forms only.
///
/// They are a key path along to-one relationships, `canonical:`, `uppercase:` or `lowercase:` of one, a to-many key
/// path with `@count` or `@sum` (also printed `count:(…)`, `sum:(…)`), and `now()`: Apple's documentation of
/// `NSDerivedAttributeDescription`.
///
/// - Parameter place: where the derivation stands; every finding is given there.
/// - Returns: MC1211 (another form), MC1212 (it refers to what is missing, transient, derived or of another type).
package func checkDerivation(
  _ derivation: Expression, of attribute: AttributeDescription, inEntity entityName: String,
  in hierarchy: EntityHierarchy, at place: SourceRange? = nil
) -> [Diagnostic] {
  let checker = DerivationChecker(hierarchy: hierarchy, attribute: attribute)
  do throws(Diagnostic) {
    try checker.check(derivation, entityName)
    return []
  } catch {
    let subject = ModelSubject(entity: entityName, property: attribute.name, key: "derivation")
    return [error.found(in: subject, at: place)]
  }
}

private struct DerivationChecker {
  let hierarchy: EntityHierarchy
  let attribute: AttributeDescription

  func check(_ derivation: Expression, _ entityName: String) throws(Diagnostic) {
    switch derivation {
    case .keyPath(let keys, nil):
      if let path = CollectionKeyPath(keys) { return try checkAggregate(path, entityName, derivation) }
      let source = try stored(keys, entityName)
      let isSame = source.type == attribute.type && source.compositeName == attribute.compositeName
      try require(
        isSame || source.type.isNumeric && attribute.type.isNumeric,
        "'\(keys.joined(separator: "."))' is \(source.type.name)")
    case .function(let call) where call.receiver == nil: try checkCall(call, entityName, derivation)
    default: throw .notADerivation(derivation)
    }
  }

  private func checkCall(
    _ call: FunctionCall, _ entityName: String, _ derivation: Expression
  ) throws(Diagnostic) {
    if call.selector == "now" { return try require(attribute.type == .date, "'now()' gives a date") }
    guard call.arguments.count == 1, case .keyPath(let keys, nil)? = call.arguments.first,
      CollectionKeyPath(keys) == nil
    else { throw .notADerivation(derivation) }
    switch call.selector {
    case "canonical:", "uppercase:", "lowercase:":
      let source = try stored(keys, entityName)
      try require(
        source.type == .string, "'\(call.selector)' takes a string; '\(source.name)' is \(source.type.name)")
      try require(attribute.type == .string, "'\(call.selector)' gives a string")
    case "count:": try checkAggregate(CollectionKeyPath(keys + ["@count"]), entityName, derivation)
    case "sum:":
      guard let last = keys.last else { throw .notADerivation(derivation) }
      try checkAggregate(CollectionKeyPath(keys.dropLast() + ["@sum", last]), entityName, derivation)
    default: throw .notADerivation(derivation)
    }
  }

  private func checkAggregate(
    _ path: CollectionKeyPath?, _ entityName: String, _ derivation: Expression
  ) throws(Diagnostic) {
    guard var path else { throw .notADerivation(derivation) }
    switch path.operator {
    case .count where path.operand.isEmpty:
      let end = try follow(path.collection, entityName, derivation)
      guard end.isToMany else { throw .notADerivation(derivation) }
      try require(attribute.type.isNumeric, "'@count' gives a number")
    case .sum:
      // `items.price.@sum` is `items.@sum.price`.
      if path.operand.isEmpty, let last = path.collection.popLast() { path.operand = [last] }
      guard path.operand.count == 1 else { throw .notADerivation(derivation) }
      let end = try follow(path.collection, entityName, derivation)
      guard end.isToMany else { throw .notADerivation(derivation) }
      let source = try stored(path.operand, end.entityName)
      try require(source.type.isNumeric, "'@sum' takes numbers, and '\(source.name)' is \(source.type.name)")
      try require(attribute.type.isNumeric, "'@sum' gives a number")
    default: throw .notADerivation(derivation)
    }
  }

  /// Along relationships, of which one may be to-many.
  private func follow(
    _ keys: [String], _ entityName: String, _ derivation: Expression
  ) throws(Diagnostic) -> (entityName: String, isToMany: Bool) {
    var position = (entityName: entityName, isToMany: false)
    for key in keys {
      guard let relationship = hierarchy.relationship(named: key, of: position.entityName) else {
        if hierarchy.attribute(named: key, of: position.entityName) != nil {
          throw .notADerivation(derivation)
        }
        throw missing(key, of: position.entityName)
      }
      guard !relationship.isTransient else { throw .notStored(attribute, "transient", key) }
      if relationship.isToMany, position.isToMany { throw .notADerivation(derivation) }
      position.entityName = relationship.destinationEntityName
      position.isToMany = position.isToMany || relationship.isToMany
    }
    return position
  }

  /// The attribute at the end of a path along to-one relationships.
  private func stored(_ keys: [String], _ entityName: String) throws(Diagnostic) -> AttributeDescription {
    let path = Expression.keyPath(keys, of: nil)
    var relationships = keys
    guard let name = relationships.popLast() else { throw .notADerivation(path) }
    let end = try follow(relationships, entityName, path)
    guard !end.isToMany else { throw .notADerivation(path) }
    guard let source = hierarchy.attribute(named: name, of: end.entityName) else {
      if hierarchy.relationship(named: name, of: end.entityName) != nil { throw .notADerivation(path) }
      throw missing(name, of: end.entityName)
    }
    if source.isDerived { throw .notStored(attribute, "itself derived", name) }
    if source.isTransient { throw .notStored(attribute, "transient", name) }
    return source
  }

  private func require(_ condition: Bool, _ reason: String) throws(Diagnostic) {
    if !condition { throw .otherType(attribute, reason) }
  }

  private func missing(_ key: String, of entityName: String) -> Diagnostic {
    Diagnostic(
      .derivationSource, .error,
      "'\(attribute.name)' is derived from '\(key)', which '\(entityName)' does not have"
    ).suggestingWord(nearestTo: key, among: hierarchy.propertyNames(of: entityName))
  }
}

extension Diagnostic.Code {
  package static let derivationForm = Self(
    "MC1211", accepted: .init("derivations of an unknown form", "their text is kept as it is"))
  package static let derivationSource = Self(
    "MC1212", accepted: .init("derivations from properties that do not exist", "their text is kept as it is"))
}

extension Diagnostic {
  fileprivate static func notADerivation(_ derivation: Expression) -> Self {
    Self(
      .derivationForm, .error, "a SQL store cannot derive a value by '\(derivation)'",
      notes: ["Core Data refuses to add a store with such a derivation in its model"],
      help: [
        "allowed: 'name', 'author.name', 'canonical:(name)', 'uppercase:(name)', 'lowercase:(name)', "
          + "'pages.@count', 'items.@sum.price', 'now()'"
      ])
  }

  fileprivate static func notStored(
    _ attribute: AttributeDescription, _ kind: String, _ key: String
  ) -> Self {
    Self(.derivationSource, .error, "'\(attribute.name)' is derived from '\(key)', which is \(kind)")
  }

  fileprivate static func otherType(_ attribute: AttributeDescription, _ reason: String) -> Self {
    Self(.derivationSource, .error, "'\(attribute.name)' is \(attribute.type.name), but \(reason)")
  }
}
