import Foundation
import ManagedModel
import TestSupport

/// Objects of a model drawn by chance: nulls, bounds, unicode, no, one or many references.
struct RandomObjects {
  let hierarchy: EntityHierarchy
  var random: Dice
  private var objects: [ManagedObject.ID: ManagedObject] = [:]
  private var order: [ManagedObject.ID] = []

  static func draw(_ model: ManagedObjectModel, seed: UInt64) -> [ManagedObject] {
    var drawing = RandomObjects(hierarchy: EntityHierarchy(model), random: Dice(seed: seed))
    drawing.drawValues()
    drawing.drawReferences()
    return drawing.order.compactMap { drawing.objects[$0] }
  }

  private init(hierarchy: EntityHierarchy, random: Dice) {
    self.hierarchy = hierarchy
    self.random = random
  }

  private mutating func drawValues() {
    for root in hierarchy.rootNames {
      var key: Int64 = 0
      let kinds = hierarchy.descendantNames(includingSelf: root).filter {
        hierarchy.entity(named: $0)?.isAbstract == false
      }
      guard !kinds.isEmpty else { continue }
      for _ in 0..<random.number(0...7) {
        key += Int64(random.number(1...3))
        guard let entity = random.pick(kinds) else { continue }
        var object = ManagedObject(entity, key)
        for attribute in hierarchy.members(of: entity) where !attribute.isDerived {
          if attribute.isOptional, random.chance(35) { continue }
          object.values[attribute.name] = value(attribute, key)
        }
        objects[object.id] = object
        order.append(object.id)
      }
    }
  }

  private func isUnique(_ attribute: AttributeDescription) -> Bool {
    hierarchy.model.entities.contains { $0.uniquenessConstraints.contains { $0.contains(attribute.name) } }
  }

  private mutating func value(_ attribute: AttributeDescription, _ key: Int64) -> AttributeValue? {
    if isUnique(attribute) {
      switch attribute.type {
      case .integer16, .integer32, .integer64: return .integer(key * 3)
      case .string: return .string("unique \(key)")
      case .double, .float: return .double(Double(key) + 0.5)
      case .decimal: return .decimal(Decimal(key))
      default: break
      }
    }
    switch attribute.type {
    case .integer16:
      return .integer(random.pick([0, 1, -1, 32767, -32768, Int64(random.number(-500...500))]) ?? 0)
    case .integer32:
      return .integer(
        random.pick([0, 2_147_483_647, -2_147_483_648, Int64(random.number(-70000...70000))]) ?? 0)
    case .integer64:
      return .integer(random.pick([0, .max, .min, 9_007_199_254_740_993, Int64(random.number(-9...9))]) ?? 0)
    case .decimal: return .decimal(Decimal(random.number(-100_000...100_000)) / 100)
    case .double: return .double(random.pick([0, -0.5, 1e15, 123_456.789, -1e-7, 4e9]) ?? 0)
    case .float: return .double(Double(Float(random.pick([0, 0.5, -3.25, 16_777_216, 70000.1]) ?? 0)))
    case .string: return .string(random.pick(["", "a'b", "é👩‍👩‍👧 ", "Étoile", "x\ny", "42", "NULL"]) ?? "")
    case .boolean: return .boolean(random.chance(50))
    case .date: return .date(random.pick([0, 737_057_651.669581, -1, 1e9, 0.25]) ?? 0)
    case .uuid: return .uuid(drawUUID())
    case .uri: return .uri(random.pick(["https://example.org/a?b=ü", "x-coredata://A/B/p1"]) ?? "a:b")
    default: return .binary(Data((0..<random.number(1...5)).map { _ in UInt8(random.number(0...255)) }))
    }
  }

  private mutating func drawUUID() -> UUID {
    let digits = (0..<32).map { _ in String(random.number(0...15), radix: 16) }
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }
    return UUID(uuidString: groups.joined(separator: "-")) ?? UUID()
  }

  // MARK: references

  private mutating func drawReferences() {
    var done: Set<[String]> = []
    for entity in hierarchy.namesInNumberingOrder.compactMap(hierarchy.entity(named:)) {
      for relationship in entity.relationships {
        if done.contains([entity.name, relationship.name]) { continue }
        let inverse = hierarchy.inverse(of: relationship)
        let other = inverse.flatMap {
          hierarchy.declaringEntityName(of: $0.name, seenFrom: relationship.destinationEntityName)
        }
        if let inverse, let other { done.insert([other, inverse.name]) }
        done.insert([entity.name, relationship.name])
        draw(relationship, inverse, of: entity.name)
      }
    }
  }

  private func objects(ofKind entity: String) -> [ManagedObject.ID] {
    order.filter { hierarchy.isKind($0.entityName, of: entity) }
  }

  private mutating func draw(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription?, of entity: String
  ) {
    let sources = objects(ofKind: entity)
    var targets = objects(ofKind: relationship.destinationEntityName)
    let isOwn =
      inverse.map { $0.name == relationship.name && relationship.destinationEntityName == entity } ?? false
    // A to-many without inverse, or with a to-one, has its objects for itself.
    let isExclusive = inverse.map { !$0.isToMany } ?? relationship.isToMany
    for source in sources.shuffled(using: &random) {
      if isOwn, !relationship.isToMany, objects[source]?.toOne[relationship.name] != nil { continue }
      let wanted = relationship.isToMany ? random.number(0...3) : random.number(0...1)
      for _ in 0..<wanted {
        guard let target = random.pick(targets) else { break }
        if isOwn, !relationship.isToMany, objects[target]?.toOne[relationship.name] != nil { continue }
        if isExclusive { targets.removeAll { $0 == target } }
        if isOwn, !relationship.isToMany { targets.removeAll { $0 == source } }
        link(source, relationship, target)
        if let inverse, !isOwn || target != source { link(target, inverse, source) }
      }
    }
    shuffle(relationship, sources)
    if let inverse { shuffle(inverse, objects(ofKind: relationship.destinationEntityName)) }
  }

  private mutating func link(
    _ source: ManagedObject.ID, _ relationship: RelationshipDescription, _ target: ManagedObject.ID
  ) {
    if relationship.isToMany {
      guard objects[source]?.toMany[relationship.name]?.contains(target) != true else { return }
      objects[source]?.toMany[relationship.name, default: []].append(target)
    } else {
      objects[source]?.toOne[relationship.name] = target
    }
  }

  /// Ordered lists in any order, the others by key.
  private mutating func shuffle(_ relationship: RelationshipDescription, _ sources: [ManagedObject.ID]) {
    for source in sources {
      guard let list = objects[source]?.toMany[relationship.name] else { continue }
      objects[source]?.toMany[relationship.name] =
        relationship.isOrdered ? list.shuffled(using: &random) : list.sorted { $0.primaryKey < $1.primaryKey }
    }
  }
}
