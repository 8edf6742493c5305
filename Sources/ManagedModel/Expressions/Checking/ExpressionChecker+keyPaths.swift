extension ExpressionChecker {
  /// Follows the keys one by one.
  ///
  /// - Parameter path: the whole path, for messages.
  mutating func type(
    ofKeys keys: ArraySlice<String>, from start: ExpressionType, path: String
  ) -> ExpressionType {
    guard let key = keys.first else { return start }
    let rest = keys.dropFirst()
    if let aggregate = CollectionOperator(rawValue: key) {
      return type(of: aggregate, over: start, rest, path: path)
    }
    let next = type(ofKey: key, of: start.element, path: path)
    if !start.isCollection { return type(ofKeys: rest, from: next, path: path) }
    // What a to-many leads to stays many, and many of many are many.
    return type(ofKeys: rest, from: .collection(next.element), path: path)
  }

  /// An operator takes the rest of the path, which leads from each element.
  private mutating func type(
    of aggregate: CollectionOperator, over collection: ExpressionType, _ rest: ArraySlice<String>,
    path: String
  ) -> ExpressionType {
    if !collection.isCollection, collection != .unknown {
      let text = "'\(aggregate.rawValue)' needs a to-many relationship before it (in '\(path)')"
      found.append(.comparedTypes, .error, text)
    }
    let operand = type(ofKeys: rest, from: collection.element, path: path)
    switch aggregate {
    case .count: return .number
    case .sum, .average:
      switch operand.element {
      case .unknown, .number, .boolean: break
      default: found.append(.notSummable(aggregate, operand.element, path))
      }
      return .number
    case .minimum, .maximum:
      switch operand.element {
      case .object, .destinationObject, .composite:
        found.append(.notSummable(aggregate, operand.element, path))
      default: break
      }
      return operand.element
    default: return .collection(operand.element)
    }
  }

  private mutating func type(ofKey key: String, of owner: ExpressionType, path: String) -> ExpressionType {
    switch owner {
    case .object(let entity):
      // A mapping that adds an entity has no source object.
      return entity.isEmpty ? .unknown : type(ofProperty: key, of: entity, path: path)
    case .destinationObject(let entity): return destinationType(ofProperty: key, of: entity, path: path)
    case .composite(let name):
      guard let composite = hierarchy.model.composites.first(where: { $0.name == name }) else {
        return .unknown
      }
      if let element = composite.elements.first(where: { $0.name == key }) { return ExpressionType(element) }
      found.append(.unknownKey(key, in: "composite '\(name)'", path, among: composite.elements.map(\.name)))
      return .unknown
    case .unknown: return .unknown
    default:
      // Key-value coding reaches into values (`name.length`), SQL does not.
      if mode == .store {
        found.append(
          .unknownKeyPath, .error, "\(owner.label) has no key '\(key)' in a store (in '\(path)')",
          help: key == "length" ? ["write 'length:(…)'"] : [])
      }
      return .unknown
    }
  }

  mutating func type(ofProperty key: String, of entityName: String, path: String) -> ExpressionType {
    if let attribute = hierarchy.attribute(named: key, of: entityName) {
      if mode == .store, attribute.isTransient, !attribute.isDerived {
        found.append(.noColumn("transient attribute", "\(entityName).\(key)"))
      }
      return ExpressionType(attribute)
    }
    if let relationship = hierarchy.relationship(named: key, of: entityName) {
      if mode == .store, relationship.isTransient {
        found.append(.noColumn("transient relationship", "\(entityName).\(key)"))
      }
      let destination = ExpressionType.object(entityName: relationship.destinationEntityName)
      // A destination that does not exist is the model's fault, and said there.
      guard hierarchy.entity(named: relationship.destinationEntityName) != nil else { return .unknown }
      return relationship.isToMany ? .collection(destination) : destination
    }
    let fetched = hierarchy.lineage(of: entityName).flatMap(\.fetchedProperties)
    if let property = fetched.first(where: { $0.name == key }) {
      if mode == .store { found.append(.noColumn("fetched property", "\(entityName).\(key)")) }
      return .collection(.object(entityName: property.fetchRequest.entityName))
    }
    switch key {
    case "self", "objectID": return .object(entityName: entityName)
    case "entity": return .unknown
    default:
      found.append(unknownProperty(key, of: entityName, path))
      return .unknown
    }
  }

  private func unknownProperty(_ key: String, of entityName: String, _ path: String) -> Diagnostic {
    var diagnostic = Diagnostic.unknownKey(
      key, in: "'\(entityName)'", path, among: hierarchy.propertyNames(of: entityName))
    let owner = hierarchy.descendantNames(includingSelf: entityName).dropFirst().first {
      hierarchy.declaringEntityName(of: key, seenFrom: $0) != nil
    }
    if let owner { diagnostic.notes.append(Diagnostic.Note("its sub-entity '\(owner)' has that key")) }
    return diagnostic
  }
}

extension Diagnostic.Code {
  package static let noColumnInPredicate = Self(
    "MC1603", accepted: .init("fetch requests for properties that have no column", "kept as they are"))
}

extension Diagnostic {
  fileprivate static func unknownKey(
    _ key: String, in owner: String, _ path: String, among names: [String]
  ) -> Self {
    let within = path == key ? "" : " (in '\(path)')"
    return Self(.unknownKeyPath, .error, "\(owner) has no key '\(key)'\(within)")
      .suggestingWord(nearestTo: key, among: names)
  }

  fileprivate static func noColumn(_ kind: String, _ name: String) -> Self {
    Self(
      .noColumnInPredicate, .error, "the \(kind) '\(name)' has no column, so a store cannot search it",
      help: ["filter by a stored property, or make the attribute persistent"])
  }

  fileprivate static func notSummable(
    _ aggregate: CollectionOperator, _ type: ExpressionType, _ path: String
  ) -> Self {
    Self(.comparedTypes, .error, "'\(aggregate.rawValue)' cannot take \(type.label) (in '\(path)')")
  }
}
