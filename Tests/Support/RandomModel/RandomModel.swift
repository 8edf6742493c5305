package import ManagedModel

/// A model that is drawn by chance and then edited by chance, one version after the other.
///
/// Every entity and property carries a number of its own in `userInfo` (which no hash sees), so that a test can say
/// what became of it without asking the code under test.
package struct RandomModel {
  package var model = ManagedObjectModel()
  package var random: Dice
  /// Codes of the findings that the edits so far may lead to.
  package var explained: Set<String> = []
  /// What was done, for the report of a failure.
  package var log: [String] = []
  /// Names that the version before used: taken over by something else, they would be read as the old thing.
  var formerNames: Set<String> = []
  /// The version before.
  var former = ManagedObjectModel()
  private var nextNumber = 0

  init(seed: UInt64) { random = Dice(seed: seed) }

  var hierarchy: EntityHierarchy { EntityHierarchy(model) }

  mutating func identity() -> [String: String] {
    nextNumber += 1
    return ["id": "\(nextNumber)"]
  }

  /// - Parameter subentities: how many entities below others it has for certain.
  package static func draw(seed: UInt64, subentities: Int = 0) -> RandomModel {
    var drawing = RandomModel(seed: seed)
    for _ in 0..<drawing.random.number(2...6) { drawing.addEntity() }
    for _ in 0..<subentities { _ = drawing.addSubentity() }
    for _ in 0..<drawing.random.number(1...6) { drawing.addPair() }
    for _ in 0..<drawing.random.number(0...3) { drawing.addIndex() }
    if drawing.random.chance(30) { _ = drawing.addUniqueness() }
    for _ in 0..<2 where drawing.random.chance(40) { drawing.addCount() }
    for _ in 0..<2 where drawing.random.chance(25) { drawing.addComposite() }
    drawing.makeSomeAbstract()
    drawing.explained = []
    drawing.log = []
    return drawing
  }

  private mutating func makeSomeAbstract() {
    let hierarchy = hierarchy
    for index in model.entities.indices
    where !hierarchy.subentityNames(of: model.entities[index].name).isEmpty && random.chance(30) {
      model.entities[index].isAbstract = true
    }
  }

  // MARK: names

  private static let entityNames = [
    "Aardvark", "album", "Book", "Car", "NWActivity", "NetworkLink", "Person", "Zebra", "Note", "Tag",
    "SContact",
    "ScheduledTag", "Item", "group", "Order", "Mood",
  ]
  private static let propertyNames = [
    "name", "title", "note", "count", "size", "owner", "parent", "items", "tags", "kind", "date", "a", "b",
    "zeta",
    "value_1", "Upper", "index", "group", "child",
  ]

  /// No entity has the name, in this version or the one before, whatever its case.
  mutating func freshEntityName() -> String {
    let taken = Set(
      model.entities.flatMap { [$0.name.lowercased(), $0.canonicalName.lowercased()] }
        + formerNames.map { $0.lowercased() })
    if let name = random.pick(Self.entityNames.filter { !taken.contains($0.lowercased()) }), random.chance(80)
    {
      return name
    }
    nextNumber += 1
    return ["Ant\(nextNumber)", "mid\(nextNumber)", "Zoo\(nextNumber)"].randomElement(using: &random) ?? "E"
  }

  /// No property of the entities, of those above or below them has the name.
  mutating func freshPropertyName(_ entities: [String]) -> String {
    let taken = Set(takenNames(entities).map { $0.lowercased() })
    if let name = random.pick(Self.propertyNames.filter { !taken.contains($0.lowercased()) }),
      random.chance(70)
    {
      return name
    }
    nextNumber += 1
    return "p\(nextNumber)"
  }

  func takenNames(_ entities: [String]) -> [String] {
    let hierarchy = hierarchy
    let family = entities.flatMap {
      hierarchy.ancestorNames(of: $0) + hierarchy.descendantNames(includingSelf: $0)
    }.compactMap(hierarchy.entity(named:))
    return family.flatMap { entity in
      entity.attributes.flatMap { [$0.name, $0.canonicalName] }
        + entity.relationships.flatMap { [$0.name, $0.canonicalName] }
    } + formerNames
  }

  /// Remembers the names of this version, so that the next one gives none of them another meaning.
  package mutating func beginVersion() {
    former = model
    formerNames = Set(
      model.entities.flatMap { entity in
        [entity.name, entity.canonicalName] + entity.attributes.flatMap { [$0.name, $0.canonicalName] }
          + entity.relationships.flatMap { [$0.name, $0.canonicalName] }
      })
  }

  // MARK: parts

  mutating func addEntity() {
    let parent = random.chance(40) ? random.pick(model.entities.map(\.name)) : nil
    let depth = parent.map { hierarchy.ancestorNames(of: $0).count } ?? 0
    let name = freshEntityName()
    model.entities.append(
      EntityDescription(
        name: name, superentityName: depth < 2 ? parent : nil, userInfo: identity()))
    for _ in 0..<random.number(1...4) { addAttribute(to: name, isBlocking: false) }
    log.append("add entity \(name) under \(parent ?? "nothing")")
  }

  func index(of entity: String) -> Int? { model.entities.firstIndex { $0.name == entity } }

  /// - Parameter isBlocking: whether it may be required without a default, which objects that exist conflict with.
  mutating func addAttribute(to entity: String, isBlocking: Bool) {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date,
      .binary,
      .uuid, .uri, .transformable,
    ]
    let type = random.pick(types) ?? .string
    let isOptional = random.chance(60)
    let needsDefault = !isOptional && !isBlocking
    let name = freshPropertyName([entity])
    let hasDefault = needsDefault || random.chance(30)
    guard let index = index(of: entity) else { return }
    model.entities[index].attributes.append(
      AttributeDescription(
        name: name, type: type, isOptional: isOptional,
        defaultValue: hasDefault ? .text(defaultText(type)) : nil,
        allowsExternalBinaryDataStorage: type == .binary && random.chance(30), userInfo: identity()))
    if !isOptional, !hasDefault { explained.insert("MC3101") }
    log.append("add \(entity).\(name): \(type.name)\(isOptional ? "?" : "")\(hasDefault ? " = …" : "")")
  }

  func defaultText(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64: "7"
    case .decimal: "1.5"
    case .double, .float: "2.5"
    case .string: "it's"
    case .boolean: "YES"
    case .date: "2024-05-01T00:00:00Z"
    case .uuid: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .uri: "https://example.org/x"
    default: "AQID"
    }
  }

  mutating func addIndex() {
    guard let entity = random.pick(model.entities), let index = index(of: entity.name) else { return }
    let names = hierarchy.attributes(of: entity.name).filter { !$0.isDerived && $0.type != .composite }
      .map(\.name).shuffled(using: &random)
    guard !names.isEmpty else { return }
    nextNumber += 1
    let isAscending = random.chance(70)
    var fetchIndex = FetchIndexDescription(
      name: "by\(nextNumber)",
      elements: names.prefix(random.number(1...2)).map {
        FetchIndexElement(property: $0, isAscending: isAscending)
      })
    if random.chance(20), let name = names.last { fetchIndex.partialIndexPredicate = "\(name) != nil" }
    let numbers = hierarchy.attributes(of: entity.name).filter { $0.type.isNumeric && !$0.isDerived }
    if random.chance(20), let name = random.pick(numbers.map(\.name)) {
      fetchIndex.elements.append(FetchIndexElement(property: "\(name) * 2", isExpression: true))
    }
    model.entities[index].fetchIndexes.append(fetchIndex)
    log.append("add index to \(entity.name)")
  }

  mutating func addUniqueness() -> Bool {
    guard let entity = random.pick(model.entities), let index = index(of: entity.name) else { return false }
    let types: Set<AttributeType> = [.string, .integer32, .integer64, .double, .uuid]
    let names = entity.attributes.filter { types.contains($0.type) && !$0.isDerived }.map(\.name)
    guard let name = random.pick(names), !entity.uniquenessConstraints.contains([name]) else { return false }
    model.entities[index].uniquenessConstraints.append([name])
    explained.insert("MC3105")
    log.append("add uniqueness \(entity.name).\(name)")
    return true
  }

  @discardableResult
  mutating func addCount() -> Bool {
    let hierarchy = hierarchy
    guard let entity = random.pick(model.entities), let index = index(of: entity.name),
      let relationship = random.pick(hierarchy.relationships(of: entity.name).filter(\.isToMany))
    else { return false }
    let name = freshPropertyName([entity.name])
    model.entities[index].attributes.append(
      AttributeDescription(
        name: name, type: .integer64, isOptional: true, derivationExpression: "\(relationship.name).@count",
        userInfo: identity()))
    log.append("add \(entity.name).\(name) derived from \(relationship.name).@count")
    return true
  }

  // MARK: relationships

  enum PairKind: CaseIterable {
    case oneToMany, oneToOne, manyToMany, toOneAlone, toManyAlone, ownToOne, ownToMany
  }

  @discardableResult
  mutating func addPair() -> Bool {
    guard let first = random.pick(model.entities)?.name, let second = random.pick(model.entities)?.name,
      let kind = PairKind.allCases.randomElement(using: &random)
    else { return false }
    addPair(kind, first, second)
    return true
  }

  mutating func addPair(_ kind: PairKind, _ first: String, _ second: String) {
    let isOwn = kind == .ownToOne || kind == .ownToMany
    let second = isOwn ? first : second
    let name = freshPropertyName([first])
    var relationship = RelationshipDescription(
      name: name, destinationEntityName: second, userInfo: identity())
    let isToMany: Set<PairKind> = [.oneToMany, .manyToMany, .toManyAlone, .ownToMany]
    relationship.maxCount = isToMany.contains(kind) ? 0 : 1
    relationship.isOrdered = relationship.isToMany && !isOwn && random.chance(40)
    if isOwn { relationship.inverseName = name }
    append(relationship, to: first)
    guard [.oneToMany, .oneToOne, .manyToMany].contains(kind) else {
      log.append("add \(kind) \(first).\(name) → \(second)")
      return
    }
    let back = freshPropertyName([first, second])
    var inverse = RelationshipDescription(
      name: back, destinationEntityName: first, inverseName: name, userInfo: identity())
    inverse.maxCount = kind == .manyToMany ? 0 : 1
    inverse.isOrdered = inverse.isToMany && random.chance(40)
    append(inverse, to: second)
    edit(first, name) { $0.inverseName = back }
    log.append("add \(kind) \(first).\(name) ↔ \(second).\(back)")
  }

  private mutating func append(_ relationship: RelationshipDescription, to entity: String) {
    guard let index = index(of: entity) else { return }
    model.entities[index].relationships.append(relationship)
  }

  /// Changes a relationship where it is declared.
  mutating func edit(_ entity: String, _ name: String, _ change: (inout RelationshipDescription) -> Void) {
    guard let index = index(of: entity),
      let position = model.entities[index].relationships.firstIndex(where: { $0.name == name })
    else { return }
    change(&model.entities[index].relationships[position])
  }

  /// The inverse with the entity that declares it.
  func inverse(of relationship: RelationshipDescription) -> (entity: String, RelationshipDescription)? {
    let hierarchy = hierarchy
    guard let inverse = hierarchy.inverse(of: relationship),
      let entity = hierarchy.declaringEntityName(
        of: inverse.name, seenFrom: relationship.destinationEntityName)
    else { return nil }
    return (entity, inverse)
  }

  /// Removes what names properties that are no more: elements of indexes, constraints, derivations.
  mutating func prune() {
    let hierarchy = hierarchy
    for index in model.entities.indices {
      let name = model.entities[index].name
      let attributes = Set(hierarchy.attributes(of: name).map(\.name))
      let toManys = Set(hierarchy.relationships(of: name).filter(\.isToMany).map(\.name))
      model.entities[index].fetchIndexes.removeAll {
        !$0.readNames.allSatisfy { attributes.contains($0) }
      }
      model.entities[index].uniquenessConstraints.removeAll { !$0.allSatisfy(attributes.contains) }
      model.entities[index].attributes.removeAll { attribute in
        guard let derivation = attribute.derivationExpression else { return false }
        return !toManys.contains(String(derivation.split(separator: ".").first ?? ""))
      }
    }
  }
}

extension FetchIndexDescription {
  /// The attributes that it reads: the first word of what is more than a name.
  var readNames: [String] {
    (elements.map(\.property) + [partialIndexPredicate].compactMap(\.self)).compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
  }

  /// The same after an attribute was renamed.
  mutating func rename(_ old: String, to new: String) {
    func renamed(_ text: String) -> String {
      text == old ? new : text.hasPrefix(old + " ") ? new + text.dropFirst(old.count) : text
    }
    for element in elements.indices { elements[element].property = renamed(elements[element].property) }
    partialIndexPredicate = partialIndexPredicate.map(renamed)
  }
}
