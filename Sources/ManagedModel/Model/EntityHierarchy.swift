/// A model's entities by name and by descent: what needs the whole model to answer.
///
/// Built once and asked often. It never fails: of two entities with one name the first counts, a parent that does
/// not exist is as good as none, and a cycle of parents is cut, so that checks can run over any model.
public struct EntityHierarchy: Sendable {
  public let model: ManagedObjectModel
  private let indexByName: [String: Int]
  private let parents: [String: String]
  private let children: [String: [String]]
  /// Entities without a parent, by name without regard to case: the order in which stores number them.
  public let rootNames: [String]

  public init(_ model: ManagedObjectModel) {
    self.model = model
    var indexByName: [String: Int] = [:]
    for (index, entity) in model.entities.enumerated() where indexByName[entity.name] == nil {
      indexByName[entity.name] = index
    }
    var parents: [String: String] = [:]
    for entity in model.entities {
      guard let parent = entity.superentityName, indexByName[parent] != nil, parents[entity.name] == nil
      else {
        continue
      }
      // Follow the chain upwards; a step that would come back to this entity is left out.
      var ancestor: String? = parent
      while let name = ancestor, name != entity.name { ancestor = parents[name] }
      if ancestor == nil { parents[entity.name] = parent }
    }
    self.indexByName = indexByName
    self.parents = parents
    var children: [String: [String]] = [:]
    for (child, parent) in parents { children[parent, default: []].append(child) }
    self.children = children.mapValues { $0.sorted(by: precedesInNumbering) }
    self.rootNames = indexByName.keys.filter { parents[$0] == nil }.sorted(by: precedesInNumbering)
  }

  public func entity(named name: String) -> EntityDescription? {
    indexByName[name].map { model.entities[$0] }
  }

  public func superentityName(of name: String) -> String? { parents[name] }

  public func superentity(of name: String) -> EntityDescription? {
    parents[name].flatMap(entity(named:))
  }

  /// Direct sub-entities, by name without regard to case.
  public func subentityNames(of name: String) -> [String] { children[name] ?? [] }

  /// From the parent up to the root.
  public func ancestorNames(of name: String) -> [String] {
    var names: [String] = []
    var next = parents[name]
    while let ancestor = next {
      names.append(ancestor)
      next = parents[ancestor]
    }
    return names
  }

  /// The entity whose table holds this one's rows: itself, where it has no parent.
  public func rootName(of name: String) -> String { ancestorNames(of: name).last ?? name }

  /// The entity and all below it, depth first, in numbering order.
  public func descendantNames(includingSelf name: String) -> [String] {
    var names: [String] = []
    var stack = [name]
    while let next = stack.popLast() {
      names.append(next)
      stack.append(contentsOf: subentityNames(of: next).reversed())
    }
    return names
  }

  /// All entities in the order of their numbers in a store: roots by name without regard to case, each followed by
  /// its descendants, depth first. Numbers begin at 1; abstract entities are numbered too.
  public var namesInNumberingOrder: [String] {
    rootNames.flatMap { descendantNames(includingSelf: $0) }
  }

  public func isKind(_ name: String, of ancestor: String) -> Bool {
    name == ancestor || ancestorNames(of: name).contains(ancestor)
  }

  /// Root first, the entity itself last.
  public func lineage(of name: String) -> [EntityDescription] {
    (ancestorNames(of: name).reversed() + [name]).compactMap(entity(named:))
  }

  /// Inherited attributes first.
  public func attributes(of name: String) -> [AttributeDescription] {
    lineage(of: name).flatMap(\.attributes)
  }

  /// Inherited relationships first.
  public func relationships(of name: String) -> [RelationshipDescription] {
    lineage(of: name).flatMap(\.relationships)
  }

  public func attribute(named property: String, of name: String) -> AttributeDescription? {
    for entity in lineage(of: name).reversed() {
      if let found = entity.attributes.first(where: { $0.name == property }) { return found }
    }
    return nil
  }

  public func relationship(named property: String, of name: String) -> RelationshipDescription? {
    for entity in lineage(of: name).reversed() {
      if let found = entity.relationships.first(where: { $0.name == property }) { return found }
    }
    return nil
  }

  /// The relationship that points back, where there is one. It may be the relationship itself.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap { self.relationship(named: $0, of: relationship.destinationEntityName) }
  }

  /// The entity in the lineage of `name` that declares the property.
  public func declaringEntityName(of property: String, seenFrom name: String) -> String? {
    lineage(of: name).last {
      $0.attributes.contains { $0.name == property } || $0.relationships.contains { $0.name == property }
    }?.name
  }
}

/// The order of names that entity numbers follow: without regard to case, ties by code point.
private func precedesInNumbering(_ left: String, _ right: String) -> Bool {
  let (l, r) = (left.lowercased(), right.lowercased())
  return l == r ? left.precedesInCodePointOrder(right) : l.precedesInCodePointOrder(r)
}

extension String {
  /// Byte order of the UTF-8 text, which is code-point order. Swift's own `<` compares normalised text and is
  /// not what Core Data sorts by.
  package func precedesInCodePointOrder(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
