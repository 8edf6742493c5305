import ManagedModel
import PersistentStore

/// One prepared entity mapping: its policy, and what the default work does with each property.
final class MappingWork {
  let number: Int
  /// As policies get it.
  let mapping: EntityMapping
  let setExpressions = SetExpressions()
  var policyName: String? { mapping.policyName }
  let policy: EntityMigrationPolicy
  let source: EntityShape?
  let destination: EntityShape?
  private(set) var attributes: [AttributeWork] = []
  private(set) var relationships: [PropertyMapping] = []
  /// How its objects are made by one statement; nil if they are made one by one.
  var transfer: RowTransfer?
  /// How the default work makes an object of a row; nil if it makes it value by value.
  private(set) var plan: RowPlan?
  /// What the plan leaves to be worked out.
  private(set) var workedOut: [AttributeWork] = []
  /// References that stand in the rows as soon as these are made.
  var fills: [ReferenceFill] = [] { didSet { filledSlots = fills.map(\.toOne.keySlot) } }
  private(set) var filledSlots: [Int] = []
  /// Names of those that anybody may see already.
  var shown: Set<String> = []
  /// Relationships that need nothing more to be done.
  var resolved: Set<String> = [] {
    didSet { openRelationships = relationships.filter { !resolved.contains($0.name) } }
  }
  /// Those that are left to be set object by object.
  private(set) var openRelationships: [PropertyMapping] = []
  /// Nil if its objects are made, and do not lie in the clone already.
  var carried: RowKeepingMappings.Mapping? { didSet { resolved = carried?.relationships ?? [] } }
  /// Whether its objects keep the keys of those that they are made of.
  var keepsKeys = false
  /// Whether another mapping may have taken such a key.
  var sharesKeys = false
  /// Source objects that it took, and destination objects that its policy made of none of them.
  var takenCount = 0
  /// What expressions may use beside the objects.
  let variables: [String: ExpressionValue]

  init(
    _ number: Int, _ mapping: EntityMapping, policy: EntityMigrationPolicy.Type?,
    source: ManagedObjectContext,
    destination: ManagedObjectContext
  ) {
    self.number = number
    var mapping = mapping
    if mapping.policyName != nil {
      for list in [\EntityMapping.attributeMappings, \.relationshipMappings] {
        for index in mapping[keyPath: list].indices {
          mapping[keyPath: list][index].setExpressions = setExpressions
        }
      }
    }
    self.mapping = mapping
    self.policy = policy?.init() ?? EntityMigrationPolicy()
    self.source = mapping.sourceEntityName.flatMap { source.rows.shape(named: $0) }
    self.destination = mapping.destinationEntityName.flatMap { destination.rows.shape(named: $0) }
    variables = [
      "entityMapping": expressionValue(of: mapping),
      "entityPolicy": .object(PolicyObject(policy: self.policy)),
    ]
    guard let shape = self.destination else { return }
    let from = self.source
    attributes = mapping.attributeMappings.compactMap {
      attributeWork($0, shape.properties[$0.name], from: from)
    }
    relationships = mapping.relationshipMappings.filter { property in
      switch property.value {
      case .source, .expression: true
      // Nothing is said of it here: it is empty, or its inverse tells it.
      case .constant, .converted, .defaulted: false
      }
    }
    openRelationships = relationships
    let plan = RowPlan(shape)
    for attribute in attributes {
      switch attribute {
      case .copy(let from, let to): plan.origins[to] = .column(from)
      case .constant(let cell, let to): plan.origins[to] = .cell(cell)
      case .value: workedOut.append(attribute)
      }
    }
    self.plan = plan
  }

  /// Whether a value is made of all objects of a group.
  private(set) lazy var asksForGroup =
    mapping.grouping != nil
    && (mapping.attributeMappings + mapping.relationshipMappings).contains { property in
      guard case .expression(let expression) = property.value else { return false }
      return expression.allParts.contains(.variable("sources"))
    }

  /// Whether each of its objects has the key of its source object, and no other mapping makes objects of both entities.
  var isKeyed: Bool { keepsKeys && !sharesKeys && mapping.grouping == nil }

  /// Whether its objects are of an entity, in the hierarchy of the destination.
  func makes(_ entity: String, _ hierarchy: EntityHierarchy) -> Bool {
    destination.map { hierarchy.isKind($0.name, of: entity) } ?? false
  }

  /// Its objects, where each has the key of its source object. Others of the entity may be another mapping's: attachments
  /// made of notes by one, of memos by a second.
  var pairs: KeyedPairs? {
    guard isKeyed, let source, let destination else { return nil }
    return KeyedPairs(source: source, destination: destination)
  }

  /// References that a policy has not to see before it sets them.
  var hiddenSlots: [Int] {
    fills.filter { !shown.contains($0.name) }.flatMap {
      [$0.toOne.keySlot, $0.toOne.numberSlot].compactMap(\.self)
    }
  }
}

/// How one slot of a new object gets its cell.
enum AttributeWork {
  case copy(from: Int, to: Int)
  case constant(StoredCell, to: Int)
  case value(PropertyMapping, AttributeShape)

  var slot: Int {
    switch self {
    case .copy(_, let slot), .constant(_, let slot): slot
    case .value(_, let shape): shape.slot
    }
  }
}

/// Nil for what is derived or stands in no cell; of a composite, mappings speak of the members.
private func attributeWork(
  _ mapping: PropertyMapping, _ property: PropertyShape?, from source: EntityShape?
) -> AttributeWork? {
  guard case .attribute(let attribute)? = property, !attribute.attribute.isDerived else { return nil }
  switch mapping.value {
  case .source(let name):
    if case .attribute(let old)? = source?.properties[name], old.attribute.isStoredAlike(attribute.attribute)
    {
      return .copy(from: old.slot, to: attribute.slot)
    }
  case .constant(let value):
    let cell = value.flatMap { storedCell($0, of: attribute.attribute) } ?? .null
    return .constant(cell, to: attribute.slot)
  case .converted, .defaulted, .expression: break
  }
  return .value(mapping, attribute)
}

extension AttributeDescription {
  /// Whether a cell of one type is also a cell of the other.
  package func isStoredAlike(_ new: AttributeDescription) -> Bool {
    type == new.type && allowsExternalBinaryDataStorage == new.allowsExternalBinaryDataStorage
  }
}

/// A to-one whose keys come with the rows. Its objects have the keys of their source objects, so the keys are known before
/// the objects exist.
struct ReferenceFill {
  var name: String
  /// The relationship of the source that it follows, where it follows one.
  var followed: String?
  var toOne: ToOneShape
  /// Numbers of the mappings that make the objects it may lead to.
  var candidates: Set<Int>
  var targets: ReferenceTargets
  /// Whether each key that the source has is one of the targets', unless the source is at odds with itself.
  var isWhole: Bool
  /// Whether the keys stand in rows that stay.
  var stands = false
}
