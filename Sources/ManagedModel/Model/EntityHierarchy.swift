import Foundation

/// A model's entities by name and by descent.
///
/// It is built once and never fails, so that checks can run over any model: of two entities with one name the first
/// counts, a parent that does not exist counts as none, and a cycle of parents is cut.
package struct EntityHierarchy: Sendable {
  package let model: ManagedObjectModel
  /// The first entity of each name, by its place in the model.
  private let indexByName: [String: Int]
  /// The place of each entity's parent, by the entity's own place; nil for a root.
  let parents: [Int?]
  /// The places of each entity's sub-entities, by name without regard to case.
  private let children: [[Int]]
  /// The attributes of entities that have many, by entity and name.
  private let manyAttributes: [Int: [String: Int]]
  /// Entities without a parent, by name without regard to case: the order in which stores number them.
  package let rootNames: [String]

  package init(_ model: ManagedObjectModel) {
    self.model = model
    let entities = model.entities
    var indexByName: [String: Int] = Dictionary(minimumCapacity: entities.count)
    for index in entities.indices.reversed() { indexByName[entities[index].name] = index }
    var parents: [Int?] = Array(repeating: nil, count: entities.count)
    for place in entities.indices {
      guard let name = entities[place].superentityName, let parent = indexByName[name],
        let index = indexByName[entities[place].name], parents[index] == nil
      else { continue }
      // Follow the chain upwards; a step that would come back to this entity is left out.
      var ancestor: Int? = parent
      while let place = ancestor, place != index { ancestor = parents[place] }
      if ancestor == nil { parents[index] = parent }
    }
    // The order of names that entity numbers follow: without regard to case, ties by code point.
    let keys = entities.indices.map { (entities[$0].name.lowercased(), entities[$0].name) }
    func precedes(_ left: Int, _ right: Int) -> Bool {
      let (l, r) = (keys[left], keys[right])
      return l.0 == r.0 ? l.1.precedesInCodePointOrder(r.1) : l.0.precedesInCodePointOrder(r.0)
    }
    var children: [[Int]] = Array(repeating: [], count: entities.count)
    var roots: [Int] = []
    // In the order of the model, which is often that of the names already.
    for index in entities.indices where indexByName[entities[index].name] == index {
      if let parent = parents[index] { children[parent].append(index) } else { roots.append(index) }
    }
    for index in children.indices where children[index].count > 1 { children[index].sort(by: precedes) }
    (self.indexByName, self.parents, self.children) = (indexByName, parents, children)
    var manyAttributes: [Int: [String: Int]] = [:]
    for place in entities.indices where entities[place].attributes.count > 16 {
      let named = entities[place].attributes.enumerated().map { ($1.name, $0) }
      manyAttributes[place] = Dictionary(firstOf: named)
    }
    self.manyAttributes = manyAttributes
    self.rootNames = roots.sorted(by: precedes).map { entities[$0].name }
  }

  package func entity(named name: String) -> EntityDescription? {
    indexByName[name].map { model.entities[$0] }
  }

  /// The place of the entity among the model's entities.
  package func index(of name: String) -> Int? { indexByName[name] }

  /// The places of an entity and its ancestors, from the entity up to the root.
  package func lineageIndexes(from index: Int) -> some Sequence<Int> {
    // The closure holds this one array, not the model.
    sequence(first: index) { [parents] in parents[$0] }
  }

  package func superentityName(of name: String) -> String? {
    indexByName[name].flatMap { parents[$0] }.map { model.entities[$0].name }
  }

  /// Direct sub-entities, by name without regard to case.
  package func subentityNames(of name: String) -> [String] {
    indexByName[name].map { children[$0].map { model.entities[$0].name } } ?? []
  }

  /// From the parent up to the root.
  package func ancestorNames(of name: String) -> [String] {
    guard let index = indexByName[name] else { return [] }
    return lineageIndexes(from: index).dropFirst().map { model.entities[$0].name }
  }

  /// The entity whose table holds this one's rows: itself, where it has no parent.
  package func rootName(of name: String) -> String {
    guard var index = indexByName[name] else { return name }
    while let parent = parents[index] { index = parent }
    return model.entities[index].name
  }

  /// The entity and all below it, depth first, in numbering order.
  package func descendantNames(includingSelf name: String) -> [String] {
    guard let index = indexByName[name] else { return [name] }
    var names: [String] = []
    var stack = [index]
    while let next = stack.popLast() {
      names.append(model.entities[next].name)
      stack.append(contentsOf: children[next].reversed())
    }
    return names
  }

  /// All entities in the order of their numbers in a store: roots by name without regard to case, each followed by
  /// its descendants, depth first. Numbers begin at 1; abstract entities are numbered too.
  package var namesInNumberingOrder: [String] { rootNames.flatMap { descendantNames(includingSelf: $0) } }

  package func isKind(_ name: String, of ancestor: String) -> Bool {
    if name == ancestor { return true }
    guard let index = indexByName[name], let target = indexByName[ancestor] else { return false }
    return lineageIndexes(from: index).contains(target)
  }

  /// Entities whose objects may hold references, as a to-one, to objects of some, to those that hold them, and so on.
  package func holders(of names: Set<String>) -> Set<String> {
    var (found, added) = (Set<String>(), names)
    while !added.isEmpty {
      let holders = model.entities.map(\.name).filter { name in
        relationships(of: name).contains { relationship in
          !relationship.isToMany && added.contains { isKind($0, of: relationship.destinationEntityName) }
        }
      }
      added = Set(holders).subtracting(found)
      found.formUnion(holders)
    }
    return found
  }

  /// Root first, the entity itself last.
  package func lineage(of name: String) -> [EntityDescription] {
    guard let index = indexByName[name] else { return [] }
    return lineageIndexes(from: index).map { model.entities[$0] }.reversed()
  }

  /// Inherited attributes first.
  package func attributes(of name: String) -> [AttributeDescription] {
    lineage(of: name).flatMap(\.attributes)
  }

  /// Inherited relationships first.
  package func relationships(of name: String) -> [RelationshipDescription] {
    lineage(of: name).flatMap(\.relationships)
  }

  /// Those of attributes, then those of relationships.
  package func propertyNames(of name: String) -> [String] {
    attributes(of: name).map(\.name) + relationships(of: name).map(\.name)
  }

  /// The attribute of that name, or the member of a composite by its key path (`address.street`).
  package func attribute(named property: String, of name: String) -> AttributeDescription? {
    guard let index = indexByName[name] else { return nil }
    for place in lineageIndexes(from: index) {
      if let index = indexOfAttribute(named: property, at: place) {
        return model.entities[place].attributes[index]
      }
    }
    guard let composite = compositeName(in: property) else { return nil }
    return attribute(named: composite, of: name).flatMap { member(property, of: $0) }
  }

  private func indexOfAttribute(named name: String, at place: Int) -> Int? {
    if let names = manyAttributes[place] { return names[name] }
    return model.entities[place].attributes.firstIndex { $0.name == name }
  }

  /// The attribute that a key path begins with; nil for a plain name.
  private func compositeName(in keyPath: String) -> String? {
    keyPath.firstIndex(of: ".").map { String(keyPath[..<$0]) }
  }

  /// What a later version states as the former name of a part: its renaming identifier, where it has one, else its name.
  package func canonicalName(of property: String?, in entity: String) -> String {
    guard let property else { return self.entity(named: entity)?.canonicalName ?? entity }
    return attribute(named: property, of: entity)?.canonicalName
      ?? relationship(named: property, of: entity)?.canonicalName ?? property
  }

  package func relationship(named property: String, of name: String) -> RelationshipDescription? {
    guard let index = indexByName[name] else { return nil }
    for place in lineageIndexes(from: index) {
      if let found = model.entities[place].relationships.first(where: { $0.name == property }) {
        return found
      }
    }
    return nil
  }

  /// The relationship that points back, where there is one. It may be the relationship itself.
  package func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap { self.relationship(named: $0, of: relationship.destinationEntityName) }
  }

  /// A relationship is its own inverse where it leads back to the entity that declares it under its own name.
  func isOwnInverse(_ relationship: RelationshipDescription) -> Bool {
    relationship.inverseName == relationship.name && inverse(of: relationship) == relationship
  }

  /// The entity in the lineage of `name` that declares the property.
  package func declaringEntityName(of property: String, seenFrom name: String) -> String? {
    guard let index = indexByName[name] else { return nil }
    for place in lineageIndexes(from: index) {
      let entity = model.entities[place]
      if indexOfAttribute(named: property, at: place) != nil
        || entity.relationships.contains(where: { $0.name == property })
      {
        return entity.name
      }
    }
    return compositeName(in: property).flatMap { declaringEntityName(of: $0, seenFrom: name) }
  }
}

extension String {
  /// Byte order of the UTF-8 text, which is code-point order. Swift's own `<` compares normalised text and is
  /// not what Core Data sorts by.
  package func precedesInCodePointOrder(_ other: String) -> Bool {
    let order = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        guard let own = left.baseAddress, let others = right.baseAddress else {
          return left.isEmpty && !right.isEmpty
        }
        let order = unsafe memcmp(own, others, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }
    return (order ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether both are the same byte for byte; `==` also takes é for e with an accent.
  package func hasBytes(of other: String) -> Bool {
    utf8.count == other.utf8.count && !precedesInCodePointOrder(other)
      && !other.precedesInCodePointOrder(self)
  }
}

extension Sequence {
  /// In code-point order of what names each.
  package func sorted(byCodePointOf name: (Element) -> String) -> [Element] {
    sorted { name($0).precedesInCodePointOrder(name($1)) }
  }
}

extension Sequence<String> { package var sortedByCodePoint: [String] { sorted(byCodePointOf: \.self) } }
