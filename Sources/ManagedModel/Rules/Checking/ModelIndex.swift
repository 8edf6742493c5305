/// A model with the look-ups that all checks share, built once.
struct ModelIndex {
  let model: ManagedObjectModel
  /// Where the model was read from; checks of texts in texts (predicates) need it for places within.
  let sourceMap: SourceMap?
  let hierarchy: EntityHierarchy
  let compositesByName: [String: CompositeDescription]
  /// Every name that some entity gives as its parent's.
  let parentNames: Set<String>
  /// Where each entity's own properties stand in it, by the entity's place; of two with one name, the first.
  private let properties: [[String: Position]]

  private enum Position {
    case attribute(Int)
    case relationship(Int)
    case fetchedProperty
  }

  /// A property as its entity declares it.
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    case fetchedProperty
  }

  init(_ model: ManagedObjectModel, sourceMap: SourceMap? = nil) {
    (self.model, self.sourceMap) = (model, sourceMap)
    hierarchy = EntityHierarchy(model)
    parentNames = Set(model.entities.compactMap(\.superentityName))
    compositesByName = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
    properties = model.entities.map(Self.positions)
  }

  private static func positions(in entity: EntityDescription) -> [String: Position] {
    var positions: [String: Position] = Dictionary(
      minimumCapacity: entity.attributes.count + entity.relationships.count)
    for property in entity.fetchedProperties { positions[property.name] = .fetchedProperty }
    for index in entity.relationships.indices.reversed() {
      positions[entity.relationships[index].name] = .relationship(index)
    }
    for index in entity.attributes.indices.reversed() {
      positions[entity.attributes[index].name] = .attribute(index)
    }
    return positions
  }

  func hasEntity(named name: String) -> Bool { hierarchy.index(of: name) != nil }

  var entityNames: some Collection<String> { Set(model.entities.map(\.name)) }

  /// The entity that declares the property: the named one or its nearest ancestor that does.
  func declaringEntityName(of property: String, seenFrom entity: String) -> String? {
    find(property, seenFrom: entity).map { model.entities[$0.entity].name }
  }

  private func find(_ property: String, seenFrom entity: String) -> (entity: Int, position: Position)? {
    guard let start = hierarchy.index(of: entity) else { return nil }
    for place in hierarchy.lineageIndexes(from: start) {
      if let position = properties[place][property] { return (place, position) }
    }
    return nil
  }

  /// The property, own or inherited.
  func property(named name: String, of entity: String) -> Property? {
    guard let (place, position) = find(name, seenFrom: entity) else { return nil }
    switch position {
    case .attribute(let index): return .attribute(model.entities[place].attributes[index])
    case .relationship(let index): return .relationship(model.entities[place].relationships[index])
    case .fetchedProperty: return .fetchedProperty
    }
  }

  func relationship(named name: String, of entity: String) -> RelationshipDescription? {
    if case .relationship(let relationship)? = property(named: name, of: entity) { relationship } else { nil }
  }

  func attribute(named name: String, of entity: String) -> AttributeDescription? {
    if case .attribute(let attribute)? = property(named: name, of: entity) { attribute } else { nil }
  }

  /// The entity that declares the property, for edits: the entity itself where none does.
  func owner(of property: String, _ entity: String) -> String {
    declaringEntityName(of: property, seenFrom: entity) ?? entity
  }

  /// The names of all properties, own and inherited, for suggestions.
  func allPropertyNames(of entity: String) -> [String] {
    let lineage = [entity] + hierarchy.ancestorNames(of: entity)
    return lineage.flatMap { name in hierarchy.index(of: name).map { Array(properties[$0].keys) } ?? [] }
  }
}

extension Diagnostic {
  /// The same finding with the near name as help, and as the edit of what the subject says.
  ///
  /// - Parameter subject: what names it; nil stands for the finding's own subject.
  func suggesting(
    nearestTo name: String, among candidates: some Sequence<String>, at subject: ModelSubject? = nil
  ) -> Diagnostic {
    guard let near = nearMatch(to: name, among: candidates) else {
      let known = candidates.prefix(namesShown + 1).sortedByCodePoint
      guard (1...namesShown).contains(known.count) else { return self }
      return with {
        $0.help.append("known here: \(known.map { "'\($0.abridged)'" }.joined(separator: ", "))")
      }
    }
    return offering(near, .replace(with: .text(near.name)), at: subject ?? self.subject)
  }

  /// The same finding with an edit.
  func fixed(by edits: ModelEdit...) -> Diagnostic { with { $0.edits += edits } }
}

/// The most names that are listed where none is near.
private let namesShown = 8

extension ModelEdit {
  /// `remove 'x'`: the key of that name below a subject.
  static func removing(_ key: String, of subject: ModelSubject, isSafe: Bool = false) -> ModelEdit {
    ModelEdit("remove '\(key)'", at: subject.part(key), .remove, isSafe: isSafe)
  }
}

extension [String] {
  /// `'a', 'b' and 'c'`
  var quotedList: String {
    let quoted = map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " and " + last
  }
}
