package import ManagedModel
import ModelArchives
import SwiftDataModels

/// The objects of one file with their places.
package final class ObjectFileReading {
  package struct Entry {
    package var object: ManagedObject
    /// The name in the file.
    var name: String
    var node: YAMLNode
    package var nameRange: SourceRange
    /// Properties that the file states, `null` included.
    package var stated: [String: YAMLNode] = [:]
  }

  let hierarchy: EntityHierarchy
  let reading: LanguageReading
  private(set) var objects: [Entry] = []
  /// Places in ``objects``, by entity and name, and by identity.
  private var placeByName: [String: [String: Int]] = [:]
  private(set) var placeByID: [ManagedObject.ID: Int] = [:]
  private var shapes: [String: ObjectShape] = [:]

  init(_ node: YAMLNode, model: ManagedObjectModel, _ reading: LanguageReading) {
    self.hierarchy = EntityHierarchy(model)
    self.reading = reading
    for pair in reading.pairs(of: node, "a file of objects") ?? [] { readEntity(pair) }
    assignKeys()
    for place in objects.indices { readProperties(of: place) }
  }

  func entry(_ id: ManagedObject.ID) -> Entry? { placeByID[id].map { objects[$0] } }

  func shape(of entityName: String) -> ObjectShape {
    if let known = shapes[entityName] { return known }
    let made = ObjectShape(entityName, hierarchy: hierarchy)
    shapes[entityName] = made
    return made
  }

  // MARK: entities and names

  private func readEntity(_ pair: YAMLNode.Pair) {
    guard let entity = hierarchy.entity(named: pair.key) else {
      let names = hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
      reading.diagnostics.append(.unknownName(pair, "the model has no entity", among: names))
      return
    }
    guard !entity.isAbstract else {
      reading.diagnostics.append(
        .wrongKind, .error, "'\(pair.key.abridged)' is abstract: it has no objects of its own",
        place: pair.keyRange, help: ["put the objects under one of its sub-entities"])
      return
    }
    for object in reading.pairs(of: pair.value, "'\(pair.key)'") ?? [] {
      placeByName[pair.key, default: [:]][object.key] = objects.count
      objects.append(
        Entry(
          object: ManagedObject(pair.key, 0), name: object.key, node: object.value,
          nameRange: object.keyRange))
    }
  }

  /// Keys are unique among all entities that share a table.
  private func assignKeys() {
    var taken: [String: [Int64: Int]] = [:]
    for place in objects.indices {
      guard let key = primaryKey(objects[place].name) else { continue }
      let root = hierarchy.rootName(of: objects[place].object.id.entityName)
      if let first = taken[root]?[key] {
        let (entry, other) = (objects[place], objects[first])
        reading.diagnostics.append(
          .duplicateKey, .error, "primary key \(key) is taken in this table",
          place: entry.nameRange,
          notes: [.init("by '\(other.object.id.entityName)/\(other.name)'", place: other.nameRange)],
          help: ["entities with a common ancestor share one sequence of keys: choose another"])
      } else {
        taken[root, default: [:]][key] = place
      }
      give(key, to: place)
    }
    var last = taken.mapValues { CheckedKey($0.keys.max() ?? 0) }
    for place in objects.indices where primaryKey(objects[place].name) == nil {
      let root = hierarchy.rootName(of: objects[place].object.id.entityName)
      guard let key = last[root, default: .none].next else {
        reading.diagnostics.append(.noKeyLeft(objects[place]))
        continue
      }
      last[root] = key
      give(key.value, to: place)
    }
  }

  private func give(_ key: Int64, to place: Int) {
    objects[place].object.id.primaryKey = key
    placeByID[objects[place].object.id] = place
  }

  // MARK: properties

  private func readProperties(of place: Int) {
    let entry = objects[place]
    let shape = shape(of: entry.object.id.entityName)
    for leaf in shape.leaves { objects[place].object.values[leaf.keyPath] = leaf.attribute.heldDefaultValue }
    for pair in reading.pairs(of: entry.node, "'\(entry.name)'") ?? [] {
      read(pair.key, pair, of: place, shape)
    }
  }

  private func read(_ name: String, _ pair: YAMLNode.Pair, of place: Int, _ shape: ObjectShape) {
    let subject = ModelSubject(entity: shape.entityName, property: name)
    if let leaf = shape.leaves.first(where: { $0.keyPath == name }) {
      objects[place].stated[name] = pair.value
      readValue(pair.value, leaf, of: place, subject)
    } else if let relationship = shape.relationships.first(where: { $0.name == name }) {
      objects[place].stated[name] = pair.value
      readReferences(pair.value, relationship, of: place, subject)
    } else if shape.leaves.contains(where: { $0.keyPath.hasPrefix(name + ".") }) {
      // A composite may be written as a mapping of its elements.
      for inner in reading.pairs(of: pair.value, "'\(name)'") ?? [] {
        read("\(name).\(inner.key)", inner, of: place, shape)
      }
    } else {
      let names = shape.leaves.map(\.keyPath) + shape.relationships.map(\.name)
      reading.diagnostics.append(
        .unknownName(pair, "'\(shape.entityName)' has no stored property", among: names))
    }
  }

  private func readValue(_ node: YAMLNode, _ leaf: StoredLeaf, of place: Int, _ subject: ModelSubject) {
    if node.isNull {
      objects[place].object.values[leaf.keyPath] = nil
      return
    }
    let type = leaf.attribute.type
    if type == .transformable, case .sequence(let items) = node.content,
      let null = items.first(where: \.isNull)
    {
      let wanted = "an element of \(subject.keyInWords) is a value"
      reading.diagnostics.append(
        .wrongKind(null, wanted: wanted, help: ["remove it, or write \"\" for an empty text"]))
      return
    }
    if let array = archive(of: node, leaf.attribute, subject) {
      objects[place].object.values[leaf.keyPath] = array
      return
    }
    let text = type == .string ? reading.text(of: node, subject) : reading.scalar(of: node, subject)
    guard let text else { return }
    guard let value = text.objectValue(of: type) else {
      reading.diagnostics.append(
        .wrongKind(
          node,
          wanted: "\(subject.keyInWords) is \(type.traits.valuesInWords ?? "a value of type \(type.name)")"))
      return
    }
    objects[place].object.values[leaf.keyPath] = value
  }

  /// Of a list, what SwiftData stores of an array; the values of the app's own types may be none.
  private func archive(
    of node: YAMLNode, _ attribute: AttributeDescription, _ subject: ModelSubject
  ) -> AttributeValue? {
    guard attribute.type == .transformable, case .sequence(let items) = node.content,
      let name = attribute.attributeValueClassName,
      let element = name.wholeMatch(of: #/(?:Array|Set)<(.+)>/#)?.1
    else { return nil }
    let values = items.compactMap { item in
      attributeTypesBySwiftName[String(element)].flatMap { type in
        reading.scalar(of: item, subject)?.objectValue(of: type)
      }
    }
    return values.count < items.count ? nil : .binary(archivedObject(values, className: name))
  }

  private func readReferences(
    _ node: YAMLNode, _ relationship: RelationshipDescription, of place: Int, _ subject: ModelSubject
  ) {
    guard relationship.isToMany else {
      guard !node.isNull, let id = reference(node, relationship, subject) else { return }
      objects[place].object.toOne[relationship.name] = id
      return
    }
    guard !node.isNull, let elements = reading.elements(of: node, subject) else { return }
    var members: [ManagedObject.ID] = []
    var seen: Set<ManagedObject.ID> = []
    for element in elements {
      guard let id = reference(element, relationship, subject) else { continue }
      if seen.insert(id).inserted {
        members.append(id)
      } else {
        reading.diagnostics.append(
          .badReference(
            element, "\(subject.keyInWords) lists \(element.kind) twice", help: ["remove one of the two"]))
      }
    }
    objects[place].object.toMany[relationship.name] = members
  }

  private func reference(
    _ node: YAMLNode, _ relationship: RelationshipDescription, _ subject: ModelSubject
  ) -> ManagedObject.ID? {
    guard let text = reading.scalar(of: node, subject) else { return nil }
    let destination = relationship.destinationEntityName
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (entity, name) = parts.count == 2 ? (parts[0], parts[1]) : (destination, text)
    guard let place = placeByName[entity]?[name] else {
      let known = hierarchy.descendantNames(includingSelf: destination).flatMap { kind in
        (placeByName[kind] ?? [:]).keys.map { "\(kind)/\($0)" }
      }
      let near = nearestName(to: "\(entity)/\(name)", among: known.sorted())
      reading.diagnostics.append(
        .badReference(
          node, "there is no object \(node.kind) in this file",
          help: near.map { ["did you mean '\($0.abridged)'?"] } ?? []))
      return nil
    }
    guard hierarchy.isKind(entity, of: destination) else {
      reading.diagnostics.append(
        .badReference(
          node, "\(subject.keyInWords) leads to objects of '\(destination)', not to \(node.kind)"))
      return nil
    }
    return objects[place].object.id
  }
}

extension YAMLNode {
  /// Nothing, `null` or `~`; in quotes each is text.
  fileprivate var isNull: Bool { isEmpty || (isPlain && (text == "null" || text == "~")) }
}

extension Diagnostic.Code { package static let objectReference = Self("MC0301") }

extension Diagnostic {
  fileprivate static func unknownName(
    _ pair: YAMLNode.Pair, _ complaint: String, among names: [String]
  ) -> Diagnostic {
    Diagnostic(
      .unknownKey, .error, "\(complaint) '\(pair.key.abridged)'", place: pair.keyRange
    ).suggesting(
      nearMatch(to: pair.key, among: names), at: pair.keyRange,
      else: names.isEmpty ? [] : ["there are \(names.joined(separator: ", ").abridged)"])
  }

  fileprivate static func noKeyLeft(_ entry: ObjectFileReading.Entry) -> Diagnostic {
    Diagnostic(
      .duplicateKey, .error, "no primary key is left for '\(entry.name.abridged)'", place: entry.nameRange,
      notes: [Note("another object of this table has the largest possible key, p\(Int64.max)")],
      help: ["give that object a lower key"])
  }

  fileprivate static func badReference(
    _ node: YAMLNode, _ message: String, help: [String] = []
  ) -> Diagnostic { Diagnostic(.objectReference, .error, message, place: node.range, help: help) }
}
