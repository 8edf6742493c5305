import GRDB
import ManagedModel

/// Writes the rows of one concrete entity: its columns only, the others of the table stay NULL.
final class EntityRowWriter {
  private enum Slot {
    case primaryKey
    case constant(DatabaseValue)
    case attribute(String, AttributeDescription)
    case toOne(String)
    case discriminator(String)
    /// The place in an ordered to-many whose to-one inverse is named.
    case order(String)
  }

  let rootEntityName: String
  private let statement: RowStatement
  private let slots: [Slot]
  private let numbers: [String: Int]
  private let externalData: ExternalDataWriter?
  /// Names that an object of the entity may use.
  private let knownValues: Set<String>
  private let knownToOnes: Set<String>
  /// By to-one, the places in the ordered to-many at its other end.
  private var orderings: [String: OrderingKeys] = [:]

  /// - Parameter id: the first object of its entity.
  init(for id: ManagedObject.ID, owner: ObjectWriter) throws {
    let hierarchy = owner.hierarchy
    let entityName = id.entityName
    guard let entity = hierarchy.entity(named: entityName), !entity.isAbstract else {
      throw DiagnosticsError(.rowRefused(id, reason: "the model has no concrete entity of that name"))
    }
    guard let layout = owner.schema.entity(named: entityName),
      let table = owner.schema.table(ofEntity: entityName)
    else { throw DiagnosticsError(.rowRefused(id, reason: "the store has no table for its entity")) }
    let attributes = Self.attributes(of: entityName, hierarchy: hierarchy)
    let lineage = Set(hierarchy.lineage(of: entityName).map(\.name))

    var columns: [String] = []
    var slots: [Slot] = []
    for column in table.columns {
      if let property = column.role.property, !column.role.isOwner, !lineage.contains(property.entity) {
        continue
      }
      let slot: Slot? =
        switch column.role {
        case .primaryKey: .primaryKey
        case .entityNumber: .constant(layout.number.databaseValue)
        case .optimisticLock: .constant(1.databaseValue)
        case .attribute(let reference): attributes[reference].map { .attribute(reference.property, $0) }
        case .toOne(let reference): .toOne(reference.property)
        case .discriminator(let reference): .discriminator(reference.property)
        case .order(let reference): .order(reference.property)
        case .owner, .ownerOrder, .unknown: nil
        }
      guard let slot else { continue }
      columns.append(quotedIdentifier(column.name))
      slots.append(slot)
    }
    self.slots = slots
    self.externalData = owner.externalData
    self.rootEntityName = table.rootEntityName
    self.numbers = Dictionary(
      owner.schema.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    self.knownValues = Set(attributes.keys.map(\.property))
    self.knownToOnes = Set(
      hierarchy.relationships(of: entityName).filter { !$0.isToMany && !$0.isTransient }.map(\.name))
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    self.statement = try RowStatement(
      owner.db,
      sql:
        "INSERT INTO \(quotedIdentifier(table.name)) (\(columns.joined(separator: ", "))) VALUES (\(places))")
  }

  private static func attributes(
    of entityName: String, hierarchy: EntityHierarchy
  ) -> [PropertyReference: AttributeDescription] {
    var found: [PropertyReference: AttributeDescription] = [:]
    for entity in hierarchy.lineage(of: entityName) {
      for leaf in storedLeaves(of: entity.attributes, composites: hierarchy.model.composites) {
        found[PropertyReference(entity: entity.name, property: leaf.keyPath)] = leaf.attribute
      }
    }
    return found
  }

  func write(_ object: ManagedObject) throws {
    guard object.id.primaryKey > 0 else {
      throw DiagnosticsError(.rowRefused(object.id, reason: "primary keys begin at 1"))
    }
    if let name = object.values.keys.first(where: { !knownValues.contains($0) })
      ?? object.toOne.keys.first(where: { !knownToOnes.contains($0) })
    {
      throw DiagnosticsError(.unknownProperty(name, of: object.id))
    }
    for (index, slot) in slots.enumerated() { try statement.bind(value(of: slot, in: object), at: index) }
    try statement.run()
  }

  private func value(of slot: Slot, in object: ManagedObject) throws -> DatabaseValue {
    switch slot {
    case .primaryKey: return object.id.primaryKey.databaseValue
    case .constant(let value): return value
    case .attribute(let name, let attribute):
      guard let value = object.values[name] else { return .null }
      if case .binary(let data) = value, attribute.allowsExternalBinaryDataStorage,
        let file = try externalData?.store(data, of: object.id, property: name)
      {
        return externalReference(file)
      }
      guard let stored = databaseValue(value, of: attribute) else {
        throw DiagnosticsError(.wrongValue(name, of: object.id, type: attribute.type))
      }
      return stored
    case .toOne(let name): return object.toOne[name]?.primaryKey.databaseValue ?? .null
    case .discriminator(let name):
      return object.toOne[name].flatMap { numbers[$0.entityName] }?.databaseValue ?? .null
    case .order(let name):
      guard let destination = object.toOne[name] else { return .null }
      return orderings[name, default: OrderingKeys()].next(destination.primaryKey).databaseValue
    }
  }
}

/// Gives the members of ordered to-manys their keys, in the order in which they come: 2048, 3072, 4096, …
struct OrderingKeys {
  /// Members so far, by the owner's primary key.
  private var counts: [Int64: Int] = [:]

  static func key(at index: Int) -> Int { 2048 + 1024 * index }

  mutating func next(_ owner: Int64) -> Int {
    defer { counts[owner, default: 0] += 1 }
    return Self.key(at: counts[owner, default: 0])
  }
}

extension ColumnRole {
  /// Whether the column belongs to rows that a relationship of another entity leads to.
  fileprivate var isOwner: Bool {
    switch self {
    case .owner, .ownerOrder: true
    default: false
    }
  }
}
