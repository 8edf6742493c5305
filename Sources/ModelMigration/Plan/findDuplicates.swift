public import ManagedModel
import ModelMapping
import PersistentStore

/// A uniqueness constraint that a step brings, as a question to the store's rows.
struct NewConstraint {
  var entity: String
  var properties: [String]
  /// The source's table, and what the constraint covers in terms of its columns.
  var table: String
  var values: [SQLExpression]
  var numbers: [Int]
  var version: String
}

/// Constraints that the version before this step did not have, over values that the store brings along.
///
/// Nulls are distinct from one another, so a property that begins empty keeps every constraint satisfied.
func findNewConstraints(
  _ transition: StoreTransition, step: MappingModel, previous: ManagedObjectModel, version: String
)
  -> [NewConstraint]
{
  let before = EntityHierarchy(previous)
  var found: [NewConstraint] = []
  for origin in tableOrigins(transition) {
    guard let source = origin.source else { continue }
    let recipes = columnRecipes(
      for: origin.table, from: source, entities: origin.entities, transition: transition)
    for name in transition.destination.descendantNames(includingSelf: origin.table.rootEntityName) {
      guard let entity = transition.destination.entity(named: name) else { continue }
      for properties in entity.uniquenessConstraints
      where !existed(properties, entity: name, step: step, before: before) {
        let kinds = origin.entities.filter { transition.destination.isKind($0, of: name) }
        let numbers = kinds.compactMap { transition.sourceName(ofEntity: $0) }.compactMap {
          transition.oldNumber(ofSource: $0)
        }
        guard !numbers.isEmpty,
          let values = values(
            of: properties, of: name, kinds: kinds, recipes: recipes, transition: transition)
        else { continue }
        found.append(
          NewConstraint(
            entity: name, properties: properties, table: source.name, values: values, numbers: numbers,
            version: version))
      }
    }
  }
  return found
}

private func existed(_ properties: [String], entity: String, step: MappingModel, before: EntityHierarchy)
  -> Bool
{
  guard let mapping = step.mappings(toEntity: entity).first, let sourceName = mapping.sourceEntityName,
    let old = before.entity(named: sourceName)
  else { return false }
  let names = properties.map { property -> String? in
    if case .source(let name)? = mapping.propertyMapping(named: property)?.value { name } else { nil }
  }
  return old.uniquenessConstraints.contains { Set($0.map { Optional($0) }) == Set(names) }
}

/// The expressions to group by; nil where one is null throughout. Constants do not tell rows apart.
private func values(
  of properties: [String], of entity: String, kinds: [String], recipes: [ColumnRecipe],
  transition: StoreTransition
) -> [SQLExpression]? {
  var values: [SQLExpression] = []
  for property in properties {
    let recipe = recipes.first { recipe in
      switch recipe.column.role {
      case .attribute(let reference), .toOne(let reference):
        reference.property == property && transition.destination.isKind(entity, of: reference.entity)
      default: false
      }
    }
    guard let recipe else { return nil }
    let perKind = kinds.map { recipe.values[$0] ?? .null }
    guard let first = perKind.first, perKind.contains(where: { $0 != .null }) else { return nil }
    if perKind.allSatisfy({ $0 == first }) {
      if case .literal = first { continue }
      values.append(first)
    } else {
      values.append(
        .byEntity(
          zip(kinds, perKind).compactMap { kind, value in
            transition.sourceName(ofEntity: kind).flatMap { transition.oldNumber(ofSource: $0) }
              .map { .init(numbers: [$0], value: value) }
          }))
    }
  }
  return values
}

/// A to-one that is told by another to-one, so that no two objects may lead to one.
struct ContestedReference {
  var entity: String
  var property: String
  /// The source's table and column that lead here.
  var table: String
  var column: String
  var numbers: [Int]
  var version: String
}

/// References that have to be told from the other side, where each object can have one only.
func findContestedReferences(_ transition: StoreTransition, version: String) -> [ContestedReference] {
  var found: [ContestedReference] = []
  for origin in tableOrigins(transition) {
    guard let source = origin.source else { continue }
    let recipes = columnRecipes(
      for: origin.table, from: source, entities: origin.entities, transition: transition)
    for recipe in recipes {
      guard let reference = recipe.column.role.property else { continue }
      for value in Set(recipe.values.values) {
        guard case .referrer(let table, let column, _) = value,
          let origin = transition.schema.tables.first(where: { $0.name == table })
        else { continue }
        found.append(
          ContestedReference(
            entity: reference.entity, property: reference.property, table: table, column: column,
            numbers: transition.numbers(ofSource: origin.rootEntityName) { $0 != nil }.sorted(),
            version: version))
      }
    }
  }
  return found
}

extension Diagnostic.Code {
  public static let duplicateValues = Self("MC3105")
  public static let contestedReference = Self("MC3108")
}

extension Diagnostic {
  static func duplicates(_ constraint: NewConstraint, count: Int, examples: [[Int64]]) -> Self {
    let names = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
    let groups = count == 1 ? "1 group" : "\(count) groups"
    return Self(
      .duplicateValues, .error,
      "'\(constraint.entity)' is unique by \(names) in '\(constraint.version)' and the store has \(groups) of duplicates",
      subject: ModelSubject(
        version: constraint.version, entity: constraint.entity, key: "uniquenessConstraints"),
      notes: examples.map { keys in
        .init("primary keys \(keys.map(String.init).joined(separator: ", ")) are alike")
      },
      help: ["remove the duplicates with the app, or leave the constraint out until they are gone"],
      cocoaCode: 134111)
  }

  static func contested(_ reference: ContestedReference, count: Int, examples: [[Int64]]) -> Self {
    let noun = count == 1 ? "1 object is" : "\(count) objects are"
    return Self(
      .contestedReference, .error,
      "'\(reference.entity).\(reference.property)' can hold one object in '\(reference.version)' and \(noun) referred to by several",
      subject: ModelSubject(
        version: reference.version, entity: reference.entity, property: reference.property),
      notes: examples.map { keys in
        .init("primary keys \(keys.map(String.init).joined(separator: ", ")) refer to one object")
      },
      help: ["make the other side to-many, or remove the surplus references with the app"], cocoaCode: 134110)
  }
}
