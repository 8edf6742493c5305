package import ManagedModel

/// How the objects of one concrete entity lie in a store: a slot for each column that their rows use, and what each
/// property means in slots.
package final class EntityShape {
  package let name: String
  /// `Z_ENT`.
  package let number: Int
  package let rootEntityName: String
  package let tableName: String
  package let isAbstract: Bool
  /// Names of the columns that the slots stand for, in their order.
  package let columnNames: [String]
  package let properties: [String: PropertyShape]
  /// Those that have columns of their own or lead to many, each kind in the order of the model; inherited ones first.
  let attributes: [(name: String, shape: AttributeShape)]
  let toOnes: [(name: String, shape: ToOneShape)]
  let toManys: [ToManyShape]
  /// The slots of the owner of an inverse-less to-many in the rows of its members: its key, and the place among them.
  package let owners: [PropertyReference: (key: Int, order: Int?)]
  private var recent: [(key: String, attribute: AttributeShape?)] = []
  /// A new object's slots: the model's default values.
  package let defaults: [StoredCell]

  /// Without a table or properties: of an object that could not be made.
  package init(missing name: String) {
    (self.name, number, rootEntityName, tableName, isAbstract) = (name, 0, "", "", true)
    (columnNames, properties, owners, defaults) = ([], [:], [:], [])
    (attributes, toOnes, toManys) = ([], [], [])
  }

  /// The attribute of a name or key path, if it is one: found at once where the same keys are asked for again and again.
  package func attribute(_ key: String) -> AttributeShape? {
    let bytes = key.utf8
    let place = (bytes.count &* 7 &+ Int(bytes.first ?? 0)) & 15
    if recent.isEmpty { recent = Array(repeating: ("", nil), count: 16) }
    if recent[place].key == key, let known = recent[place].attribute { return known }
    guard case .attribute(let found)? = properties[key] else { return nil }
    recent[place] = (key, found)
    return found
  }

  package init?(_ name: String, schema: StoreSchema, hierarchy: EntityHierarchy) {
    guard let entity = hierarchy.entity(named: name), let layout = schema.entity(named: name),
      let table = schema.table(ofEntity: name)
    else { return nil }
    (self.name, number, isAbstract) = (name, layout.number, entity.isAbstract)
    (rootEntityName, tableName) = (table.rootEntityName, table.name)
    let slots = SlotList(table, entity: name, hierarchy)
    columnNames = slots.columnNames
    owners = slots.owners
    var properties: [String: PropertyShape] = [:]
    var (attributes, toOnes, toManys) = (
      [(String, AttributeShape)](), [(String, ToOneShape)](), [ToManyShape]()
    )
    var defaults = Array(repeating: StoredCell.null, count: slots.columnNames.count)
    for entity in hierarchy.lineage(of: name) {
      for attribute in entity.attributes {
        properties[attribute.name] = attribute.isTransient ? .transient : .composite([])
      }
      for leaf in entity.attributes.storedLeaves(composites: hierarchy.model.composites) {
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        guard let slot = slots.places[.attribute(reference)] else { continue }
        let shape = AttributeShape(slot: slot, attribute: leaf.attribute)
        properties[leaf.keyPath] = .attribute(shape)
        attributes.append((leaf.keyPath, shape))
        for depth in leaf.path.indices.dropFirst() {
          let composite = leaf.path[..<depth].joined(separator: ".")
          var members: [String] = []
          if case .composite(let known)? = properties[composite] { members = known }
          let member = leaf.path[...depth].joined(separator: ".")
          properties[composite] = .composite(members.contains(member) ? members : members + [member])
        }
        if let value = leaf.attribute.heldDefaultValue {
          defaults[slot] = storedCell(value, of: leaf.attribute) ?? .null
        }
      }
      for relationship in entity.relationships {
        let reference = PropertyReference(entity: entity.name, property: relationship.name)
        let shape = relationshipShape(relationship, reference, slots, schema: schema, hierarchy)
        properties[relationship.name] = shape
        if case .toOne(let toOne) = shape { toOnes.append((relationship.name, toOne)) }
        if case .toMany(let toMany) = shape { toManys.append(toMany) }
      }
    }
    self.properties = properties
    self.defaults = defaults
    (self.attributes, self.toOnes, self.toManys) = (attributes, toOnes, toManys)
  }
}

/// What a property is in the rows of a store.
package enum PropertyShape {
  case attribute(AttributeShape)
  case toOne(ToOneShape)
  case toMany(ToManyShape)
  /// A composite attribute, or one in another: the key paths of its elements, each a property of its own.
  case composite([String])
  /// Nothing that is stored.
  case transient

  /// Of a relationship, what it leads to, and its other side, if that is stored.
  package var end: (entityName: String, inverseName: String?)? {
    switch self {
    case .toOne(let toOne): (toOne.destinationEntityName, toOne.inverseName)
    case .toMany(let toMany): (toMany.destinationEntityName, toMany.inverseName)
    case .attribute, .composite, .transient: nil
    }
  }
}

/// A class, because a description has many parts and every access to a value hands it on.
package final class AttributeShape {
  package let slot: Int
  package let type: AttributeType
  package let attribute: AttributeDescription

  init(slot: Int, attribute: AttributeDescription) {
    (self.slot, type, self.attribute) = (slot, attribute.type, attribute)
  }
}

package struct ToOneShape {
  package var reference: PropertyReference
  package var destinationEntityName: String
  /// Nil if the relationship has none that is stored.
  package var inverseName: String?
  package var keySlot: Int
  /// Holds the destination's entity number, where that entity has sub-entities.
  package var numberSlot: Int?
  /// Holds the place in the ordered to-many at the other end.
  package var orderSlot: Int?
}

package struct ToManyShape {
  package var reference: PropertyReference
  package var destinationEntityName: String
  package var inverseName: String?
  package var isOrdered: Bool
  package var storage: Storage

  package enum Storage {
    /// In the members' rows: the inverse to-one of that name.
    case inverse(String)
    /// In the members' rows, as the owner of this relationship.
    case owner
    /// In a table of their own, seen from this side.
    case join(JoinTableLayout)
  }

  /// Whether the references stand in a table of their own.
  package var usesJoinTable: Bool { if case .join = storage { true } else { false } }
}

/// The columns of a table that one entity's rows use.
private struct SlotList {
  var columnNames: [String] = []
  var places: [ColumnRole: Int] = [:]
  var owners: [PropertyReference: (key: Int, order: Int?)] = [:]

  init(_ table: TableLayout, entity: String, _ hierarchy: EntityHierarchy) {
    for column in table.columns where hierarchy.uses(column.role, entity: entity) {
      if case .owner(let property) = column.role { owners[property] = (columnNames.count, nil) }
      places[column.role] = columnNames.count
      columnNames.append(column.name)
    }
    for reference in owners.keys { owners[reference]?.order = places[.ownerOrder(reference)] }
  }
}

private func relationshipShape(
  _ relationship: RelationshipDescription, _ reference: PropertyReference, _ slots: SlotList,
  schema: StoreSchema, _ hierarchy: EntityHierarchy
) -> PropertyShape {
  if relationship.isTransient { return .transient }
  let inverse = hierarchy.storedInverse(of: relationship)
  guard relationship.isToMany else {
    guard let key = slots.places[.toOne(reference)] else { return .transient }
    return .toOne(
      ToOneShape(
        reference: reference, destinationEntityName: relationship.destinationEntityName,
        inverseName: inverse?.name, keySlot: key, numberSlot: slots.places[.discriminator(reference)],
        orderSlot: slots.places[.order(reference)]))
  }
  let toOneName = inverse.flatMap { $0.isToMany ? nil : $0.name }
  let storage: ToManyShape.Storage =
    schema.joinTable(seenFrom: reference).map(ToManyShape.Storage.join)
    ?? toOneName.map(ToManyShape.Storage.inverse) ?? .owner
  return .toMany(
    ToManyShape(
      reference: reference, destinationEntityName: relationship.destinationEntityName,
      inverseName: inverse?.name, isOrdered: relationship.isOrdered, storage: storage))
}
