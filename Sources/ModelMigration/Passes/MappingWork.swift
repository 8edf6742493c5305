import Expressions
import ManagedModel
import ModelMapping
import PersistentStore

/// One entity mapping made ready: its policy, and what the default work does with each property.
final class MappingWork {
  let number: Int
  let mapping: EntityMapping
  let policyName: String?
  let policy: EntityMigrationPolicy
  let source: EntityShape?
  let destination: EntityShape?
  private(set) var attributes: [AttributeWork] = []
  private(set) var relationships: [RelationshipWork] = []
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
    self.mapping = mapping
    policyName = mapping.policyName
    self.policy = policy?.init() ?? EntityMigrationPolicy()
    self.source = mapping.sourceEntityName.flatMap { source.rows.shape(named: $0) }
    self.destination = mapping.destinationEntityName.flatMap { destination.rows.shape(named: $0) }
    variables = [
      "entityMapping": expressionValue(of: mapping),
      "entityPolicy": .object(PolicyObject(policy: self.policy)),
    ]
    guard let shape = self.destination else { return }
    for property in mapping.attributeMappings {
      attributes += attributeWork(property, shape.properties[property.name], of: shape, from: self.source)
    }
    relationships = mapping.relationshipMappings.compactMap { property in
      switch property.value {
      case .source(let name): RelationshipWork(mapping: property, value: .followed(name))
      case .expression(let expression): RelationshipWork(mapping: property, value: .expression(expression))
      // Nothing is said of it here: it is empty, or its inverse tells it.
      case .constant, .converted, .defaulted: nil
      }
    }
  }
}

/// How one slot of a new object gets its cell.
enum AttributeWork {
  case copy(from: Int, to: Int)
  case constant(StoredCell, to: Int)
  case value(PropertyMappingValue, PropertyMapping, AttributeShape)
}

struct RelationshipWork {
  enum Value {
    /// What became of the objects that the source's relationship leads to.
    case followed(String)
    case expression(Expression)
  }

  var mapping: PropertyMapping
  var value: Value
}

private func attributeWork(
  _ mapping: PropertyMapping, _ property: PropertyShape?, of shape: EntityShape, from source: EntityShape?
) -> [AttributeWork] {
  switch property {
  case .attribute(let attribute):
    if attribute.attribute.isDerived { return [] }
    switch mapping.value {
    case .source(let name):
      if case .attribute(let old)? = source?.properties[name],
        isStoredAlike(old.attribute, attribute.attribute)
      {
        return [.copy(from: old.slot, to: attribute.slot)]
      }
    case .constant(let value):
      let cell = value.flatMap { storedCell($0, of: attribute.attribute) } ?? .null
      return [.constant(cell, to: attribute.slot)]
    case .converted, .defaulted, .expression: break
    }
    return [.value(mapping.value, mapping, attribute)]
  case .composite(let paths):
    // Element by element, where a composite is copied as it is.
    guard case .source(let name) = mapping.value else { return [] }
    return paths.flatMap { path in
      let rest = path.dropFirst(mapping.name.count)
      var element = mapping
      element.value = .source(name + rest)
      return attributeWork(element, shape.properties[path], of: shape, from: source)
    }
  case .toOne, .toMany, .transient, nil: return []
  }
}

/// Whether a cell of the one is a cell of the other.
private func isStoredAlike(_ old: AttributeDescription, _ new: AttributeDescription) -> Bool {
  old.type == new.type && old.allowsExternalBinaryDataStorage == new.allowsExternalBinaryDataStorage
}
